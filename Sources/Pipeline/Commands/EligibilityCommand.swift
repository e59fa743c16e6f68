internal import Answers
internal import ArgumentParser
internal import Pipeline

/// `paidline eligibility`: lists the offers that an app may show a customer.
struct EligibilityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eligibility",
    abstract: "Show which introductory and promotional offers a customer may have.",
    discussion: """
      Reads only the published facts, even while a run is writing, and prints their as-of time. A \
      customer without a published purchase is unknown, which does not mean eligible. During a \
      billing grace period, the eligibility for an introductory offer is not decided.

      EXAMPLES
        paidline eligibility Pipelines/sample.yaml --customer s-trial-then-paid
        paidline eligibility Pipelines/sample.yaml --customer s-trial-then-paid \\
          --product pro.monthly --product news.basic --json
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(help: ArgumentHelp("The customer id, as the exports have it.", valueName: "id"))
  var customer: String

  @Option(
    help: ArgumentHelp(
      "A product to check; may be given several times.",
      discussion: "Every group of the customer's subscriptions if not given.", valueName: "id"))
  var product: [String] = []

  @Flag(help: "Print the answers as JSON.")
  var json = false

  func validate() throws {
    guard !customer.isEmpty else { throw ValidationError("--customer expects a customer id.") }
  }

  func run() throws {
    let report = try EligibilityAnswer.read(
      try pipeline.read(), customer: customer, products: product)
    try CheckedOutput.standard.writeLine(json ? report.json.page : report.text)
  }
}
