internal import Foundation
internal import TestSupport
internal import Testing

/// The steps as filters, with the real executables: they produce the same facts as a run on one
/// machine.
struct FilterTests {
  static let script = Checkout.folder.appending(path: "Pipelines/filters.sh").path

  /// The facts that the filters of one job write.
  struct Facts: Equatable {
    var digest: String?
    /// Each table with its number of rows, such as `fct_revenue 405`.
    var counts: [String]
  }

  /// The content of the shop's warehouse.
  static func published(_ shop: Shop) throws -> Facts {
    let tables = [
      "apple_report_line", "audit_apple_report", "audit_reconciliation",
      "bridge_transaction_id", "dim_offer_eligibility", "dim_product", "dim_product_price",
      "dim_subscription", "excluded_purchase", "fct_conversion", "fct_renewal_state",
      "fct_revenue", "fct_revenue_entry", "fct_subscription_event", "price_evidence",
      "price_evidence_offer", "service_comparison",
    ]
    let counts = try tables.compactMap { table -> String? in
      let count = try shop.rows("SELECT count(*) FROM \(table)").first ?? "0"
      return count == "0" ? nil : "\(table) \(count)"
    }
    return Facts(digest: try shop.contentHash(), counts: counts)
  }

  /// Computes a shop's facts with filters, with a given number of buckets.
  static func filtered(_ shop: Shop, buckets: Int, asOf: String = "") throws -> Facts {
    let ending = try shop.run(
      "/bin/sh", arguments: [script, shop.pipeline, "filtered-\(buckets)", "\(buckets)"],
      environment: [
        "PAIDLINE_BIN": Shop.executables.path, "PAIDLINE_AS_OF": asOf,
        "PAIDLINE_EACH": buckets == 7 ? "xargs -n 1 -P 2" : "",
      ])
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = String(decoding: try shop.folder.bytes("filtered-\(buckets)/digest"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    return Facts(
      digest: lines.first { $0[0] == "content_digest" }?[1],
      counts: lines.filter { $0[0] == "rows" }.map { "\($0[1]) \($0[2])" })
  }

  @Test func `the facts of the sample are those of one machine, in 1 and in 7 parts`() throws {
    let (shop, ending) = try SampleRunTests.sample.get()
    #expect(ending.status == 0)
    let published = try Self.published(shop)
    #expect(published.counts.contains("fct_revenue 405"))
    for buckets in [1, 7] {
      #expect(try Self.filtered(shop, buckets: buckets) == published)
      // The tasks count their rows with the query of one machine.
      let shares = try shop.rows("SELECT price_coverage_bp, exact_bp FROM audit_run")
      let gates = String(
        decoding: try shop.folder.bytes("filtered-\(buckets)/gates"), as: UTF8.self)
      let coverage = gates.split(separator: "\n").filter { $0.hasPrefix("coverage\t") }
      #expect(coverage.map { String($0.dropFirst(9)).replacing("\t", with: "|") } == shares)
    }
  }

  @Test func `a job leaves its folder to the owner alone, and no facts where it fails`() throws {
    let shop = try Shop()
    try shop.folder.write("in/receipts.ndjson", Export.purchase(1001, day: "2021-02-01"))
    func filter() throws -> Ending {
      try shop.run(
        "/bin/sh", arguments: [Self.script, shop.pipeline, "facts", "1"],
        environment: ["PAIDLINE_BIN": Shop.executables.path])
    }
    #expect(try filter().status == 0)
    // The merged chains contain customer ids, so only the owner may read the files.
    for name in ["facts", "facts/merged", "facts/facts.tsv"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: shop.folder.path(name))
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & 0o077 == 0, "\(name)")
    }
    try shop.folder.write("in/cut.ndjson.gz", bytes: [0x1F, 0x8B, 8, 0])
    #expect(try filter().status == 65)
    #expect(!shop.folder.has("facts/facts.tsv") && !shop.folder.has("facts/digest"))
    let unnamed = try shop.run("/bin/sh", arguments: [Self.script])
    #expect(unnamed.status == 64)
    #expect(unnamed.errors.contains("expected a pipeline and a folder"))
  }

  @Test func `a receipt that was passed on names no customer, here and there`() throws {
    let shop = try Shop()
    // One account's receipt with 25 customer ids, of which two have purchases of their own.
    let records = (1...25).map { Export.purchase(500, day: "2021-02-01", customer: "c-\($0)") }
    let own = (1...2).map { Export.purchase(600 + $0, day: "2021-03-01", customer: "c-\($0)") }
    try shop.folder.write("in/receipts.ndjson", (records + own).joined())
    #expect(try shop.run("paidline", "run", shop.pipeline, "-q").status == 0)
    let published = try Self.published(shop)
    #expect(published.counts.contains("fct_revenue 3"))
    #expect(try Self.filtered(shop, buckets: 3) == published)

    // Without these rows the customers of the receipt would be one household again.
    let place = ["place", shop.pipeline]
    for side in ["files", "products", "joined"] {
      let text = String(decoding: try shop.folder.bytes("filtered-3/\(side)"), as: UTF8.self)
      let lines = text.split(separator: "\n").filter { !$0.contains("passed") }
      try shop.folder.write("lost/\(side)", lines.map { "\($0)\n" }.joined())
    }
    let sides = ["files", "products", "joined"].flatMap { ["--side", "lost/\($0)"] }
    let ending = try shop.run("paidline-reconstruct", arguments: place + sides)
    #expect(ending.status == 64)
    #expect(
      ending.errors.contains("expected the rows `passed` that paidline-reconstruct join wrote"))
  }

  @Test func `shared ids, contested ids, odd texts and a file under two names change nothing`()
    throws
  {
    let shop = try Shop(more: "reporting_currency: EUR")
    // Transaction id 77 in two chains, customer id `guest` in six accounts, and the customer id
    // \\N, which also means null.
    let contested =
      Export.purchase(77, day: "2021-02-01", customer: "\\\\N", original: 70)
      + Export.purchase(77, day: "2021-03-01", customer: "c-2", price: "12.99", original: 71)
    let shared = (1...6).map { Export.purchase(100 + $0, day: "2021-02-0\($0)", customer: "guest") }
      .joined()
    let texts = Export.purchase(9, day: "2021-02-05").replacing("\"9\"", with: "\"x-9 \u{e9}\"")
    let sandbox = Export.purchase(5, day: "2021-02-06").replacing(
      "Production", with: "Sandbox")
    try shop.folder.write("in/receipts-1.ndjson", contested + texts)
    try shop.folder.write("in/receipts-2.ndjson", shared + sandbox)
    try shop.folder.write("in/receipts-3.ndjson", shared + sandbox)
    #expect(try shop.run("paidline", "run", shop.pipeline, "-q").status == 0)
    let published = try Self.published(shop)
    #expect(published.counts.contains("fct_revenue 9"))
    #expect(try Self.filtered(shop, buckets: 3) == published)
    let met = String(decoding: try shop.folder.bytes("filtered-3/met"), as: UTF8.self)
    #expect(met.contains("\nplaceholder\tguest\t6\n"))
    #expect(met.contains("\nwinner\t77\t"))
  }

  @Test func `a gate that stops ends the job, and an accepted one is a row`() throws {
    let shop = try Shop(gates: "{coverage_floor: {share: 0.9}}")
    try shop.folder.write(
      "in/receipts-1.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    try shop.folder.write("in/receipts-2.ndjson", "no,export\n")
    func job(_ accepted: String) throws -> Ending {
      try shop.run(
        "/bin/sh", arguments: [Self.script, shop.pipeline, "job", "2"],
        environment: ["PAIDLINE_BIN": Shop.executables.path, "PAIDLINE_ACCEPT": accepted])
    }
    let barren = try job("coverage_floor")
    #expect(barren.status == 65)
    #expect(barren.errors.contains("no record of in/receipts-2.ndjson can be used"))
    #expect(barren.errors.contains("accept them for one run with --accept no_usable_record."))
    #expect(!shop.folder.has("job/decided"), "nothing is decided of what must not be published")
    let unknown = try job("no_usable_record")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("the amount of 1 of 1 row is not known"))
    #expect(!shop.folder.has("job/digest"))
    #expect(try job("no_usable_record,coverage_floor").status == 0)
    let gates = String(decoding: try shop.folder.bytes("job/gates"), as: UTF8.self)
    #expect(gates.contains("gate\tno_usable_record\taccepted\t"))
    #expect(gates.contains("gate\tcoverage_floor\taccepted\tamounts\t0.0 %\tat least 90.0 %\n"))
    // One row is chargeable; its amount is unknown, so no amount is exact.
    #expect(gates.contains("\ncoverage\t0\t0\n"))
  }

  @Test func `an earlier view is the same too, although chains begin after it`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/receipts.ndjson",
      (1...4).map { Export.purchase(100 + $0, day: "2021-0\($0)-03", customer: "c-\($0)") }
        .joined())
    #expect(
      try shop.run("paidline", "run", shop.pipeline, "-q", "--as-of", "2021-02-10").status == 0)
    let published = try Self.published(shop)
    #expect(published.counts.contains("fct_revenue 2"))
    #expect(try Self.filtered(shop, buckets: 2, asOf: "2021-02-10") == published)
  }

  @Test func `signed prices vote on filters too`() throws {
    let shop = try SignedShop()
    try shop.writeReceipts(
      Export.purchase(1001, day: "2024-01-05", price: "8.99")
        + Export.purchase(1003, day: "2024-01-09", customer: "c-9", price: nil))
    try shop.write([try shop.token(1001, day: "2024-01-05")])
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    let published = try Self.published(shop.shop)
    #expect(try Self.filtered(shop.shop, buckets: 2) == published)
  }

  @Test func `the price book is what learning hands on, and no judgement may be missing`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/receipts.ndjson",
      (1...5).map { Export.purchase(100 + $0, day: "2021-02-0\($0)", customer: "c-\($0)") }.joined()
    )
    #expect(try Self.filtered(shop, buckets: 1).counts.contains("price_evidence 5"))
    // Five reports of one price form one interval.
    let book = String(decoding: try shop.folder.bytes("filtered-1/price-book"), as: UTF8.self)
    #expect(book.split(separator: "\n").count { $0.hasPrefix("interval\t") } == 1)
    #expect(book.contains("\nprices\n"))
    let houses = String(decoding: try shop.folder.bytes("filtered-1/houses"), as: UTF8.self)
      .split(separator: "\n")
    #expect(houses.count { $0.contains("\tverdict\t") } == 5)

    func decide(_ rows: [Substring], book: String) throws -> Ending {
      try shop.folder.write(
        "rows", rows.map { $0 + "\n" }.joined() + "#end\thouse\t\(rows.count)\n")
      return try shop.run(
        "paidline-reconstruct",
        arguments: [
          "decide", "pipeline.yaml", "--side", "filtered-1/files", "--side",
          "filtered-1/products", "--side", "filtered-1/joined", "--side", book,
        ], input: try Shop.reading(shop.folder.path("rows")))
    }
    #expect(try decide(houses, book: "filtered-1/price-book").status == 0)
    let without = try decide(
      houses.filter { !$0.contains("\tverdict\t") }, book: "filtered-1/price-book")
    #expect(without.status == 70)
    #expect(without.errors.contains("but no row `verdict` with this id"))
    try shop.folder.write("nothing", "#paidline-rows\t1\n")
    let priceless = try decide(houses, book: "nothing")
    #expect(priceless.status == 64)
    #expect(
      priceless.errors.contains(
        "`prices`, `unit` that paidline-reconstruct learn wrote: name their file with --side"))
  }

  @Test func `the gates on price files are evaluated on filters too`() throws {
    let shop = try Shop()
    // Three prices without decimals, and of three digits: perhaps they are cents.
    try shop.folder.write(
      "in/receipts.ndjson",
      (1...3).map {
        Export.purchase(100 + $0, day: "2021-02-0\($0)", customer: "c-\($0)", price: "999")
      }.joined())
    let ending = try shop.run(
      "/bin/sh", arguments: [Self.script, shop.pipeline, "job", "2"],
      environment: ["PAIDLINE_BIN": Shop.executables.path])
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("all prices in in/receipts.ndjson are whole numbers"),
      "\(ending.errors)")
  }

  // MARK: - Incomplete input

  /// Pipes lines into a filter.
  private static func feed(_ lines: [String], _ program: String, _ arguments: String...) throws
    -> Ending
  {
    let shop = try Shop()
    try shop.folder.write("rows", lines.map { $0 + "\n" }.joined())
    try shop.folder.write("files", "#paidline-rows\t1\n#end\tfile\t0\n")
    return try shop.run(
      program, arguments: arguments, input: try Shop.reading(shop.folder.path("rows")))
  }

  @Test func `rows out of order, rows that are missing and rows of another version end with 70`()
    throws
  {
    let rows = [
      "chain\t8000000000000002\t0\t1", "chain\t8000000000000001\t0\t1", "#end\tchain\t2",
    ]
    let unsorted = try Self.feed(rows, "paidline-reconstruct", "join", "pipeline.yaml")
    #expect(unsorted.status == 70)
    #expect(unsorted.output == "")
    #expect(
      unsorted.errors == """
        paidline-reconstruct join: standard input:2: expected rows in byte order, but this \
        row sorts before the row above it; sort the rows with LC_ALL=C sort

        """)
    let cut = try Self.feed(
      [rows[1], rows[0], "#end\tchain\t3"], "paidline-reconstruct", "join", "pipeline.yaml")
    #expect(cut.status == 70)
    #expect(cut.errors.contains("expected 3 rows chain; found 2"))
    let endless = try Self.feed([rows[1]], "paidline-reconstruct", "join", "pipeline.yaml")
    #expect(endless.status == 70)
    #expect(
      endless.errors.contains("expected a line #end for the rows chain; found 1"))
    let newer = try Self.feed(
      ["#paidline-rows\t2"], "paidline-reconstruct", "join", "pipeline.yaml")
    #expect(newer.status == 70)
    #expect(newer.errors.contains("rows of version 2; this program reads version 1"))
    let other = try Self.feed(
      ["fact\tx"], "paidline-reconstruct", "merge", "pipeline.yaml", "--side", "files")
    #expect(other.status == 70)
    #expect(other.errors.contains("expected rows part; found fact"))
  }

  @Test func `no rows at all are a whole input, and give a whole output`() throws {
    let ending = try Self.feed([], "paidline-reconstruct", "join", "pipeline.yaml")
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        #paidline-rows\t1
        #end\thouse\t0
        #end\tmember\t0
        #end\tpassed\t0
        #end\tplaceholder\t0
        #end\twinner\t0

        """)
  }

  @Test func `a damaged archive fails the filter, which names it and hands on nothing of it`()
    throws
  {
    let shop = try Shop()
    let whole = gzip(Export.purchase(1001, day: "2021-02-01"))
    try shop.folder.write("in/cut.ndjson.gz", bytes: Array(whole.dropLast(9)))
    try shop.folder.write(
      "rows", "input\treceipts\tin/cut.ndjson.gz\t\\N\t9\t\\N\n#end\tinput\t1\n")
    let ending = try shop.run(
      "paidline-ingest", "gather", "pipeline.yaml",
      input: try Shop.reading(shop.folder.path("rows")))
    #expect(ending.status == 65)
    #expect(ending.output == "")
    #expect(ending.errors.contains("in/cut.ndjson.gz: "), "\(ending.errors)")
  }

  @Test func `a filter that fails reads its input to the end, so that who feeds it learns why`()
    throws
  {
    let shop = try Shop()
    // Three megabytes follow the first row, which is wrong: far more than a pipe's buffer.
    try shop.folder.write(
      "rows", "nonsense\n" + String(repeating: "chain\t8000000000000001\t0\t1\n", count: 120_000))
    let ending = try shop.run(
      "/bin/sh",
      arguments: [
        "-c",
        """
        { cat rows; echo "fed: $?" >&2; } | \
        \(Shop.executables.path)/paidline-reconstruct join pipeline.yaml
        """,
      ])
    #expect(ending.status == 70)
    #expect(ending.errors.contains("fed: 0"), "\(ending.errors)")
  }
}
