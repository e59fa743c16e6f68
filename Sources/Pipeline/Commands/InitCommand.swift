internal import ArgumentParser
internal import Diagnostics
internal import Pipeline
internal import SystemPackage

/// `paidline init`: creates a pipeline file and a catalogue to start with.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a commented pipeline and catalogue into a folder.",
    discussion: """
      Creates the folder if it is missing. Never overwrites a file. With --from it examines some \
      exports, prints the kind of each, and writes a pipeline that reads them.

      EXAMPLE
        paidline init shop && paidline run shop/pipeline.yaml
        paidline init shop --from exports
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory)
  var folder: String

  @Option(
    name: .customLong("from"), parsing: .upToNextOption,
    help: ArgumentHelp("Exports to read, or folders of them.", valueName: "file"),
    completion: .file())
  var exports: [String] = []

  func run() throws {
    var pipeline = PipelineTemplate.pipeline
    if !exports.isEmpty { pipeline = try pipelineReading(exports) }
    try OutputFolder.create(folder)
    let path = FilePaths.join(folder, "pipeline.yaml")
    try create(path, Array(pipeline.utf8))
    try create(FilePaths.join(folder, "catalog.yaml"), Array(PipelineTemplate.catalogue.utf8))
    let hasKey = PathStatus.exists(FilePaths.join(folder, PipelineTemplate.keyFile))
    if !hasKey { try createKey() }
    let wrote =
      "Wrote \(OneLine.text(path)), \(OneLine.text(FilePaths.join(folder, "catalog.yaml")))"
      + (hasKey
        ? "; kept \(OneLine.text(FilePaths.join(folder, PipelineTemplate.keyFile)))."
        : " and \(OneLine.text(FilePaths.join(folder, PipelineTemplate.keyFile))), the secret for "
          + "keyed hashes of customer ids.")
    guard exports.isEmpty else {
      return try CheckedOutput.standard.writeLine(
        "\(wrote) Check how records are read: paidline check --inputs \(OneLine.text(path))")
    }
    try CheckedOutput.standard.writeLine(
      """
      \(wrote)
      Put exports where the patterns of the pipeline find them, or change the patterns, then: \
      paidline run \(OneLine.text(path))
      """)
  }

  /// Creates the key with which customer ids are hashed: 32 random bytes.
  ///
  /// A key that exists is kept, because another key gives every customer another hash.
  private func createKey() throws(RunFailure) {
    try create(
      FilePaths.join(folder, PipelineTemplate.keyFile), RandomKey.bytes(),
      permissions: [.ownerReadWrite])
  }

  /// Returns the text of a pipeline file that reads the exports of `--from`.
  ///
  /// Prints the kind of each export.
  private func pipelineReading(_ exports: [String]) throws(RunFailure) -> String {
    let found = try RecognizedInputs.of(exports)
    for input in found { try CheckedOutput.standard.writeLine(input.line) }
    guard found.contains(where: { ["receipts", "signed", "exports"].contains($0.section ?? "") })
    else {
      let isWebhook = found.contains { $0.settings.contains("_webhook") }
      throw RunFailure(
        .dataRefused,
        "none of the files holds receipts, signed transactions, or the export of a service; every "
          + "pipeline needs one of them, so nothing was written"
          + (isWebhook
            ? "; webhooks of RevenueCat and Adapty have prices only: add the service's own export "
              + "(RevenueCat's scheduled data export of transactions, Adapty's export to S3)" : ""))
    }
    let lines = RecognizedInput.inputLines(found, folder: folder)
    return PipelineTemplate.pipeline.replacing(
      PipelineTemplate.receiptLine, with: lines.joined(separator: "\n"))
  }

  private func create(
    _ path: String, _ bytes: [UInt8],
    permissions: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherRead]
  ) throws(RunFailure) {
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: permissions)
      try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
    } catch Errno.fileExists {
      throw RunFailure(
        .cannotCreate, "\(OneLine.text(path)) exists; choose another folder or remove it")
    } catch let error as Errno {
      throw .system(error, "creating \(path)", isOutput: true)
    } catch {
      throw RunFailure(.cannotCreate, "creating \(OneLine.text(path)): \(error)")
    }
  }
}

/// The files that `paidline init` writes.
enum PipelineTemplate {
  /// The line of the template with the input patterns.
  ///
  /// If `--from` is given, the patterns of its exports replace the line.
  static let receiptLine = #"  receipts: ["exports/receipts/receipts-{date}.ndjson.gz"]"#

  /// The name of the file with the key for hashes of customer ids.
  static let keyFile = "customer.key"

  static let pipeline = """
    # A pipeline: inputs, outputs and settings. Relative paths are relative to this file.
    # Run it every night:  paidline run pipeline.yaml

    # The private working database: raw customer ids and every row read. It can be rebuilt from the
    # exports as long as they are kept.
    state: var/state.db

    # The database for analysts: facts and dimensions, without raw customer ids.
    warehouse: var/warehouse.db

    inputs:
      # Receipt exports, one verifyReceipt response or record around it per line. Files named .gz
      # are gzip; for plain files, leave out .gz. * and ? match within one name, a folder ** any
      # folders; {date} is a day as YYYY-MM-DD or YYYYMMDD, and {yyyy}/{mm}/{dd} a day in folders.
      receipts: ["exports/receipts/receipts-{date}.ndjson.gz"]
      # Price reports: prices that StoreKit showed, as the app sent them.
      # prices: ["exports/prices/prices-{date}.ndjson.gz"]
      # Apple's signed transactions, as paidline-fetch, notifications and StoreKit 2 give them.
      # signed: ["exports/signed/*.ndjson.gz"]
      # Apple's Sales, Subscriber and Finance Detail reports, which prove amounts: Docs/books.md.
      # apple_reports: ["exports/apple/*-{date}.txt.gz"]
      # Prices from SDKs, analytics events and webhooks: Docs/formats.md. An entry may be
      #   {files: "exports/revenuecat/*.gz", format: revenuecat_webhook}
      # Your names for the keys of records and reports, and the unit of prices: main, minor
      # (999 is 9.99 USD), thousandth (9990) or micro.
      # receipt_keys: {customer_id: user_id, response: payload}
      # price_keys: {product_id: sku, price: amount, reported_at: ts}
      # price_unit: main
      # Facts from App Store Connect that receipts lack.
      catalog: catalog.yaml
      # Amounts that you know from an invoice or from support.
      # corrections: corrections.yaml
      # The European Central Bank's history file as published, unpacked; download it yourself.
      # rates: eurofxref-hist.csv

    # The currency of sums over all currencies; needs rates for all others.
    # reporting_currency: USD

    # A page for people, and the warehouse's description for Datasette and dbt; each is optional.
    report: var/report.html
    # report_chart_script: chart.min.js    # the default is that of Debian's libjs-chart.js
    # report_time_zone: Europe/Berlin       # the days of the chart by day; the default is UTC
    # datasette_metadata: var/metadata.yaml
    # dbt_sources: var/sources.yml

    # The price of renewals after a price rise: history, as_purchased or as_current.
    renewal_prices: history

    # The apps to include; an empty list means all.
    bundle_ids: []

    # The secret for keyed hashes of customer ids. Keep it: another key gives every customer
    # another hash.
    customer_key_file: \(keyFile)

    # Written after each run for Prometheus' node exporter: its result, and the age of the data.
    # metrics: var/paidline.prom

    # Checks that stop a run (stop), print a warning (warn), or are disabled (off).
    # These are the defaults; Docs/gates.md explains each.
    # gates:
    #   refused_file: stop        # a file that cannot be read whole
    #   rejected_share: {severity: stop, share: 0.01, at_least: 20}
    #   no_usable_record: stop    # a new file without a usable record
    #   empty_file: warn
    #   volume_drop: {severity: warn, share: 0.5}    # of the count that trend and weekday predict
    #   shrunk_table: {severity: stop, share: 0.5}   # of the records before, with replaces: true
    #   missing_export_day: {severity: warn, complete_after_days: 7}
    #   ambiguous_product: warn   # price reports of an id that several apps sell
    #   unknown_transactions: warn   # price reports whose purchases are in no export
    #   storefront_currency: warn    # storefronts that contradict the currency
    #   unknown_ownership: warn   # purchases for which someone else may have paid
    #   not_seen: warn            # subscriptions whose end nobody has looked at since
    #   rebased_currency: warn    # prices of a storefront that changed by a power of ten
    #   unnamed_format: stop      # prices of a format that no entry names
    #   price_unit: stop          # prices that seem to be cents or thousandths
    #   converted_amounts: stop   # prices in another currency than the purchase
    #   useless_result: warn      # no customer, no amount, no rate, no revenue
    #   coverage_floor: off       # or {severity: stop, share: 0.9}

    # A key of App Store Connect, for paidline-fetch prices and reports: Docs/fetching.md. The price
    # list makes the most amounts known; list its file before catalog.yaml under catalog.
    # fetch:
    #   issuer_id: 57246542-96fe-1a63-e053-0824d011072a
    #   bundle_id: com.example.app
    #   prices:
    #     key_id: 6F3KX7T2QP
    #     private_key_file: AuthKey_6F3KX7T2QP.p8
    #     output: fetched.yaml
    #     archive: exports/prices/prices-{date}-{run}.ndjson.gz

    # Receipts that Apple has not answered yet, for paidline-validate; see Docs/validating.md.
    # validate:
    #   receipts: ["raw/raw-{date}.ndjson.gz"]
    #   output: exports/receipts/receipts-{date}-{run}.ndjson.gz
    #   shared_secret_file: shared-secret

    """

  static let catalogue = """
    # Facts from App Store Connect; everything is optional. Quote prices, and ids of digits only.
    products:
    #  - product_id: pro.monthly
    #    kind: auto_renewable_subscription   # non_renewing_subscription, consumable, non_consumable
    #    subscription_group: "20611001"
    #    subscription_period: P1M
    #    price_changes:                      # for existing subscribers: preserved | moved
    #      - {currency: USD, from: 2021-05-01, existing_subscribers: preserved}
    #      - {currency: EUR, storefront: FRA, from: 2021-05-01, existing_subscribers: moved}
    #    prices:                             # list prices, used only where no reported price is known
    #      - {currency: USD, price: "12.99", from: 2020-01-01}
    #      - {currency: EUR, storefront: FRA, price: "13.99", from: 2020-01-01}   # only \
    in France
    #    offers:
    #      - kind: offer_code                # or promo
    #        identifier: SPRING21
    #        name: Spring campaign           # the campaign's name for analysts; optional
    #        currency: USD
    #        price: "7.99"
    #        payment_mode: pay_as_you_go     # pay_up_front, free_trial
    #        number_of_periods: 2
    #        subscription_period: P1M

    # Days of App Store promo codes: amounts of first purchases on these days are not exact.
    # promo_codes:
    #   - {product_id: pro.monthly, from: 2022-05-01, to: 2022-05-31}
    # Currencies with a new unit but the same code: 100 HUF became 1 HUF.
    # rebased:
    #   - {currency: HUF, from: 2022-03-04, factor: 100}

    # Apple's commission and the tax in prices, for estimates of proceeds in the reporting
    # currency. Without commission: 30 %; since 2016-06-13, 15 % after one year of paid service.
    # proceeds:
    #   commission:
    #     - {storefront: CHN, from: 2026-03-15, percent: 25, reduced_percent: 12}
    #     - {from: 2008-07-10, percent: 30}
    #     - {from: 2016-06-13, percent: 30, reduced_percent: 15}
    #   small_business:                     # days in Apple's Small Business Program
    #     - {from: 2021-01-01, through: 2023-12-31}
    #   taxes:                              # without storefront: for all others, and unknown ones
    #     - {from: 2008-07-10, percent: 0, included: false}
    #     - {storefront: DEU, from: 2007-01-01, percent: 19, included: true}

    """
}
