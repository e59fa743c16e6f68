internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Apple's reports and the facts: reading, replacing and comparing, from files to `paidline
/// reconcile`.
struct BookTests {
  private static let sales = """
    SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t\
    Apple Identifier\tCustomer Price\tSubscription
    """
  private static let subscriber = """
    Event Date\tSubscription Apple ID\tPromotional Offer ID\tSubscription Offer Type\t\
    Customer Price\tCustomer Currency\tCountry\tSubscriber ID\tRefund\tPurchase Date\tUnits
    """

  private static func sale(_ product: String, _ units: Int, _ price: String) -> String {
    "\(product)\tIAY\t\(units)\t05/01/2024\t05/01/2024\tUSD\tUS\t77\t\(price)\tNew"
  }

  private static func charge(_ price: String, units: Int = 1, refund: String = "\t") -> String {
    "2024-05-01\t77\t \t\t\(price)\tUSD\tUS\t4711\t\(refund)\t\(units)"
  }

  /// A purchase of `pro` on 2024-05-01, 12:00 UTC, in the United States.
  private static func purchase(_ id: Int, customer: String) -> String {
    """
    {"customer_id":"\(customer)","storefront":"USA","response":{"status":0,\
    "environment":"Production","receipt":{"bundle_id":"com.example",\
    "request_date":"2024-05-15 00:00:00 Etc/GMT"},"latest_receipt_info":[\
    {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
    "web_order_line_item_id":"\(id + 5000)","product_id":"pro",\
    "purchase_date":"2024-05-01 12:00:00 Etc/GMT","expires_date":"2024-06-01 12:00:00 Etc/GMT"}]}}

    """
  }

  private static func shop(gates: String = "{}") throws -> Shop {
    let shop = try Shop(
      gates: gates, receipts: "in/*.ndjson",
      inputs: [#"apple_reports: ["apple/*-{date}.txt*"]"#, "catalog: catalog.yaml"])
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          kind: auto_renewable_subscription
          prices: [{currency: USD, price: "9.99", from: 2024-01-01}]
      """)
    try shop.folder.write(
      "in/a.ndjson", purchase(1001, customer: "ana") + purchase(1002, customer: "ben"))
    return shop
  }

  private static func run(_ shop: Shop, _ arguments: String...) throws -> Ending {
    try shop.run("paidline", arguments: ["run", "pipeline.yaml"] + arguments)
  }

  @Test func `without Apple's reports, only a requested month is named`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try Self.run(shop).status == 0)
    #expect(
      try shop.run("paidline", "reconcile").output.hasPrefix(
        "No Sales, Subscriber or Finance Detail report was read; list these reports under "))
    #expect(
      try shop.run("paidline", "reconcile", "--month", "2021-02").output.hasPrefix(
        "No Sales, Subscriber or Finance Detail report of 2021-02 was read; list "))
  }

  private static let lines = """
    SELECT report, event_date, product_id, apple_id, units, unit_price_milli, amount_milli
    FROM apple_report_line ORDER BY source_file_id, source_line
    """
  private static let causes = """
    SELECT month, storefront, currency, cause, apple_units, our_units, apple_milli, our_milli
    FROM audit_reconciliation ORDER BY cause
    """

  @Test func `reports are read, named by Sales, and compared`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "apple/sales-2024-05-01.txt.gz",
      bytes: gzip("\(Self.sales)\n\(Self.sale("pro", 3, "9.99"))\n"))
    try shop.folder.write(
      "apple/subscriber-2024-05-01.txt",
      "\(Self.subscriber)\n\(Self.charge("9.99"))\n\(Self.charge("9.99", units: 2))\n")
    #expect(try Self.run(shop) == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.rows(Self.lines) == [
        "sales|2024-05-01|pro|77|3|9990|29970", "subscriber|2024-05-01|pro|77|1|9990|9990",
        "subscriber|2024-05-01|pro|77|2|9990|19980",
      ])
    // Apple has three units, the facts two. The Subscriber report is used, and Sales is not counted
    // again.
    #expect(
      try shop.rows(Self.causes) == [
        "2024-05|USA|USD|equal|2|2|19980|19980", "2024-05|USA|USD|receipt_missing|1|0|9990|0",
      ])
    #expect(
      try shop.rows("SELECT difference_milli, receipt_missing_milli FROM reconciliation_monthly")
        == ["9990|9990"])
    let report = try shop.run("paidline", "reconcile", "pipeline.yaml", "--month", "2024-05")
    #expect(report.status == 0)
    #expect(report.output.contains("reports of 1 day, 2024-05-01 to 2024-05-01"))
    #expect(report.output.contains("receipt_missing"))
    // The same content again changes nothing.
    #expect(try Self.run(shop, "-v").errors.contains("nothing to do"))
  }

  @Test func `a day that Apple issues once more replaces the one before`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "apple/sales-2024-05-01.txt", "\(Self.sales)\n\(Self.sale("pro", 1, "9.99"))\n")
    #expect(try Self.run(shop).status == 0)
    try shop.folder.write(
      "apple/sales-2024-05-01.txt", "\(Self.sales)\n\(Self.sale("pro", 2, "9.99"))\n")
    #expect(try Self.run(shop).status == 0)
    #expect(try shop.rows(Self.lines) == ["sales|2024-05-01|pro|77|2|9990|19980"])
    #expect(try shop.rows(Self.causes) == ["2024-05|USA|USD|equal|2|2|19980|19980"])
    #expect(
      try shop.rows("SELECT status FROM audit_file WHERE kind = 'apple_reports' ORDER BY 1")
        == ["superseded", "used"])
    // A backfill of the files that are now in the folder gives the same result.
    let other = try Self.shop()
    try other.folder.write(
      "apple/sales-2024-05-01.txt", "\(Self.sales)\n\(Self.sale("pro", 2, "9.99"))\n")
    #expect(try Self.run(other).status == 0)
    #expect(try other.rows(Self.causes) == shop.rows(Self.causes))
    #expect(try other.contentHash() == shop.contentHash())
  }

  @Test func `rows behind a cause are listed`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "apple/sales-2024-05-01.txt",
      "\(Self.sales)\n\(Self.sale("pro", 1, "9.99"))\n\(Self.sale("pro", 1, "4.99"))\n")
    #expect(try Self.run(shop).status == 0)
    #expect(
      try shop.rows(Self.causes) == [
        "2024-05|USA|USD|equal|1|1|9990|9990", "2024-05|USA|USD|price|1|1|4990|9990",
      ])
    let list = try shop.run("paidline", "reconcile", "pipeline.yaml", "--rows")
    let rows = list.output.split(separator: "\n").filter { $0.contains("catalogue_price") }
    #expect(rows.count == 1, "\(list.output)")
    #expect(rows.first?.contains("price") == true && rows.first?.contains("9.99") == true)
    let json = try shop.run("paidline", "reconcile", "pipeline.yaml", "--rows", "--json")
    #expect(json.output.contains("\"rows\": [") && json.output.contains("\"first_day\""))
  }

  @Test func `an unexplained difference is a warning, and stops if the pipeline says so`() throws {
    let warned = try Self.shop()
    // The reports must cover three days, so that the day of the charges has both neighbors.
    func reports(_ shop: Shop) throws {
      for day in ["2024-04-30", "2024-05-01", "2024-05-02"] {
        let parts = day.split(separator: "-")
        let line = Self.sale("other", 1, "9.99")
          .replacing("05/01/2024", with: "\(parts[1])/\(parts[2])/2024")
        try shop.folder.write("apple/sales-\(day).txt", "\(Self.sales)\n\(line)\n")
      }
    }
    try reports(warned)
    let ending = try Self.run(warned)
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("the facts and Apple's reports have different charges"),
      "\(ending.errors)")
    #expect(
      try warned.rows("SELECT severity, subject FROM audit_gate WHERE gate = 'unexplained_share'")
        == ["warn|USD"])
    let stopped = try Self.shop(gates: "{unexplained_share: stop}")
    try reports(stopped)
    let stop = try Self.run(stopped)
    #expect(stop.status == 65 && stop.errors.contains("Nothing was published."), "\(stop.errors)")
    #expect(try Self.run(stopped, "--accept", "unexplained_share").status == 0)
  }

  @Test func `an Apple ID that nothing names is told, and the catalogue may name it`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "apple/subscriber-2024-05-01.txt",
      "\(Self.subscriber)\n\(Self.charge("9.99", units: 2))\n")
    let ending = try Self.run(shop)
    #expect(ending.status == 0 && ending.errors.contains("products are unknown (77)"))
    let catalogue = String(decoding: try shop.folder.bytes("catalog.yaml"), as: UTF8.self)
    try shop.folder.write(
      "catalog.yaml", catalogue.replacing("    kind:", with: "    apple_id: 77\n    kind:"))
    #expect(try Self.run(shop) == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.rows(Self.causes) == ["2024-05|USA|USD|equal|2|2|19980|19980"])
  }

  @Test func `a row that comes later invalidates the proof of rows without a change`() throws {
    let shop = try Self.shop()
    // Purchases of another month, so that few subscriptions change.
    try shop.folder.write(
      "in/march.ndjson",
      (2001...2040).map { id in
        Self.purchase(id, customer: "m\(id)").replacing("2024-05-01", with: "2024-03-01")
          .replacing("2024-06-01", with: "2024-04-01")
      }.joined())
    for (day, price) in [("2024-04-30", "8.99"), ("2024-05-01", "8.99"), ("2024-05-02", "8.99")] {
      let parts = day.split(separator: "-")
      let line = Self.sale("pro", 2, price)
        .replacing("05/01/2024", with: "\(parts[1])/\(parts[2])/2024")
      try shop.folder.write("apple/sales-\(day).txt", "\(Self.sales)\n\(line)\n")
      try shop.folder.write(
        "apple/subscriber-\(day).txt",
        "\(Self.subscriber)\n"
          + Self.charge(price, units: 2).replacing("2024-05-01", with: day) + "\n")
    }
    #expect(try Self.run(shop).status == 0)
    let amounts = """
      SELECT transaction_id, paid_milli, price_rule, price_status FROM fct_revenue
      WHERE transaction_id < '2000' ORDER BY 1
      """
    #expect(
      try shop.rows(amounts) == [
        "1001|8990|apple_report|proven", "1002|8990|apple_report|proven",
      ])
    // Apple charged six units around the day. With a seventh row it is unknown which row is not
    // among the units, although the first two rows have not changed.
    try shop.folder.write(
      "in/b.ndjson",
      (1003...1007).map { Self.purchase($0, customer: "c\($0)") }.joined())
    let ending = try Self.run(shop, "--log-level", "info")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("decided 7 changed chains, and"), "\(ending.errors)")
    let now = try shop.rows(amounts)
    #expect(now == (1001...1007).map { "\($0)|9990|catalogue_price|configured" })
  }

  @Test func `another table among the reports is left aside, and no line is lost silently`()
    throws
  {
    let shop = try Self.shop()
    try shop.folder.write(
      "apple/orders-2024-05-01.txt", "Title\tPre-order Start Date\tOrdered\nPro\t05/01/2024\t2\n")
    let ignored = try Self.run(shop)
    #expect(ignored.status == 0)
    #expect(
      ignored.errors.contains("apple/orders-2024-05-01.txt (a report of pre-orders)"),
      "\(ignored.errors)")
    #expect(
      try shop.rows("SELECT status FROM audit_file WHERE kind = 'apple_reports'") == ["ignored"])
    #expect(try Self.run(shop, "-v").errors.contains("nothing to do"))
    try shop.folder.write(
      "apple/sales-2024-05-01.txt",
      "\(Self.sales)\n\(Self.sale("pro", 2, "9.99"))\n\(Self.sale("pro", 1, "9,99"))\n")
    #expect(try Self.run(shop).status == 0)
    #expect(
      try shop.rows("SELECT source_line, reason_code, detail FROM rejected_record") == [
        "3|report_field_invalid|customer price"
      ])
    // A warning about another file must not hide a renamed export.
    let own = "apple/own-2024-05-01.txt"
    try shop.folder.write("apple/README.de-2024-05-01.txt", "Our reports.\n")
    try shop.folder.write(own, "user\tordered_at\tprice\nc-1\t2024-05-01\t9.99\n")
    let stopped = try Self.run(shop)
    #expect(stopped.status == 65)
    #expect(stopped.errors.contains("no record of \(own) can be used"), "\(stopped.errors)")
    #expect(!stopped.errors.contains("README"), "\(stopped.errors)")
  }
}
