internal import Diagnostics
internal import Pipeline

extension AppSecret {
  /// The environment variable with the secret; used if the pipeline has no secret file.
  static let variable = "PAIDLINE_SHARED_SECRET"

  /// Reads the secret of a pipeline: from its file, else from the environment.
  ///
  /// - Parameter path: The file in the pipeline; `nil` if there is none.
  /// - Returns: The secret; `nil` without file and variable. Apps without subscriptions need no
  ///   secret.
  /// - Throws: ``RunFailure`` with status 66 for a missing file, 77 for a file that other users may
  ///   read, and 78 for a text that is not a secret. Messages never contain the text.
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
