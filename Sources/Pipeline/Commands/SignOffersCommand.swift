internal import Answers
internal import AppStoreClient
internal import ArgumentParser
internal import Diagnostics
internal import Logging
internal import Pipeline
internal import TemporaryFiles
internal import Warehouse

/// `paidline sign-offers`: signs promotional offers for customers who are eligible.
struct SignOffersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-offers",
    abstract: "Sign promotional offers for the customers who may have them.",
    discussion: """
      Reads offers from a list, one JSON object per line with customer_id, product_id and \
      offer_id, or from a query over the warehouse that returns customer_key, product_id and \
      offer_id. Writes one line per offer: the signatures if the customer may have the offer, \
      else the reason. Signs with the key of the section `fetch`. A signature is valid for 24 \
      hours, so sign every night for the campaign of the coming day.

      EXAMPLES
        paidline sign-offers shop/pipeline.yaml \\
          --list campaign.ndjson --output signed.ndjson
        paidline sign-offers shop/pipeline.yaml --form jws --query "
          SELECT customer_key, 'pro.monthly' AS product_id, 'win50' AS offer_id
          FROM dim_offer_eligibility WHERE subscription_group_id = '20611001'"
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(
    help: ArgumentHelp(
      "A list of offers, gzip or plain; - for standard input.",
      discussion: "Its keys: customer_id or customer_key, product_id, offer_id; where you have "
        + "them, app_account_token and transaction_id.", valueName: "file"),
    completion: .file())
  var list: String?

  @Option(
    help: ArgumentHelp(
      "A SELECT over the warehouse; its columns are named like the keys of --list.",
      valueName: "sql"))
  var query: String?

  @Option(help: "Which signatures to write: signature, jws or both.")
  var form: OfferLineWriter.Form = .both

  @Option(
    help: ArgumentHelp(
      "Write the lines to a file that only you may read.",
      discussion: "To standard output if not given.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var logOptions: LogOptions

  func validate() throws {
    guard (list == nil) != (query == nil) else {
      throw ValidationError("give one of --list and --query.")
    }
  }

  func run() throws {
    let definition = try pipeline.read()
    guard let settings = definition.fetching else { throw FetchSettings.withoutKey(definition) }
    let server = try settings.server(of: definition)
    var lineWriter = OfferLineWriter(
      key: try ServerKey.read(server.key), bundleID: server.bundleID, form: form,
      time: SystemClock.now, customerKey: try CustomerKey.read(definition))
    let listed = try list.map { (path) throws(RunFailure) in try OfferList.read(path) }
    let lines = try PublishedWarehouse(definition).read { db in
      let offers = try listed ?? OfferQuery.read(query ?? "", on: db)
      let hashes = try offers.map { try lineWriter.hash($0.customer) }
      let published = try PublishedOffers(
        of: Set(hashes), bundleID: server.bundleID, on: db)
      return try zip(offers, hashes).map { try lineWriter.line($0, hash: $1, published: published) }
    }
    try write(lines.map { $0 + "\n" }.joined())
    logOptions.logger("paidline").notice("\(lineWriter.text)")
  }

  private func write(_ text: String) throws(RunFailure) {
    guard let output else { return try CheckedOutput.standard.write(text) }
    let file = try NewFile(output, .list)
    try file.write(Array(text.utf8))
    try file.publish()
  }
}

extension OfferLineWriter.Form: ExpressibleByArgument {}
