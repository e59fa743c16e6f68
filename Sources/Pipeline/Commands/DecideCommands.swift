internal import ArgumentParser
internal import Diagnostics
internal import Glibc
internal import Pipeline

/// `paidline-reconstruct learn`: learns prices and verdicts from all placed reports, as a filter.
struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract:
      "Read the rows `file` and what `place` wrote; write the price book and a verdict on each report."
  )

  @OptionGroup var options: FilterOptions
  @OptionGroup var issues: IssuesOption

  @Option(
    help: ArgumentHelp(
      "A file with the rows `group`, `kind` and `term` that `merge` wrote.", valueName: "path"))
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

/// `paidline-reconstruct decide`: computes the facts of households, as a filter.
struct DecideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Read households, and write the rows of their facts and a digest.")

  @OptionGroup var side: DecidingFiles
  @OptionGroup var issues: IssuesOption

  @Option(
    help: ArgumentHelp(
      "A file with the rows `cell` that `book` wrote and `counted` that `count` wrote; required "
        + "if the pipeline has Apple's reports.",
      valueName: "path"))
  var cells: String?

  func run() throws {
    try FilterWork.run("paidline-reconstruct decide") { () throws(RunFailure) in
      let (filter, settings, files) = try side.filter()
      let issues = try issues.read(try side.households.options.pipeline.read(), settings, files)
      let counted = try cells.map(CellRows.init)
      if counted == nil, issues?.isEmpty == false {
        throw RunFailure(
          .usage,
          "expected --cells, because Apple's reports prove amounts: name a file with the rows "
            + "`cell` that paidline-reconstruct book wrote and the rows `counted` that "
            + "paidline-reconstruct count wrote")
      }
      try filter.decide(issues, counted)
    }
  }
}
