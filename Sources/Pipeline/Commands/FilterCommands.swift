internal import ArgumentParser
internal import Diagnostics
internal import Glibc
internal import Pipeline
internal import Warehouse

// The steps of a run as filters: rows on standard input to rows on standard output. They keep
// nothing, open no database and take no lock. So a cluster may run them as often and on as many
// machines as it likes.

/// `paidline-ingest files` and `gather`.
struct IngestFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-ingest",
    abstract: "The first step as filters, for clusters: Docs/cluster.md.",
    version: ProgramVersion.line, subcommands: [FilesCommand.self, GatherCommand.self])
}

/// `paidline-reconstruct merge`, `join`, `place`, `learn`, `decide` and the filters around them.
struct ReconstructFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-reconstruct",
    abstract: "The later steps as filters, for clusters: Docs/cluster.md.",
    version: ProgramVersion.line,
    subcommands: [
      MergeCommand.self, JoinCommand.self, PlaceCommand.self, LearnCommand.self,
      BookCommand.self, CountCommand.self, DecideCommand.self, ReconcileFilterCommand.self,
      JudgeCommand.self, SumCommand.self, SchemaCommand.self,
    ])
}

/// Names the exports of a pipeline.
struct FilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "Names the exports that a pipeline's patterns match, for `gather`.")

  @OptionGroup var pipeline: PipelineArgument

  func run() throws { try GatherFilter(definition: try pipeline.read()).list() }
}

/// The first step.
struct GatherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gather",
    abstract: "Reads rows of `files`, and writes what each file says, by chain.")

  @OptionGroup var pipeline: PipelineArgument

  func run() throws {
    try FilterWork.run("paidline-ingest gather") { () throws(RunFailure) in
      try GatherFilter(definition: try pipeline.read()).run()
    }
  }
}

/// The pipeline and the as-of moment of a filter.
struct FilterOptions: ParsableArguments {
  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "Leave out what is later, and tell statuses for this moment; the newest snapshot if not "
        + "given.", valueName: "time"))
  var asOf: InstantArgument?

  func settings() throws(RunFailure) -> ReconstructSettings {
    try ReconstructSettings.read(try pipeline.read(), asOf: asOf?.instant)
  }
}

/// The side file that every filter after `gather` but `join` reads.
struct FilesOption: ParsableArguments {
  @Option(help: ArgumentHelp("The rows `file` of all gathered exports.", valueName: "path"))
  var files: String

  func read() throws(RunFailure) -> FilterFiles { try FilterFiles(path: files) }
}

/// The second step.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Reads rows `part` in order, and writes what joining needs of each chain.")

  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  func run() throws {
    try FilterWork.run("paidline-reconstruct merge") { () throws(RunFailure) in
      try MergeFilter(settings: try options.settings(), files: try files.read()).run()
    }
  }
}

/// The join between merging and placing.
struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Reads what `merge` wrote, reports and lone records, and finds the households.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try FilterWork.run("paidline-reconstruct join") { () throws(RunFailure) in
      try JoinFilter(settings: try options.settings()).run()
    }
  }
}

/// The files that filters of whole households read beside the rows.
struct HouseholdFiles: ParsableArguments {
  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  @Option(help: ArgumentHelp("The rows `group`, `kind` and `term` of `merge`.", valueName: "path"))
  var products: String

  @Option(help: ArgumentHelp("The rows `nobody` and `winner` of `join`.", valueName: "path"))
  var joined: String
}

/// The files that deciding reads beside the rows.
struct DecidingFiles: ParsableArguments {
  @OptionGroup var households: HouseholdFiles

  @Option(
    help: ArgumentHelp(
      "The price book: the rows `apart`, `currency`, `interval`, `market` and `prices` of `learn`.",
      valueName: "path"))
  var priceBook: String

  /// The filter with its files, and what else it reads may need.
  func filter() throws(RunFailure) -> (
    filter: DecideFilter, settings: ReconstructSettings, files: FilterFiles
  ) {
    let (settings, files) = (try households.options.settings(), try households.files.read())
    let filter = DecideFilter(
      settings: settings, files: files, products: try ProductRows(path: households.products),
      prices: try PriceBookRows(path: priceBook), joined: try JoinedSide(path: households.joined))
    return (filter, settings, files)
  }
}

/// The join between merging and learning.
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Reads whole households, and writes where and when each report counts.")

  @OptionGroup var side: HouseholdFiles

  func run() throws {
    try FilterWork.run("paidline-reconstruct place") { () throws(RunFailure) in
      try PlaceFilter(
        settings: try side.options.settings(), files: try side.files.read(),
        products: try ProductRows(path: side.products), joined: try JoinedSide(path: side.joined)
      ).run()
    }
  }
}

/// The third step.
struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Reads all placed reports, and writes the price book and a judgement on each.")

  @OptionGroup var options: FilterOptions
  @OptionGroup var issues: IssuesOption

  @Option(help: ArgumentHelp("The rows `group`, `kind` and `term` of `merge`.", valueName: "path"))
  var products: String

  func run() throws {
    try FilterWork.run("paidline-reconstruct learn") { () throws(RunFailure) in
      let (definition, settings) = (try options.pipeline.read(), try options.settings())
      try LearnFilter(
        settings: settings, products: try ProductRows(path: products),
        workers: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
      ).run(completeAfterDays: definition.gates.completeAfterDays) { (files) throws(RunFailure) in
        try issues.read(definition, settings, files)
      }
    }
  }
}

/// The fourth step.
struct DecideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Reads whole households, and writes the rows of their facts and a digest.")

  @OptionGroup var side: DecidingFiles
  @OptionGroup var issues: IssuesOption

  @Option(
    help: ArgumentHelp(
      "The rows `cell` of `book` and `counted` of `count`, where there are Apple's reports.",
      valueName: "path"))
  var cells: String?

  func run() throws {
    try FilterWork.run("paidline-reconstruct decide") { () throws(RunFailure) in
      let (filter, settings, files) = try side.filter()
      let issues = try issues.read(try side.households.options.pipeline.read(), settings, files)
      let counted = try cells.map(CellRows.init)
      if counted == nil, issues?.isEmpty == false {
        throw RunFailure(
          .usage, "expected --cells, as Apple's reports prove amounts: the rows of book and count")
      }
      try filter.decide(issues, counted)
    }
  }
}

/// The gates.
struct JudgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge",
    abstract: "Asks the gates of the pipeline about the exports and the sums of the facts.")

  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  @Option(
    help: ArgumentHelp(
      "Go on although these gates would stop the job, such as rejected_share.",
      valueName: "gate,gate"))
  var accept: GateList?

  func run() throws {
    try FilterWork.run("paidline-reconstruct judge") { () throws(RunFailure) in
      let definition = try options.pipeline.read()
      try JudgeFilter(
        definition: definition, settings: try options.settings(), files: try files.read(),
        bench: GateBench(rules: definition.gates, accepted: accept?.gates ?? [])
      ).run()
    }
  }
}

/// The end of a job.
struct SumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sum",
    abstract: "Reads all rows of `learn` and `decide`, and writes their digest and their counts.")

  func run() throws {
    try FilterWork.run("paidline-reconstruct sum") { () throws(RunFailure) in
      try SumFilter.run()
    }
  }
}

/// The layout of the facts, and the data tests on them.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Names the columns of all tables, what they mean, and the data tests.")

  func run() throws {
    let output = FilterOutput(["column", "meta", "test"])
    for (table, columns) in try WarehouseLayout.columns().sorted(by: { $0.key < $1.key }) {
      for column in columns {
        try output.row(
          "column", .word(table), .word(column.name), .word(column.isText ? "text" : "number"),
          .flag(column.isKey))
      }
    }
    for row in try WarehouseLayout.descriptions(of: RuleDescription.all) {
      try output.row("meta", .word(row.table), .text(Array(row.json.utf8)))
    }
    for test in DataTest.all {
      try output.row(
        "test", .word(test.name), .word(test.severity.rawValue),
        .text(Array(test.meaning.utf8)), .text(Array(test.sql.utf8)))
    }
    try output.finish()
  }
}
