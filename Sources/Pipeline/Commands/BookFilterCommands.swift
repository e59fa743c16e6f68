internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

// The filters for pipelines with Apple's reports.

/// The option `--issues`, which a filter requires only if the pipeline has Apple's reports.
struct IssuesOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the rows `issue` and `number` that `gather` wrote for all exports; required "
        + "if the pipeline has Apple's reports.",
      valueName: "path"))
  var issues: String?

  /// Reads the file that `--issues` names; returns `nil` if the pipeline has no Apple reports.
  func read(
    _ definition: PipelineDefinition, _ settings: ReconstructSettings, _ files: FilterFiles
  ) throws(RunFailure) -> AppleIssues? {
    guard let issues else {
      guard definition.reportPatterns.isEmpty else {
        throw RunFailure(
          .usage,
          "expected --issues, because \(OneLine.text(definition.path)) has inputs.apple_reports: "
            + "name a file with the rows `issue` and `number` that paidline-ingest gather wrote"
        )
      }
      return nil
    }
    return try AppleIssues(path: issues, files, settings)
  }
}

/// The options of the two filters that read lines of Apple's reports.
struct BookFiles: ParsableArguments {
  @OptionGroup var options: FilterOptions
  @OptionGroup var files: FilesOption

  @Option(
    help: ArgumentHelp(
      "A file with the rows `issue` and `number` that `gather` wrote for all exports.",
      valueName: "path"))
  var issues: String

  func read() throws(RunFailure) -> (
    files: FilterFiles, issues: AppleIssues, settings: ReconstructSettings
  ) {
    let (files, settings) = (try files.read(), try options.settings())
    return (files, try AppleIssues(path: issues, files, settings), settings)
  }
}

/// `paidline-reconstruct book`: selects the lines of Apple's reports.
///
/// Lines that may prove an amount or are compared with the facts are written; others are left out.
struct BookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "book",
    abstract:
      "Read the rows `sale`, the lines of Apple's reports; write the used lines and their totals.")

  @OptionGroup var side: BookFiles

  func run() throws {
    try FilterWork.run("paidline-reconstruct book") { () throws(RunFailure) in
      let (files, issues, settings) = try side.read()
      try BookFilter(files: files, issues: issues, settings: settings).run()
    }
  }
}

/// `paidline-reconstruct count`: counts the units of the purchases in each cell of Apple's reports.
///
/// The filter decides all amounts without Apple's reports, and adds up the units of the purchases.
/// Later the filter `decide` compares these units with Apple's units: if the purchases have more
/// units near the day of a cell, the cell proves no amount.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Read households, and count their rows for each cell of Apple's reports.")

  @OptionGroup var side: DecidingFiles

  func run() throws {
    try FilterWork.run("paidline-reconstruct count") { () throws(RunFailure) in
      try side.filter().filter.count()
    }
  }
}

/// `paidline-reconstruct reconcile`: compares the facts with Apple's reports, product by product.
struct ReconcileFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract:
      "Compare the lines from `book` with the charges and refunds from `decide`.")

  @OptionGroup var side: BookFiles

  @Option(
    help: ArgumentHelp(
      "A file with the rows `group`, `kind` and `term` that `merge` wrote.", valueName: "path"))
  var products: String

  func run() throws {
    try FilterWork.run("paidline-reconstruct reconcile") { () throws(RunFailure) in
      let (_, issues, settings) = try side.read()
      try ReconcileFilter(
        issues: issues, products: try ProductRows(path: products), settings: settings
      ).run()
    }
  }
}
