internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Apple's reports in filters: the same proofs and the same comparison as in a run on one machine.
struct BookFilterTests {
  /// A store whose pipeline publishes to the same path as those of the other shops.
  private static func shop(_ store: AppleReportStore) throws -> Shop {
    let shop = try Shop()
    for number in 0..<store.exportCount {
      let file = try store.export(number)
      try shop.folder.write(file.name, bytes: file.bytes)
    }
    for file in store.accompanyingFiles() {
      let text = String(decoding: file.bytes, as: UTF8.self)
      try shop.folder.write(
        file.name, text.replacing("var/warehouse.db", with: "out/warehouse.db"))
    }
    return shop
  }

  /// The rows of a table that filters wrote, with some of their columns.
  private static func rows(_ folder: String, _ table: String, _ columns: [String], of shop: Shop)
    throws -> [String]
  {
    try String(decoding: shop.folder.bytes("\(folder)/facts.tsv"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("\(table)\t") }.map { line in
        let object = line.drop { $0 != "\t" }.dropFirst()
        let row = try JSONSerialization.jsonObject(with: Data(object.utf8)) as? [String: Any]
        return columns.map { column in
          row?[column].map { $0 is NSNull ? "" : "\($0)" } ?? "?"
        }.joined(separator: "|")
      }.sorted()
  }

  @Test func `amounts are proven and compared in 3 parts as on one machine`() throws {
    let store = AppleReportStore(
      SampleOptions(
        customers: 80, seed: 5, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 120, files: 3),
      missingPerMille: 50)
    let shop = try Self.shop(store)
    #expect(try shop.run("paidline", "run", "pipeline.yaml", "-q").status == 0)
    let published = try FilterTests.published(shop)
    let proven = "SELECT COUNT(*) FROM fct_revenue WHERE price_rule = 'apple_report'"
    #expect(try shop.rows(proven).first.flatMap { Int($0) } ?? 0 > 100)
    let sums = [
      "month", "product_id", "storefront", "currency", "cause", "apple_units", "our_units",
      "apple_milli", "our_milli",
    ]
    let lines = ["report", "event_date", "product_id", "apple_id", "amount_milli", "subscriber"]
    let found = try shop.rows("SELECT gate, severity, subject, found, expected FROM audit_gate")
    #expect(try FilterTests.filtered(shop, buckets: 3) == published)
    let gates = String(decoding: try shop.folder.bytes("filtered-3/gates"), as: UTF8.self)
    #expect(
      gates.split(separator: "\n").filter { $0.hasPrefix("gate\t") }
        .map { String($0.dropFirst(5)).replacing("\t", with: "|") }.sorted() == found.sorted())
    for (table, columns) in [("audit_reconciliation", sums), ("apple_report_line", lines)] {
      let expected = try shop.rows(
        "SELECT \(columns.map { "COALESCE(\($0), '')" }.joined(separator: ", ")) FROM \(table)")
      #expect(try Self.rows("filtered-3", table, columns, of: shop) == expected.sorted())
    }
  }

  private static let sales = """
    SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t\
    Apple Identifier\tCustomer Price\tSubscription

    """

  /// A shop with one purchase of `pro` on 1 May 2024, and reports of the days around.
  private static func shop(reports: [String: String]) throws -> Shop {
    let shop = try Shop(more: "renewal_prices: history")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("inputs:\n", with: "inputs:\n  apple_reports: [\"apple/*-{date}.txt\"]\n"))
    try shop.folder.write(
      "in/receipts.ndjson", Export.purchase(1001, day: "2024-05-01", price: nil))
    for (name, text) in reports { try shop.folder.write("apple/\(name).txt", text) }
    return shop
  }

  @Test func `an Apple ID that no report names is told, and too much without a cause is a gate`()
    throws
  {
    let subscriber = """
      Event Date\tSubscription Apple ID\tSubscription Offer Type\tCustomer Price\t\
      Customer Currency\tCountry\tSubscriber ID\tRefund\tPurchase Date\tUnits
      2024-05-01\t99\t\t4.99\tUSD\tUS\t4711\t\t\t1

      """
    let shop = try Self.shop(reports: ["subscriber-2024-05-01": subscriber])
    let ending = try shop.run(
      "/bin/sh", arguments: [FilterTests.script, "pipeline.yaml", "job", "2"],
      environment: [
        "PAIDLINE_BIN": Shop.executables.path, "PAIDLINE_ACCEPT": "useless_result",
      ])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "ignored 1 line of Apple's reports, because the Apple IDs of the products are unknown (99)"),
      "\(ending.errors)")
  }

  @Test func `filters that decide ask for the rows of Apple's reports`() throws {
    let shop = try Self.shop(reports: ["sales-2024-05-01": Self.sales])
    #expect(try FilterTests.filtered(shop, buckets: 1).counts.contains("audit_apple_report 1"))
    let sides = [
      "--side", "filtered-1/files", "--side", "filtered-1/products", "--side",
      "filtered-1/joined", "--side", "filtered-1/price-book",
    ]
    let without = try shop.run(
      "paidline-reconstruct", arguments: ["decide", "pipeline.yaml"] + sides)
    #expect(without.status == 64)
    #expect(
      without.errors.contains(
        "expected the rows `issue`, `number` that paidline-ingest gather wrote, because "
          + "pipeline.yaml has inputs.apple_reports: name their file with --side"))
    let uncounted = try shop.run(
      "paidline-reconstruct",
      arguments: ["decide", "pipeline.yaml", "--side", "filtered-1/issues"] + sides)
    #expect(uncounted.status == 64)
    #expect(uncounted.errors.contains("expected the rows `cell`, `checked`, `counted`"))
  }
}
