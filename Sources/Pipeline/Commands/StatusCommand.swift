internal import ArgumentParser
internal import Diagnostics

/// `paidline status`: how a pipeline is doing.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show runs, freshness, gaps, coverage and rejects of a pipeline.",
    discussion: """
      EXAMPLES
        paidline status Pipelines/nightly.yaml
        paidline status Pipelines/nightly.yaml --max-age 36h   65 when too old
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "End with 65 when the last success or the newest export day is older, such as 36h or 2d.",
      valueName: "age"))
  var maxAge: DurationArgument?

  @Flag(help: "Print the status as JSON.")
  var json = false

  func run() throws {
    let report = try StatusReport.read(try pipeline.read())
    try CheckedOutput.standard.writeLine(json ? report.json.page : report.text)
    guard let maxAge else { return }
    let overdue = report.overdue(maxAge: maxAge.length, now: SystemClock.now)
    guard overdue.isEmpty else {
      throw RunFailure(.dataRefused, "too old: \(overdue.joined(separator: ", "))")
    }
  }
}
