package import Diagnostics
package import Pipeline

extension ServerKey {
  /// Reads the private key from the file that the pipeline names.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a missing file, 77 for a file that other users may
  ///   read, and 78 for a text that is not a key. Messages never contain the text.
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
