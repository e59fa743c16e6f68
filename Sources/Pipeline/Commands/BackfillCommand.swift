internal import Answers
internal import ArgumentParser
internal import Pipeline
internal import Warehouse

/// `paidline backfill`: runs the stages for a window of export days.
struct BackfillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill",
    abstract: "Read the exports of a window of days, step by step, then publish the facts once.",
    discussion: """
      The window applies to the {date} in the patterns; patterns without {date} are skipped. \
      Committed steps stay when a backfill is stopped: start it again and it continues. The facts \
      are the same as after one run over all these files. --reprocess failed reads refused files \
      again; --reprocess all reads every file again, forgotten files too.

      EXAMPLES
        paidline backfill archive.yaml --from 2020-01-01 --through 2020-12-31
        paidline backfill archive.yaml --from 2020-01-01 --through 2020-12-31 \\
          --dry-run
        paidline backfill archive.yaml --from 2021-03-01 --through 2021-03-07 \\
          --reprocess all
      """)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var window: WindowOptions
  @OptionGroup var ingest: IngestOptions
  @OptionGroup var reconstruct: ReconstructOptions
  @OptionGroup var gates: GateOverrides
  @OptionGroup var work: WorkOptions
  @OptionGroup var logOptions: LogOptions

  @OptionGroup var wait: WaitOption

  @Flag(
    name: [.customShort("n"), .long],
    help: "Print what would be read and how long it may take; change nothing.")
  var dryRun = false

  @OptionGroup var preview: PreviewOption

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    guard window.from != nil else {
      throw ValidationError("a backfill needs --from DAY and --through DAY.")
    }
  }

  func run() throws {
    let definition = try pipeline.read()
    let log = logOptions.logger("paidline")
    if dryRun, let backfill = window.backfill {
      let plan = try BackfillPlan.make(
        definition, gatePolicy: gates.gatePolicy(definition), backfill: backfill,
        preview: preview.records
      )
      try CheckedOutput.standard.writeLine(json ? plan.json.page : plan.text)
      return try plan.plan.ending.end()
    }
    UnusedSettings.name(definition, log: log)
    try Runner(
      definition: definition, log: log, waitSeconds: wait.seconds, kind: RunStart.backfillKind
    ).run(
      [
        ingest.stage(of: definition, window: window, gates: gates, work: work, log: logOptions),
        reconstruct.stage(of: definition, gates: gates, work: work, wait: wait, log: logOptions),
      ], publishing: PublishCommand.stage(of: definition, log: logOptions))
    guard json || Terminal.isOutput else { return }
    let summary = try RevenueSummary.read(definition)
    try CheckedOutput.standard.writeLine(json ? summary.json.page : summary.text)
  }
}
