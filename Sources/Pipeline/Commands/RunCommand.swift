internal import Answers
internal import ArgumentParser
internal import Diagnostics
internal import Logging
internal import Pipeline
internal import Warehouse

/// `paidline run`: runs all stages under one lock.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Read what is new, decide what was paid, publish the facts.",
    discussion: """
      Runs the stages paidline-ingest and paidline-reconstruct, and paidline-publish where the \
      pipeline names a dashboard. Reads only files with new content, and writes nothing if \
      nothing has changed.

      EXAMPLES
        paidline run
        paidline run Pipelines/nightly.yaml --wait 600 --log-format json
        paidline run Pipelines/nightly.yaml --as-of 2021-12-31T23:59:59Z
        paidline run Pipelines/nightly.yaml --dry-run
        paidline run Pipelines/nightly.yaml --accept rejected_share
      """)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var ingest: IngestOptions
  @OptionGroup var reconstruct: ReconstructOptions
  @OptionGroup var gates: GateOverrides
  @OptionGroup var work: WorkOptions
  @OptionGroup var logOptions: LogOptions

  @OptionGroup var wait: WaitOption

  @Flag(name: [.customShort("n"), .long], help: "Print what would be read; change nothing.")
  var dryRun = false

  @OptionGroup var preview: PreviewOption

  @Flag(help: "Print the result as JSON.")
  var json = false

  @Flag(help: "Print the revenue table even if standard output is not a terminal.")
  var table = false

  func run() throws {
    let definition = try pipeline.read()
    let log = logOptions.logger("paidline")
    UnusedSettings.name(definition, log: log)
    if dryRun {
      let plan = try RunPlan.make(
        definition, gatePolicy: gates.gatePolicy(definition), preview: preview.records)
      try CheckedOutput.standard.writeLine(json ? plan.json.page : plan.text)
      return try plan.ending.end()
    }
    try Runner(definition: definition, log: log, waitSeconds: wait.seconds).run(
      [
        ingest.stage(of: definition, gates: gates, work: work, log: logOptions),
        reconstruct.stage(of: definition, gates: gates, work: work, wait: wait, log: logOptions),
      ], publishing: PublishCommand.stage(of: definition, log: logOptions))
    guard json || table || Terminal.isOutput else { return }
    let summary = try RevenueSummary.read(definition)
    let dashboard = definition.dashboardPath.map { "\nDashboard: \(OneLine.text($0))" } ?? ""
    let advice = json ? [] : try MissingAmounts.linesAfterTable(definition)
    try CheckedOutput.standard.writeLine(
      json
        ? summary.json.page
        : summary.text + dashboard + advice.map { "\n\($0)" }.joined())
  }
}

/// Warns about settings without an effect, and about a missing key for customer ids.
enum UnusedSettings {
  /// Logs the warnings about a pipeline's definition before its first run, and in every run on a
  /// terminal.
  ///
  /// Cron mails all output of a command, so the runs after the first must not repeat the warnings.
  static func name(_ definition: PipelineDefinition, log: Logger) {
    guard Terminal.isError || !PathStatus.exists(definition.statePath) else { return }
    let keys = definition.keysWithoutEffect
    if !keys.isEmpty {
      let names = keys.joined(separator: ", ")
      log.warning("these keys of the pipeline have no effect: \(names); complete or remove them")
    }
    if definition.customerKeyPath == nil {
      log.warning(
        """
        no customer_key_file: customer ids are hashed with the fixed public key, so anyone who \
        knows a customer id can find the rows of this customer. To prevent this, name a file with \
        32 random bytes under customer_key_file
        """)
    }
  }
}
