internal import Answers
internal import ArgumentParser
internal import Pipeline

/// `paidline backtest`: reports the accuracy of the rules on rows with a signed price.
struct BacktestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtest",
    abstract: "Show how often the rules are right where Apple signed the price.",
    discussion: """
      For every purchase with a signed price, the last run also decided the amount with all \
      signed prices hidden. Reads only the published comparison, even while a run is writing.

      EXAMPLES
        paidline backtest shop/pipeline.yaml
        paidline backtest shop/pipeline.yaml --rows
        paidline backtest shop/pipeline.yaml --json
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Flag(help: "List the rows that the rules get wrong.")
  var rows = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  func run() throws {
    let report = try BacktestAnswer.read(try pipeline.read())
    try CheckedOutput.standard.writeLine(
      json ? report.json(withRows: rows).page : report.text(withRows: rows))
  }
}
