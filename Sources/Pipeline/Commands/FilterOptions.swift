internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// The pipeline, the as-of time and the side files of a filter.
struct FilterOptions: ParsableArguments {
  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "Ignore later data, and compute statuses for this time; the time of the newest snapshot if "
        + "not given.",
      valueName: "time"))
  var asOf: InstantArgument?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A file with rows of earlier filters that every task needs (Docs/cluster.md); may be given "
        + "several times.", valueName: "path"))
  var side: [String] = []

  /// Runs a filter with its settings and its side files; see ``FilterWork``.
  func run(_ name: String, _ work: (FilterContext) throws(RunFailure) -> Void) throws {
    try FilterWork.run("paidline-reconstruct \(name)") { () throws(RunFailure) in
      try work(
        FilterContext(try pipeline.read(), asOf: asOf?.instant, side: side))
    }
  }
}

/// `paidline-reconstruct merge` and the other steps: runs a step as a filter.
struct StepCommand<Step: FilterStep>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: Step.name, abstract: Step.summary)
  }

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run(Step.name) { (context) throws(RunFailure) in try Step(context).run() }
  }
}
