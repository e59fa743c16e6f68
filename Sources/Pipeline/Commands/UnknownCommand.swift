internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// Detects a first argument that is not a command of `paidline`.
enum UnknownCommand {
  /// Returns the failure for a first argument that is neither a command nor an option.
  ///
  /// Returns `nil` for any other command line.
  ///
  /// Example: for `paidline explian 42` the message is
  /// `there is no command "explian"; did you mean "explain"?`.
  static func failure(in arguments: [String]) -> RunFailure? {
    let names = PaidlineCommand.configuration.subcommands
      .compactMap { $0.configuration.commandName }
    guard let word = arguments.first, !word.hasPrefix("-"), !(names + ["help"]).contains(word)
    else { return nil }
    let shown = OneLine.text(word)
    if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
      return RunFailure(
        .usage, "\(shown) is a pipeline, not a command; to run it: paidline run \(shown)")
    }
    let hint =
      NearestWord.suggestion(for: word, among: names).map { "; did you mean \"\($0)\"?" }
      ?? "; the commands are \(names.joined(separator: ", "))"
    return RunFailure(.usage, "there is no command \"\(shown)\"\(hint)")
  }
}
