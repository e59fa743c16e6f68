internal import Answers
internal import ArgumentParser
internal import Pipeline

/// `paidline backtest`: reports the accuracy of the rules on rows with a signed price.
struct BacktestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtest",
    abstract: "Show how often the rules are right where Apple signed the price.",
    discussion: """
      Decides the amount of every purchase with a signed price again, with all signed prices \
      hidden, and replaces the table audit_backtest of the warehouse. Nothing else changes.

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

  @OptionGroup var work: WorkOptions
  @OptionGroup var wait: WaitOption
  @OptionGroup var logOptions: LogOptions

  func run() throws {
    let definition = try pipeline.read()
    try BacktestStage(
      definition, workers: work.workers, memory: work.budget, waitSeconds: wait.seconds,
      log: logOptions.logger("paidline")
    ).run()
    let report = try BacktestAnswer.read(definition)
    try CheckedOutput.standard.writeLine(
      json ? report.json(withRows: rows).page : report.text(withRows: rows))
  }
}
