public import ExportReading

/// A pipeline's settings for reading files of signed transactions.
public struct SignedInputs: SignedExportReading {
  /// A text that identifies the settings; empty for the default.
  ///
  /// It begins with `trust`, or with the fingerprints of roots that are not Apple's. If only
  /// certain apps or environments are accepted, their names follow.
  public let identity: String

  private let verifier: SignatureVerifier
  private let policy: SignaturePolicy

  /// Creates settings from their fields.
  public init(policy: SignaturePolicy, roots: TrustedRoots) {
    self.policy = policy
    verifier = SignatureVerifier(roots: roots)
    let word =
      switch policy.signatures {
      case .trust: "trust"
      case .verify: roots == .apple ? "" : roots.identity
      }
    identity = ([word] + policy.limits).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Creates a reader for one file.
  public func makeReader() -> any SignedRecordStaging {
    SignedStaging(reader: SignedRecordReader(verifier: verifier, policy: policy))
  }
}
