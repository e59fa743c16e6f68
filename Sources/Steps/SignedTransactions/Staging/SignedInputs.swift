public import ExportReading

/// The settings with which a pipeline reads its files of signed transactions.
public struct SignedInputs: SignedExportReading {
  /// The identity of this way of reading: empty for the usual one.
  ///
  /// `trust`, or the fingerprints of roots other than Apple's; then the apps and the stores whose
  /// tokens are taken, where not all are.
  public let identity: String

  private let verifier: SignatureVerifier
  private let policy: SignaturePolicy

  /// Creates a way of reading from its fields.
  ///
  /// - Parameters:
  ///   - policy: The tokens that are accepted.
  ///   - roots: The roots that signers' chains may end at.
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

  /// A reader for one file.
  public func makeReader() -> any SignedRecordStaging {
    SignedStaging(reader: SignedRecordReader(verifier: verifier, policy: policy))
  }
}
