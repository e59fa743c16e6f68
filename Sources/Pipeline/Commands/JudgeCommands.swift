internal import ArgumentParser
internal import Diagnostics
internal import Pipeline
internal import Warehouse

struct JudgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge",
    abstract: "Check the exports and the sums of the facts with the gates of the pipeline.")

  @OptionGroup var options: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Continue even if these gates would stop the job, such as rejected_share.",
      valueName: "gate,gate"))
  var accept: GateList?

  func run() throws {
    try options.run("judge") { (context) throws(RunFailure) in
      try JudgeFilter(context, accepted: accept?.gates ?? []).run()
    }
  }
}

/// `paidline-reconstruct sum`: computes the digest and the number of rows of all facts.
///
/// It runs at the end of a cluster's job.
struct SumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sum",
    abstract: "Read all rows of `learn` and `decide`; write their digest and their counts.")

  func run() throws {
    try FilterWork.run("paidline-reconstruct sum") { () throws(RunFailure) in
      try SumFilter.run()
    }
  }
}

/// `paidline-reconstruct schema`: writes the layout of the facts, their views, and the data tests.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "List the columns of all tables with their meanings, the views, and the data tests.")

  func run() throws {
    let output = FilterOutput(["column", "meta", "test", "view"])
    for (table, columns) in try WarehouseLayout.columns().sorted(by: { $0.key < $1.key }) {
      for column in columns {
        try output.row(
          "column", .word(table), .word(column.name), .word(column.isText ? "text" : "number"),
          .flag(column.isKey))
      }
    }
    for row in try WarehouseLayout.descriptions() {
      try output.row("meta", .word(row.table), .text(Array(row.json.utf8)))
    }
    for test in DataTest.all {
      try output.row(
        "test", .word(test.name), .word(test.severity.rawValue),
        .text(Array(test.meaning.utf8)), .text(Array(test.sql.utf8)))
    }
    for view in try WarehouseLayout.views() {
      try output.row("view", .word(view.name), .text(Array(view.sql.utf8)))
    }
    try output.finish()
  }
}
