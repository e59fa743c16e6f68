internal import ArgumentParser

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "explain")
}
