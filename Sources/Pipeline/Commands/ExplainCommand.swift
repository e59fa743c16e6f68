internal import Answers
internal import Pipeline
internal import StateStore
internal import ArgumentParser
internal import CivilTime
internal import Diagnostics
internal import Warehouse

/// `paidline explain`: explains the amount of a transaction, or lists the rows behind a figure.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show why a transaction has its amount, or which rows are behind a figure.",
    discussion: """
      For a transaction: the receipt fields, every candidate price with file and line, each rule \
      that was tried, the rule that decided, why the others did not, and the amounts that earlier \
      runs published. Any transaction id of the purchase works, and its purchase_key. For a day: its published figures, the purchases \
      behind them, and the money refunded. For a chain: all its purchases in order, its offers and \
      its renewal states. For a customer: subscriptions, purchases and the offers to be had.

      EXAMPLES
        paidline explain Pipelines/sample.yaml 100000831001009
        paidline explain Pipelines/sample.yaml --day 2021-05-08
        paidline explain Pipelines/sample.yaml --day 2021-05-08 --product pro.monthly
        paidline explain Pipelines/sample.yaml --chain 100000831001003
        paidline explain Pipelines/sample.yaml --customer s-trial-then-paid
        paidline explain shop.yaml 100000831001009 --correct 9.99 --reason invoice
      """)

  @Argument(
    help: ArgumentHelp("The pipeline file.", valueName: "pipeline"),
    completion: .file(extensions: ["yaml", "yml"]))
  var first: String?

  @Argument(help: ArgumentHelp("A transaction_id or purchase_key.", valueName: "transaction-id"))
  var second: String?

  /// The pipeline file: the first argument, or the default if the only argument is a transaction
  /// id.
  ///
  /// Examples: `shop.yaml 1000` → `shop.yaml`; `1000` → `pipeline.yaml`.
  private var pipelinePath: String {
    hasLoneTransaction ? PipelineArgument.standard : first ?? PipelineArgument.standard
  }

  private var transactionID: String? { hasLoneTransaction ? first : second }

  private var hasLoneTransaction: Bool {
    guard let first, second == nil, day == nil, chain == nil, customer == nil else { return false }
    return !first.hasSuffix(".yaml") && !first.hasSuffix(".yml")
  }

  @Option(
    help: ArgumentHelp(
      "The rows behind the figures of a day, such as 2021-05-08, UTC.", valueName: "day"))
  var day: DayArgument?

  @Option(
    help: ArgumentHelp("With --day: only the rows of this product.", valueName: "product-id"))
  var product: String?

  @Option(
    help: ArgumentHelp(
      "The purchases of a chain, by its original_transaction_id.", valueName: "id"))
  var chain: String?

  @Option(
    help: ArgumentHelp(
      "The purchases of a customer, by the id in the exports or by customer_key; - reads the id "
        + "from standard input.", valueName: "id"))
  var customer: String?

  @Option(
    help: ArgumentHelp(
      "Explain a transaction as it was known at this time, such as 2021-08-09T18:26:02Z.",
      valueName: "time"))
  var asOf: InstantArgument?

  @Option(
    help: ArgumentHelp(
      "Correct the amount: write a line into the file of inputs.corrections.",
      discussion: "The amount for the whole quantity, tax included; the next run uses it.",
      valueName: "amount"))
  var correct: String?

  @Option(
    help: ArgumentHelp(
      "With --correct: the source of the amount, such as an invoice.", valueName: "text"))
  var reason: String?

  @Option(
    help: ArgumentHelp(
      "With --correct: the currency, if the currency of the purchase is not known.",
      valueName: "currency"))
  var currency: String?

  @Option(
    help: ArgumentHelp(
      "With --correct: the person who states the amount; by default the current user.",
      valueName: "name"))
  var by: String?

  @OptionGroup var work: WorkOptions

  @Flag(help: "Print the explanation as JSON.")
  var json = false

  func validate() throws {
    let named = [transactionID != nil, day != nil, chain != nil, customer != nil]
    guard named.count(where: \.self) == 1 else {
      throw ValidationError("Name one thing: a transaction id, --day, --chain or --customer.")
    }
    guard customer != "" else { throw ValidationError("--customer expects a customer id.") }
    guard correct == nil || (transactionID != nil && reason != nil && asOf == nil) else {
      throw ValidationError(
        "--correct needs a transaction id and --reason, and cannot be combined with --as-of.")
    }
    guard correct != nil || (reason == nil && currency == nil && by == nil) else {
      throw ValidationError("--reason, --currency and --by need --correct.")
    }
    guard product == nil || day != nil else { throw ValidationError("--product needs --day.") }
    guard asOf == nil || transactionID != nil else {
      throw ValidationError(
        "--as-of needs a transaction id: days, chains and customers are shown as published.")
    }
  }

  func run() throws {
    let definition = try PipelineArgument.read(pipelinePath)
    if let day {
      let explanation = try DayExplanation.read(definition, day: day.day, product: product)
      return try write(explanation.text, explanation.json)
    }
    if let chain {
      let explanation = try ChainExplanation.read(definition, chain: chain)
      return try write(explanation.text, explanation.json)
    }
    if let customer {
      let id = customer == "-" ? try Self.customerFromInput() : customer
      let explanation = try CustomerExplanation.read(definition, customer: id)
      return try write(explanation.text, explanation.json)
    }
    guard var transactionID else { return }
    if correct != nil { try CorrectionsFile.create(definition) }
    let state = try StateDatabase.openToRead(path: definition.statePath)
    let settings = try ReconstructSettings.read(definition, asOf: asOf?.instant)
    func find(_ id: String) throws(RunFailure) -> ExplainedPurchase? {
      try ExplainedPurchase.find(
        id, state, settings: settings, warehousePath: definition.warehousePath,
        memory: work.answerMemory(beside: definition.statePath), workers: work.workers)
    }
    var found = try find(transactionID)
    if found == nil, let id = try Self.transaction(ofKey: transactionID, definition) {
      transactionID = id
      found = try find(id)
    }
    guard let found else {
      throw RunFailure(
        .inputMissing,
        "transaction \(OneLine.text(transactionID)) occurs in no file that was read"
          + (settings.asOf.map { ", as it was known at \($0.text)" } ?? "")
          + "; check the id, or run the pipeline if its export is new")
    }
    if let correct {
      let given = GivenCorrection(
        transactionID: transactionID, amount: correct, currency: currency, reason: reason ?? "",
        by: by)
      return try CheckedOutput.standard.writeLine(
        given.write(definition, for: found, settings: settings))
    }
    let explanation = try Explanation.of(
      transactionID, found, settings: settings, cataloguePaths: definition.cataloguePaths,
      history: AmountHistory.read(definition, transaction: transactionID))
    try write(explanation.text, explanation.json)
  }

  /// Reads a customer id from the first line of standard input, where other users cannot see it.
  private static func customerFromInput() throws(RunFailure) -> String {
    guard let line = readLine(), !line.isEmpty else {
      throw RunFailure(.usage, "standard input: expected a customer id on the first line")
    }
    return line
  }

  /// Finds the transaction id of a published purchase by its `purchase_key`.
  ///
  /// - Returns: The id; `nil` if the text is not the key of a published purchase.
  private static func transaction(ofKey text: String, _ definition: PipelineDefinition)
    throws(RunFailure) -> String?
  {
    guard let key = Int64(text),
      try WarehouseDatabase(path: definition.warehousePath).exists()
    else { return nil }
    return try PublishedWarehouse(definition).read {
      try PublishedPurchase.transaction(ofKey: key, on: $0)
    }
  }

  private func write(_ text: String, _ object: JSONText) throws {
    try CheckedOutput.standard.writeLine(json ? object.page : text)
  }
}
