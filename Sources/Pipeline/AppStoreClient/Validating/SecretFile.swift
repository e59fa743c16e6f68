internal import Diagnostics
internal import Pipeline

extension AppSecret {
  /// The environment variable with the secret, used without a secret file.
  static let variable = "PAIDLINE_SHARED_SECRET"

  /// Reads the secret of a pipeline: from its file, else from the environment.
  ///
  /// - Parameter path: The file that the pipeline names; `nil` for none.
  /// - Returns: The secret; `nil` without either, because apps without subscriptions need none.
  /// - Throws: ``RunFailure`` with 66 for a missing file, 77 for one that others may read, and 78
  ///   for a text that is not a secret. The text is never part of a message.
  static func read(path: String?) throws(RunFailure) -> AppSecret? {
    if let path {
      guard let secret = AppSecret(try PrivateFile.bytes(path, what: "the shared secret")) else {
        throw RunFailure(
          .badConfiguration,
          "\(OneLine.text(path)): expected the app's shared secret, 32 hexadecimal digits, and "
            + "nothing else")
      }
      return secret
    }
    guard let text = Terminal.variable(variable), !text.isEmpty else { return nil }
    guard let secret = AppSecret(Array(text.utf8)) else {
      throw RunFailure(
        .badConfiguration,
        "\(variable): expected the app's shared secret, 32 hexadecimal digits, and nothing else")
    }
    return secret
  }
}
