internal import Answers
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline eligibility`: lists the offers that an app may show a customer.
struct EligibilityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eligibility",
    abstract: "Show which introductory and promotional offers a customer may have.",
    discussion: """
      Reads only the published facts, even while a run is writing, and prints their as-of time. A \
      customer without a published purchase is unknown, which does not mean eligible. Ids from \
      standard input are not visible to other users of the machine; each answer begins with the \
      customer's key, and is one line with --json. During a \
      billing grace period, the eligibility for an introductory offer is not decided.

      EXAMPLES
        paidline eligibility Pipelines/sample.yaml --customer s-trial-then-paid
        paidline eligibility Pipelines/sample.yaml --customer s-trial-then-paid \\
          --product pro.monthly --product news.basic --json
        paidline eligibility Pipelines/sample.yaml --customer - --json < ids.txt
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "The customer id, as the exports have it; - reads ids from standard input, one per line.",
      valueName: "id"))
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
    let definition = try pipeline.read()
    guard customer == "-" else {
      let report = try EligibilityAnswer.read(definition, customer: customer, products: product)
      return try CheckedOutput.standard.writeLine(json ? report.json.page : report.text)
    }
    var customers: [String] = []
    try ListFile.read("-", what: "the list of customer ids") { number, line throws(RunFailure) in
      guard let id = String(validating: line, as: UTF8.self) else {
        throw RunFailure(.dataRefused, "standard input:\(number): not UTF-8 text")
      }
      if !id.isEmpty { customers.append(id) }
    }
    for id in customers {
      let report = try EligibilityAnswer.read(definition, customer: id, products: product)
      try CheckedOutput.standard.writeLine(
        json ? report.json.line : "Customer \(report.customerKey)\n\(report.text)")
    }
  }
}
