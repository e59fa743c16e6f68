public import ExportReading

/// A pipeline's settings for reading files of signed transactions.
public struct SignedInputs: SignedExportReading {
  /// A text that identifies the settings.
  ///
  /// It begins with the way of reading decoded payloads. Then follows `trust`, or the fingerprints
  /// of roots that are not Apple's. If only certain apps or environments are accepted, their names
  /// follow.
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
    // Files that an earlier release read without the charges of decoded payloads are read again.
    identity = (["charges of decoded payloads", word] + policy.limits).filter { !$0.isEmpty }
      .joined(separator: "; ")
  }

  /// Creates a reader for one file.
  public func makeReader() -> any SignedRecordStaging {
    SignedStaging(
      reader: SignedRecordReader(verifier: verifier, policy: policy),
      trustsClaims: policy.signatures == .trust)
  }
}
