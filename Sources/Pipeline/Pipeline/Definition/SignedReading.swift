internal import Diagnostics
internal import SignedTransactions

/// Reads the settings of signed transactions in the section `inputs`.
extension SignedInputs {
  /// Reads `signatures`, `signed_roots` and `signed_environments` of the section `inputs`.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps whose signed transactions are accepted; empty for all apps.
  /// - Returns: The settings; Apple's root is trusted unless the section has other roots.
  /// - Throws: ``RunFailure`` with status 78, file and line for a wrong setting, and 66 for a
  ///   missing root file.
  static func read(_ inputs: SettingsMapping, folder: String, bundleIDs: [String])
    throws(RunFailure) -> SignedInputs
  {
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
    var policy = SignaturePolicy(signatures: signatures ?? .verify, bundleIDs: Set(bundleIDs))
    if let environments = try environments(inputs) { policy.environments = environments }
    return SignedInputs(
      policy: policy, roots: TrustedRoots(certificates: certificates) ?? .apple)
  }

  /// Reads the environments whose signed transactions are accepted.
  ///
  /// Returns `nil` if the key `signed_environments` is missing or its list is empty.
  private static func environments(_ inputs: SettingsMapping) throws(RunFailure)
    -> Set<StoreEnvironment>?
  {
    let key = "signed_environments"
    let expected = "a list of Production, Sandbox or both"
    let words = try inputs.texts(key, expected: expected)
    for word in words where !StoreEnvironment.words.contains(where: { $0.word == word }) {
      throw inputs.failure(key, expected: expected, found: word)
    }
    return words.isEmpty ? nil : Set(words.map { StoreEnvironment($0) })
  }
}
