internal import Answers
internal import Pipeline
internal import StateStore
internal import ArgumentParser
internal import Diagnostics

/// `paidline compare-policies`: reports the amounts under each renewal policy.
struct ComparePoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-policies",
    abstract: "Show the revenue by renewal policy, month and product.",
    discussion: """
      Decides all amounts three times, by history, as_purchased and as_current (renewal_prices of \
      the pipeline), and shows where the sums differ, for comparison with revenue figures from \
      elsewhere. Nothing is written.

      EXAMPLES
        paidline compare-policies Pipelines/sample.yaml
        paidline compare-policies Pipelines/sample.yaml --product pro.monthly --rows
        paidline compare-policies Pipelines/sample.yaml --rows --json
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(help: ArgumentHelp("Only this product.", valueName: "product-id"))
  var product: String?

  @Flag(help: "Show the rows behind the differences too.")
  var rows = false

  @Option(
    help: ArgumentHelp(
      "Compare only what was known at this time, such as 2021-08-09T18:26:02Z.", valueName: "time"))
  var asOf: InstantArgument?

  @OptionGroup var work: WorkOptions

  @Flag(help: "Print the comparison as JSON.")
  var json = false

  func run() throws {
    let definition = try pipeline.read()
    let memory = work.answerMemory(beside: definition.statePath)
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let settings = try ReconstructSettings.read(definition, asOf: asOf?.instant)
    let all = try PreparedRun.ofAllKeys(
      state, settings: settings, warehousePath: definition.warehousePath, memory: memory,
      workers: work.workers)
    let comparison = try PolicyComparison.of(
      all, policy: definition.renewalPolicy, product: product)
    guard product == nil || !comparison.groups.isEmpty else {
      throw RunFailure(
        .inputMissing,
        "there is no purchase of product \"\(OneLine.text(product ?? ""))\"; the table dim_product "
          + "lists the products")
    }
    try CheckedOutput.standard.writeLine(
      json ? comparison.json(withRows: rows).page : comparison.text(withRows: rows))
  }
}
