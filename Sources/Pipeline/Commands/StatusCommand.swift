internal import Answers
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline status`: reports the state of a pipeline.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether a pipeline is healthy, and if not, since when and how to fix it.",
    discussion: """
      The first line is the verdict: OK, or what is wrong and since when. The exit status is that \
      of the last run: 0 if all is well, 65 if the last run was stopped, and so on. Warnings \
      do not change it.

      EXAMPLES
        paidline status
        paidline status Pipelines/nightly.yaml --restatements
        paidline status --changes           what the last run changed
        paidline status --advice            what would make unknown amounts known
        paidline status Pipelines/nightly.yaml --max-age 36h   65 when too old
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "End with status 65 if the last successful run or the newest export day is older than this, "
        + "such as 36h or 2d.",
      valueName: "age"))
  var maxAge: DurationArgument?

  @Flag(help: "List the published days that the newest runs changed.")
  var restatements = false

  @Flag(help: "List the published amounts that the newest run changed, and why.")
  var changes = false

  @Flag(help: "List what would make unknown amounts known, the most money first.")
  var advice = false

  @Flag(help: "Show all lines of long lists.")
  var all = false

  @Flag(help: "Print the status as JSON.")
  var json = false

  func run() throws {
    let definition = try pipeline.read()
    guard try PathStatus.isPresent(definition.statePath) else {
      let result = StatusResult.withoutState(definition)
      try CheckedOutput.standard.writeLine(json ? result.json.page : result.headline)
      guard result.exitStatus != .success else { return }
      throw RunFailure(
        result.exitStatus,
        "\(OneLine.text(definition.statePath)): there is no state database yet. Run the pipeline "
          + "first."
      )
    }
    let report = try StatusAnswer.read(definition, maxAge: maxAge?.length, withSums: json)
    let now = SystemClock.now
    let changed = changes ? try ChangedAmounts.read(definition, all: all) : nil
    let result = report.result(now: now)
    try CheckedOutput.standard.writeLine(
      json
        ? report.json(result, changed).page
        : report.text(
          result, showsRestatements: restatements, changed,
          advice: advice ? try MissingAmounts.lines(definition) : [], showsAll: all))
    guard result.exitStatus == .success else {
      let overdue = maxAge.map { report.overdue(maxAge: $0.length, now: now) } ?? []
      throw RunFailure(
        result.exitStatus,
        overdue.isEmpty ? "" : "too old: \(overdue.joined(separator: ", "))")
    }
  }
}
