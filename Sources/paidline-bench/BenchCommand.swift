internal import ArgumentParser

/// Measures Paidline from outside, and what it is measured by.
@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-bench",
    abstract: "Measures runs over synthetic stores.",
    subcommands: [ScoreCommand.self, TruthCommand.self, FloorCommand.self],
    defaultSubcommand: ScoreCommand.self)
}
