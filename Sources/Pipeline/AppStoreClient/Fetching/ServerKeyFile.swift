package import Diagnostics
package import Pipeline

extension ServerKey {
  /// Reads a private key that a pipeline names.
  ///
  /// - Parameter settings: The file, and the ids by which Apple knows the key.
  /// - Returns: The key.
  /// - Throws: ``RunFailure`` with 66 for a missing file, 77 for one that others may read, and 78
  ///   for a text that is not a key. The text is never part of a message.
  package static func read(_ settings: ServerKeySettings) throws(RunFailure) -> ServerKey {
    let text = try PrivateFile.bytes(settings.path, what: "the private key")
    guard let key = ServerKey(text, keyID: settings.keyID, issuerID: settings.issuerID) else {
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(settings.path)): expected a private key file downloaded from App Store \
        Connect, which begins with -----BEGIN PRIVATE KEY-----
        """)
    }
    return key
  }
}
