internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PaidAmounts
@testable internal import Pipeline
internal import TestSupport
internal import Testing

struct PipelineReadingTests {
  private func read(_ text: String) throws(RunFailure) -> PipelineDefinition {
    try PipelineDefinition.read(path: "shop/nightly.yaml", text: text)
  }

  private func refusal(of text: String) -> RunFailure? {
    do throws(RunFailure) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the mark that some editors put first is no text`() throws {
    let folder = try TemporaryFolder()
    try folder.write("p.yaml", "\u{FEFF}" + Self.smallest)
    let definition = try PipelineDefinition.read(path: folder.path("p.yaml"))
    #expect(definition.warehousePath.hasSuffix("var/warehouse.db"))
  }

  private static let smallest = """
    state: ../var/state.db
    warehouse: ../var/warehouse.db
    inputs:
      receipts: ["exports/*.gz"]

    """

  @Test func `the smallest pipeline has paths relative to its file and the usual gates`() throws {
    let pipeline = try read(Self.smallest)
    #expect(pipeline.statePath == "var/state.db")
    #expect(pipeline.warehousePath == "var/warehouse.db")
    #expect(pipeline.receiptPatterns.map(\.folder) == ["shop/exports"])
    #expect(pipeline.pricePatterns.isEmpty)
    #expect(pipeline.renewalPolicy == .history)
    #expect(pipeline.gates == GateRules())
    #expect(pipeline.fieldMapping == .standard)
    #expect(pipeline.keysWithoutEffect.isEmpty)
  }

  @Test func `a catalogue in place of a pipeline is told what it is`() {
    #expect(
      refusal(of: "products:\n  - product_id: pro\n")?.message
        == "shop/nightly.yaml:1: this is a catalogue, not a pipeline; name the pipeline that "
        + "lists it under inputs.catalog. More: Docs/inputs.md.")
  }

  @Test func `every key is read`() throws {
    let pipeline = try read(
      """
      state: /srv/state.db
      warehouse: warehouse.db
      inputs:
        receipts: ["a-{date}.gz", "b/*.ndjson"]
        prices: prices.ndjson
        catalog: catalog.yaml
        rates: eurofxref-hist.csv
      reporting_currency: USD
      renewal_prices: as_purchased
      bundle_ids: [com.b, com.a, com.b]
      report: report.html
      report_chart_script: lib/chart.js
      report_time_zone: Europe/Berlin
      datasette_metadata: metadata.yaml
      dbt_sources: /srv/dbt/sources.yml
      metrics: ../paidline.prom
      customer_key_file: customer.key
      gates:
        rejected_share: {severity: warn, share: 0.015, at_least: 5}
        refused_file: warn
        volume_drop: {severity: stop, share: 0.25}
        missing_export_day: {severity: off, complete_after_days: 3}
        coverage_floor: {share: 0.9}
      """)
    #expect(pipeline.statePath == "/srv/state.db")
    #expect(pipeline.warehousePath == "shop/warehouse.db")
    #expect(pipeline.receiptPatterns.map(\.text) == ["a-{date}.gz", "b/*.ndjson"])
    #expect(pipeline.pricePatterns.map(\.text) == ["prices.ndjson"])
    #expect(pipeline.cataloguePaths == ["shop/catalog.yaml"])
    #expect(pipeline.ratesPath == "shop/eurofxref-hist.csv")
    #expect(pipeline.reportingCurrency == Currency("USD"))
    #expect(pipeline.renewalPolicy == .asPurchased)
    #expect(pipeline.bundleIDs == ["com.a", "com.b"])
    #expect(pipeline.dashboardPath == "shop/report.html")
    #expect(pipeline.chartScriptPath == "shop/lib/chart.js")
    #expect(pipeline.reportTimeZone?.name == "Europe/Berlin")
    #expect(pipeline.datasetteMetadataPath == "shop/metadata.yaml")
    #expect(pipeline.dbtSourcesPath == "/srv/dbt/sources.yml")
    #expect(pipeline.metricsPath == "paidline.prom")
    #expect(pipeline.customerKeyPath == "shop/customer.key")
    let gates = pipeline.gates
    #expect(gates[.rejectedShare] == .warn && gates[.refusedFile] == .warn)
    #expect(gates[.volumeDrop] == .stop && gates[.missingExportDay] == .off)
    #expect(gates[.coverageFloor] == .stop, "a share asks for a gate that stops")
    #expect(gates[.emptyFile] == .warn && gates[.noUsableRecord] == .stop, "the defaults")
    #expect(gates.rejectedPerMillion == 15_000 && gates.fewestRejected == 5)
    #expect(gates.volumePerMillion == 250_000 && gates.coveragePerMillion == 900_000)
    #expect(gates.completeAfterDays == 3)
    #expect(pipeline.keysWithoutEffect.isEmpty)
  }

  @Test func `names and units of others tell one spelling from another`() throws {
    let pipeline = try read(
      Self.smallest
        + "  receipt_keys: {customer_id: user_id}\n  price_keys: {price: cents}\n"
        + "  price_unit: minor\n")
    #expect(pipeline.fieldMapping.priceUnit == .minor && pipeline.namesPriceUnit)
    #expect(
      pipeline.fieldMapping.identity
        == "price price=cents\nreceipt customer_id=user_id\nunit minor")
    let standard = try read(Self.smallest + "  price_unit: main\n")
    #expect(standard.fieldMapping == .standard && standard.namesPriceUnit)
  }

  @Test func `rates alone have no effect`() throws {
    let pipeline = try read(Self.smallest + "  rates: eurofxref-hist.csv\n")
    #expect(pipeline.keysWithoutEffect == ["inputs.rates without reporting_currency"])
  }

  @Test func `a key that says null is as good as absent`() throws {
    let pipeline = try read(
      Self.smallest + "report: null\nreporting_currency: ~\ngates: {volume_drop: null}\n")
    #expect(pipeline.dashboardPath == nil)
    #expect(pipeline.gates == GateRules())
    #expect(pipeline.keysWithoutEffect.isEmpty)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let story: String
    let text: String
    let message: String
    var testDescription: String { story }
  }

  @Test(arguments: [
    Refusal(
      story: "a misspelt key is named with its line and what was meant",
      text: smallest + "warehous: x\n",
      message: """
        shop/nightly.yaml:5: unknown key "warehous"; expected one of state, warehouse, inputs, \
        reporting_currency, renewal_prices, bundle_ids, report, report_chart_script, \
        report_time_zone, datasette_metadata, dbt_sources, metrics, customer_key_file, gates, \
        validate, fetch; did \
        you mean "warehouse"?
        """),
    Refusal(
      story: "an unknown key of a mapping is named with its place",
      text: "state: a\nwarehouse: b\ninputs:\n  recipts: [x]\n",
      message: """
        shop/nightly.yaml:4: unknown key "recipts" in inputs; expected one of receipts, prices, \
        signed, exports, apple_reports, catalog, corrections, rates, more_rates, receipt_keys, \
        price_keys, price_unit, signatures, signed_roots, signed_environments; did you mean \
        "receipts"?
        """),
    Refusal(
      story: "a key like no other gets no suggestion",
      text: smallest + "zzz: 1\n",
      message: """
        shop/nightly.yaml:5: unknown key "zzz"; expected one of state, warehouse, inputs, \
        reporting_currency, renewal_prices, bundle_ids, report, report_chart_script, \
        report_time_zone, datasette_metadata, dbt_sources, metrics, customer_key_file, gates, \
        validate, fetch
        """),
    Refusal(
      story: "without a state there is nothing to run",
      text: "warehouse: b\ninputs: {receipts: x}\n",
      message: """
        shop/nightly.yaml:1: expected state to be the path of the working database, but the key \
        is missing
        """),
    Refusal(
      story: "one file cannot be both databases",
      text: "state: a\nwarehouse: ./a\ninputs: {receipts: x}\n",
      message: "shop/nightly.yaml:2: expected warehouse to be a file other than state"),
    Refusal(
      story: "the file that becomes the warehouse cannot be the state, which would be lost",
      text: "state: out/w.db.building\nwarehouse: out/w.db\ninputs: {receipts: x}\n",
      message: """
        shop/nightly.yaml:1: expected state to be a file other than the files of warehouse
        """),
    Refusal(
      story: "the lock cannot be the warehouse",
      text: "state: var/s.db\nwarehouse: var/.paidline.lock\ninputs: {receipts: x}\n",
      message: """
        shop/nightly.yaml:2: expected warehouse to be a file other than the files of state
        """),
    Refusal(
      story: "the list of erased customers cannot be the metrics",
      text: smallest + "metrics: ../var/state.db.removals\n",
      message: """
        shop/nightly.yaml:5: expected metrics to be a file other than the files of state or \
        warehouse
        """),
    Refusal(
      story: "a pipeline reads receipts",
      text: "state: a\nwarehouse: b\ninputs:\n  prices: x\n",
      message: """
        shop/nightly.yaml:4: expected inputs.receipts to be a list of at least one pattern, or \
        the key signed or exports, but the key is missing
        """),
    Refusal(
      story: "a report over the catalogue would lose it",
      text: smallest.replacing("inputs:\n", with: "inputs:\n  catalog: c.yaml\n")
        + "report: ./x/../c.yaml\n",
      message: "shop/nightly.yaml:6: expected report to be a file other than inputs.catalog"),
    Refusal(
      story: "two descriptions cannot share a file",
      text: smallest + "dbt_sources: m.yaml\ndatasette_metadata: m.yaml\n",
      message: """
        shop/nightly.yaml:5: expected dbt_sources to be a file other than datasette_metadata
        """),
    Refusal(
      story: "a pipeline is not its own report",
      text: smallest + "report: nightly.yaml\n",
      message: "shop/nightly.yaml:5: expected report to be a file other than this file"),
    Refusal(
      story: "a pattern has one date at most",
      text: "state: a\nwarehouse: b\ninputs:\n  receipts: \"{date}/{date}.gz\"\n",
      message: """
        shop/nightly.yaml:4: expected inputs.receipts to be a list of patterns with *, ?, ** and at \
        most one day each: {date}, or {yyyy}, {mm} and {dd}, found "{date}/{date}.gz"
        """),
    Refusal(
      story: "standard input cannot be read twice",
      text: "state: a\nwarehouse: b\ninputs:\n  receipts: \"-\"\n  prices: \"-\"\n",
      message: """
        shop/nightly.yaml:5: expected inputs.prices to be without -, because only one \
        pattern of all inputs can be standard input
        """),
    Refusal(
      story: "a policy that does not exist is refused with those that do",
      text: smallest + "renewal_prices: newest\n",
      message: """
        shop/nightly.yaml:5: expected renewal_prices to be history, as_purchased or as_current, \
        found "newest"
        """),
    Refusal(
      story: "a share is a share",
      text: smallest + "gates:\n  rejected_share: {share: 1.5}\n",
      message: """
        shop/nightly.yaml:6: expected gates.rejected_share.share to be a share from 0 to 1 with at \
        most six decimals, found "1.5"
        """),
    Refusal(
      story: "a gate does one of three things",
      text: smallest + "gates: {volume_drop: fail}\n",
      message: """
        shop/nightly.yaml:5: expected gates.volume_drop to be off, warn or stop, found "fail"
        """),
    Refusal(
      story: "a floor of coverage needs a share",
      text: smallest + "gates: {coverage_floor: stop}\n",
      message: """
        shop/nightly.yaml:5: expected gates.coverage_floor to be a mapping with a share, such as \
        {severity: stop, share: 0.9}
        """),
    Refusal(
      story: "a data test is no gate of a pipeline",
      text: smallest + "gates: {data_test: warn}\n",
      message: """
        shop/nightly.yaml:5: unknown key "data_test" in gates; expected one of refused_file, \
        rejected_share, no_usable_record, empty_file, volume_drop, shrunk_table, missing_export_day, \
        unnamed_format, price_unit, converted_amounts, ambiguous_product, unknown_transactions, \
        storefront_currency, unknown_ownership, not_seen, rebased_currency, useless_result, coverage_floor, unexplained_share, apple_reports_differ, apple_reports_implausible, missing_report_day
        """),
    Refusal(
      story: "two keys cannot have one name",
      text: smallest + "  price_keys: {product_id: sku, price: sku}\n",
      message: """
        shop/nightly.yaml:5: expected inputs.price_keys.price to be a name that differs from \
        that of product_id, found "sku"
        """),
    Refusal(
      story: "a unit of prices is known",
      text: smallest + "  price_unit: cents\n",
      message: """
        shop/nightly.yaml:5: expected inputs.price_unit to be main, minor, thousandth or micro, \
        found "cents"
        """),
    Refusal(
      story: "a mapping where a text belongs",
      text: "state: {a: b}\nwarehouse: b\ninputs: {receipts: x}\n",
      message: "shop/nightly.yaml:1: expected state to be the path of the working database"),
    Refusal(
      story: "an empty file", text: "",
      message:
        "shop/nightly.yaml:1: the file is empty; `paidline init FOLDER` writes a commented pipeline"
    ),
    Refusal(
      story: "a list where the mapping belongs", text: "- a\n- b\n",
      message: """
        shop/nightly.yaml:1: expected the file to be a mapping with the keys state, warehouse, \
        inputs, reporting_currency, renewal_prices, bundle_ids, report, report_chart_script, \
        report_time_zone, datasette_metadata, dbt_sources, metrics, customer_key_file, gates, \
        validate, fetch
        """),
  ])
  func `a wrong pipeline is refused with file, line and what was expected`(_ refusal: Refusal)
    throws
  {
    let failure = try #require(self.refusal(of: refusal.text))
    #expect(failure.status == .badConfiguration)
    #expect(failure.message == refusal.message)
  }

  @Test(arguments: ["a: [", "a: b: c", "state: a\nstate: b\nwarehouse: c\n", "\u{0}"])
  func `a text that is no YAML is refused`(_ text: String) throws {
    let failure = try #require(refusal(of: text))
    #expect(failure.status == .badConfiguration)
    #expect(failure.message.hasPrefix("shop/nightly.yaml"))
    #expect(!failure.message.contains("\n"))
  }

  @Test(arguments: [
    (
      "state: a\ninputs: [b\n",
      """
      shop/nightly.yaml:3: the file is not YAML: did not find expected ',' or ']', \
      while parsing a flow sequence that begins in line 2
      """
    ),
    (
      "state: a\ninputs:\n\twarehouse: b\n",
      "shop/nightly.yaml:3: the file is not YAML: found character that cannot start any token, "
        + "while scanning for the next token that begins in line 3"
    ),
    (
      "state: a\nstate: b\nwarehouse: c\n",
      "shop/nightly.yaml:1: the mapping that begins here holds \"state\" more than once"
    ),
  ])
  func `broken YAML is told with its line`(_ text: String, _ message: String) throws {
    #expect(try #require(refusal(of: text)).message == message)
  }

  @Test(arguments: [
    ("0", 0), ("1", 1_000_000), ("0.01", 10_000), ("0.000001", 1), ("1.000000", 1_000_000),
  ])
  func `a share is read exactly`(_ text: String, _ millionths: Int) {
    #expect(PipelineDefinition.millionths(text) == millionths)
  }

  @Test(arguments: ["", ".5", "0.", "1.1", "2", "-0", "1e-2", "0.0000001", "0,01", "½"])
  func `a number that is no share is refused`(_ text: String) {
    #expect(PipelineDefinition.millionths(text) == nil)
  }
}
