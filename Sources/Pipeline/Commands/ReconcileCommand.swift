internal import Answers
internal import ArgumentParser
internal import Pipeline
internal import PurchaseModel
internal import Warehouse

/// `paidline reconcile`: compares the facts with Apple's reports.
struct ReconcileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Show where and why the facts differ from Apple's reports.",
    discussion: """
      Compares the days whose Sales or Subscriber report was read, and the fiscal months of \
      Finance Detail, by Pacific month, product, storefront and currency, and splits each \
      difference into causes that sum to it. Then come the proceeds, and the months of Apple's \
      fiscal year. Reads only published data, even while a run is \
      writing.

      EXAMPLES
        paidline reconcile shop/pipeline.yaml
        paidline reconcile shop/pipeline.yaml --month 2024-05 --rows
        paidline reconcile shop/pipeline.yaml --app com.example.app --json
        paidline reconcile shop/pipeline.yaml --service revenuecat --rows
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(help: ArgumentHelp("Include only this month, such as 2024-05.", valueName: "month"))
  var month: String?

  @Option(
    help: ArgumentHelp("Include only the products of this app.", valueName: "bundle id"))
  var app: String?

  @Flag(help: "List the rows of the facts for each cause of difference.")
  var rows = false

  @Option(
    help: ArgumentHelp(
      "Compare with the amounts of a hosted service instead: "
        + SubscriptionService.allCases.map(\.name).joined(separator: ", ") + ", or all.",
      valueName: "service"))
  var service: String?

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    if let service, service != "all", SubscriptionService(name: service) == nil {
      throw ValidationError(
        "--service expects one of "
          + SubscriptionService.allCases.map(\.name).joined(separator: ", ") + ", or all.")
    }
    if app != nil, service != nil {
      throw ValidationError("--app is for Apple's reports; a service's export is of one app.")
    }
    guard let month else { return }
    guard month.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])/) != nil else {
      throw ValidationError("--month expects a month such as 2024-05.")
    }
  }

  func run() throws {
    if let service {
      let answer = try ServiceAnswer.read(
        try pipeline.read(), service: service == "all" ? nil : service, month: month)
      return try CheckedOutput.standard.writeLine(
        json ? answer.json(withRows: rows).page : answer.text(withRows: rows))
    }
    let report = try ReconciliationAnswer.read(
      try pipeline.read(), ComparedPart(month: month, app: app), withRows: rows)
    try CheckedOutput.standard.writeLine(json ? report.json.page : report.text)
  }
}
