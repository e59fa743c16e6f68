internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

// The filters for pipelines with Apple's reports.

/// `paidline-reconstruct book`: selects the lines of Apple's reports.
///
/// Lines that may prove an amount or are compared with the facts are written; others are left out.
struct BookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "book",
    abstract:
      "Read the rows `sale`, the lines of Apple's reports; write the used lines and their totals.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("book") { (context) throws(RunFailure) in try BookFilter(context).run() }
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

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("count") { (context) throws(RunFailure) in try DecideFilter(context).count() }
  }
}

/// `paidline-reconstruct reconcile`: compares the facts with Apple's reports, product by product.
struct ReconcileFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract:
      "Compare the lines from `book` with the charges and refunds from `decide`.")

  @OptionGroup var options: FilterOptions

  func run() throws {
    try options.run("reconcile") { (context) throws(RunFailure) in
      try ReconcileFilter(context).run()
    }
  }
}
