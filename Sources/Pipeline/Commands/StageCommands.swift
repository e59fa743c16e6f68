internal import ArgumentParser
internal import Diagnostics
internal import Glibc
internal import Pipeline
internal import Publishing
internal import TemporaryFiles

/// `paidline-ingest`: reads exports into state.db.
struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-ingest",
    abstract: "Read new exports of a pipeline into its working database.",
    discussion: """
      The first stage of `paidline run`. Files whose content is known are skipped. Everything that \
      is read is committed in one transaction. `files` and `gather` are filters for clusters: \
      Docs/cluster.md.

      \(ExitStatusTable.text)
      """,
    version: ProgramVersion.line)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var settings: IngestOptions
  @OptionGroup var gates: GateOverrides
  @OptionGroup var window: WindowOptions
  @OptionGroup var work: WorkOptions
  @OptionGroup var wait: WaitOption
  @OptionGroup var logOptions: LogOptions

  func run() throws {
    let definition = try pipeline.read()
    let stage = settings.stage(
      of: definition, window: window, gates: gates, work: work, log: logOptions)
    try stage.runAlone(definition, waitSeconds: wait.seconds)
  }
}

/// The options for threads and memory of a stage; they do not affect the facts.
struct WorkOptions: ParsableArguments {
  private static let threads = BoundedNumber(
    range: 1...256, noun: "a number of threads", example: "--jobs 2")

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: ArgumentHelp("The number of threads; one per core if not given.", valueName: "n"),
    transform: threads.read)
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Use at most about this much memory, such as 512M or 2G; 1G if not given. The rest is "
        + "stored in a file beside state.db.",
      valueName: "size"))
  var memory: MemoryArgument?

  /// The number of threads; by default one per processor core.
  var workers: Int { jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The memory that each stage may use; by default 1 GiB.
  var budget: MemoryBudget { memory.map { MemoryBudget(bytes: $0.bytes) } ?? MemoryBudget() }

  /// The memory and the file for the sorts of a command that only reads, such as `explain`.
  ///
  /// Data that exceeds the memory is sorted in an unlinked file next to state.db.
  func answerMemory(beside statePath: String) -> SortMemory {
    SortMemory(bytes: budget.sortedBytes, path: statePath + "-answer-\(getpid())")
  }
}

/// The options of `paidline-ingest`, the first stage.
struct IngestOptions: ParsableArguments {
  @Flag(help: "Begin a new state.db even if the list of erased customers is lost.")
  var acceptLostErasures = false

  /// Creates the stage `paidline-ingest` with all its options.
  func stage(
    of definition: PipelineDefinition, window: WindowOptions? = nil, gates: GateOverrides,
    work: WorkOptions, log: LogOptions
  ) -> Stage {
    Stage("paidline-ingest") { start throws(RunFailure) in
      let stage = IngestStage(
        definition: definition, acceptsLostErasures: acceptLostErasures,
        gatePolicy: gates.gatePolicy(definition), throttle: gates.throttle(stage: "ingest"),
        workers: work.workers, memory: work.budget, backfill: window?.backfill, runStart: start,
        log: log.logger("paidline-ingest"))
      try waited { () async throws(RunFailure) in try await stage.run() }
    }
  }
}

/// `paidline-reconstruct`: computes warehouse.db from state.db.
struct ReconstructCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-reconstruct",
    abstract: "Decide what was paid and publish the facts of a pipeline.",
    discussion: """
      The second stage of `paidline run`. Writes nothing if the inputs, the settings and the as-of \
      time are the same as before. `merge`, `decide` and others are filters for clusters: \
      Docs/cluster.md.

      \(ExitStatusTable.text)
      """,
    version: ProgramVersion.line)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var settings: ReconstructOptions
  @OptionGroup var gates: GateOverrides
  @OptionGroup var work: WorkOptions
  @OptionGroup var wait: WaitOption
  @OptionGroup var logOptions: LogOptions

  func run() throws {
    let definition = try pipeline.read()
    let stage = settings.stage(
      of: definition, gates: gates, work: work, wait: wait, log: logOptions)
    try stage.runAlone(definition, waitSeconds: wait.seconds)
  }
}

/// The options of `paidline-reconstruct`, the second stage.
struct ReconstructOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Publish the facts as of this time, such as 2021-08-09T18:26:02Z.",
      discussion: """
        Ignore snapshots and reports after this time; by default, the time of the newest snapshot.
        """,
      valueName: "time"))
  var asOf: InstantArgument?

  @Flag(help: "Rebuild all facts, even if nothing has changed.")
  var fullRefresh = false

  @Option(
    help: ArgumentHelp(
      "Decide this percentage of the unchanged households again, and compare.",
      discussion: "If a result differs, nothing is published, and the run ends with 70.",
      valueName: "percent"))
  var auditSlice: PercentArgument = PercentArgument(hundredths: 100)

  /// Creates the stage `paidline-reconstruct` with all its options.
  func stage(
    of definition: PipelineDefinition, gates: GateOverrides, work: WorkOptions, wait: WaitOption,
    log: LogOptions
  ) -> Stage {
    Stage("paidline-reconstruct") { start throws(RunFailure) in
      try ReconstructStage(
        definition: definition, asOf: asOf?.instant, fullRefresh: fullRefresh,
        auditShare: auditSlice.hundredths, gatePolicy: gates.gatePolicy(definition),
        throttle: gates.throttle(stage: "reconstruct"), workers: work.workers, memory: work.budget,
        waitSeconds: wait.seconds, runStart: start, log: log.logger("paidline-reconstruct")
      ).run()
    }
  }
}

/// `paidline-publish`: writes pages and descriptions from warehouse.db.
struct PublishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-publish",
    abstract:
      "Write the dashboard of a pipeline, and its warehouse's description for other programs.",
    discussion: """
      The third stage of `paidline run`. Writes the files that the pipeline names under report, \
      datasette_metadata and dbt_sources, from what is published; each file is written completely \
      or not at all.

      EXAMPLE
        paidline-publish Pipelines/nightly.yaml

      \(ExitStatusTable.text)
      """,
    version: ProgramVersion.line)

  @OptionGroup var pipeline: PipelineArgument
  @OptionGroup var wait: WaitOption
  @OptionGroup var logOptions: LogOptions

  func run() throws {
    let definition = try pipeline.read()
    try Self.stage(of: definition, log: logOptions)
      .runAlone(definition, waitSeconds: wait.seconds)
  }

  /// Creates the stage `paidline-publish` with all its options.
  static func stage(of definition: PipelineDefinition, log: LogOptions) -> Stage {
    Stage("paidline-publish") { _ throws(RunFailure) in
      try PublishStage(definition: definition, log: log.logger("paidline-publish")).run()
    }
  }
}
