internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

// The steps of a run as filters, from rows on standard input to rows on standard output. They store
// nothing, open no database and use no lock. So a cluster can run them on any number of machines,
// and repeat them.

/// The filters `paidline-ingest files` and `gather`.
struct IngestFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-ingest",
    abstract:
      "Read exports on a cluster, with filters (standard input to output): Docs/cluster.md.",
    version: ProgramVersion.line, subcommands: [FilesCommand.self, GatherCommand.self])
}

/// The filters `paidline-reconstruct merge`, `join`, `place`, `learn`, `decide` and others.
struct ReconstructFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paidline-reconstruct",
    abstract:
      "Decide amounts on a cluster, with filters (standard input to output): Docs/cluster.md.",
    version: ProgramVersion.line,
    subcommands: [
      StepCommand<MergeFilter>.self, StepCommand<JoinFilter>.self, StepCommand<PlaceFilter>.self,
      StepCommand<LearnFilter>.self, StepCommand<BookFilter>.self, StepCommand<CountFilter>.self,
      StepCommand<DecideFilter>.self, StepCommand<ReconcileFilter>.self, JudgeCommand.self,
      SumCommand.self, SchemaCommand.self,
    ])
}

/// `paidline-ingest files`: lists the exports of a pipeline.
struct FilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "List the exports that a pipeline's patterns match, for `gather`.")

  @OptionGroup var pipeline: PipelineArgument

  func run() throws { try GatherFilter(definition: try pipeline.read()).list() }
}

/// `paidline-ingest gather`: reads the content of exports, as a filter.
struct GatherCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gather",
    abstract: "Read rows of `files`, and write the content of each file, by chain.")

  @OptionGroup var pipeline: PipelineArgument

  func run() throws {
    try FilterWork.run("paidline-ingest gather") { () throws(RunFailure) in
      try GatherFilter(definition: try pipeline.read()).run()
    }
  }
}
