internal import ArgumentParser
internal import Diagnostics
internal import Warehouse

/// `paidline explain`: why a transaction has its amount.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why a transaction has its amount, with file and line of the evidence.",
    discussion: """
      Shows the receipt fields seen, every candidate price, each rule that was tried, the one that \
      decided, and why the others did not. Any transaction id ever seen for the purchase will do.

      EXAMPLES
        paidline explain Pipelines/sample.yaml 1000000831360853
        paidline explain Pipelines/sample.yaml 1000000831360853 --json
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Argument(help: ArgumentHelp("A transaction_id.", valueName: "transaction-id"))
  var transactionID: String

  @Option(
    help: ArgumentHelp(
      "Explain it as it was known at a moment, such as 2021-08-09T18:26:02Z.", valueName: "time"))
  var asOf: InstantArgument?

  @Flag(help: "Print the explanation as JSON.")
  var json = false

  func run() throws {
    let definition = try pipeline.read()
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let settings = try ReconstructSettings.read(definition, asOf: asOf?.instant)
    let explanation = try Explanation.of(
      transactionID, facts: try Reconstruction.of(state, settings: settings), settings: settings,
      cataloguePath: definition.cataloguePath)
    try CheckedOutput.standard.writeLine(json ? explanation.json.page : explanation.text)
  }
}
