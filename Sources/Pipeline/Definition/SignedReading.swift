internal import Diagnostics
internal import SignedTransactions

/// How the signatures of a pipeline's signed transactions are treated.
extension SignedInputs {
  /// Reads `signatures` and `signed_roots` of the section `inputs`.
  ///
  /// - Parameters:
  ///   - inputs: The section.
  ///   - folder: The folder that relative paths are relative to.
  /// - Returns: What to do; Apple's root is trusted unless others are named.
  /// - Throws: ``RunFailure`` with status 78, file and line where they are wrong, and 66 for a root
  ///   that is missing.
  static func read(_ inputs: SettingsMapping, folder: String) throws(RunFailure) -> SignedInputs {
    let signatures = try inputs.value(
      "signatures", expected: PipelineDefinition.choices(SignaturePolicy.Signatures.self),
      read: SignaturePolicy.Signatures.init)
    let paths = try inputs.texts("signed_roots", expected: "a list of certificate files")
    var certificates: [[UInt8]] = []
    for path in paths {
      let bytes = try TextFile.bytes(
        FilePaths.resolve(path, in: folder), what: "the root certificate", limit: 1 << 16)
      guard TrustedRoots(certificates: [bytes]) != nil else {
        throw inputs.failure(
          "signed_roots", expected: "a list of certificates in DER or PEM", found: path)
      }
      certificates.append(bytes)
    }
    return SignedInputs(
      policy: SignaturePolicy(signatures: signatures ?? .verify),
      roots: TrustedRoots(certificates: certificates) ?? .apple)
  }
}
