internal import ArgumentParser

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "status")
}
