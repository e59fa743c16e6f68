internal import ArgumentParser

/// Measures runs of Paidline as a separate process, and measures lower bounds for comparison.
@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-bench",
    abstract: "Measures runs over synthetic stores.",
    subcommands: [ScoreCommand.self, TruthCommand.self, BooksCommand.self, FloorCommand.self],
    defaultSubcommand: ScoreCommand.self)
}
