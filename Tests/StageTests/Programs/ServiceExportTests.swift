internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Stores whose owner has only a hosted service's export, from `paidline-sample`.
struct ServiceExportTests {
  private static func run(_ service: String) throws -> (shop: Shop, truth: StoreTruth) {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample",
      arguments: [".", "--service", service, "--customers", "400", "--days", "400"])
    try #require(made.status == 0, "\(made.errors)")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write("pipeline.yaml", pipeline + "customer_key_file: customer.key\n")
    let ending = try shop.run("paidline", "run")
    try #require(ending.status == 0, "\(ending.errors)")
    func text(_ name: String) throws -> String {
      String(decoding: try shop.folder.bytes(name), as: UTF8.self)
    }
    let truth = try #require(
      StoreTruth(
        purchasesCSV: try text("truth.csv"), offersCSV: try text("truth-offers.csv")))
    return (shop, truth)
  }

  @Test(arguments: ["revenuecat", "adapty", "apphud", "superwall", "qonversion"])
  func `an export alone shows every purchase once, with no wrong amount`(_ service: String) throws {
    let (shop, truth) = try Self.run(service)
    var paid: [String: TruthPurchase] = [:]
    for purchase in truth.purchases { paid[purchase.transactionIDs[0]] = purchase }
    let revenue = truth.purchases.filter { $0.exclusion.isEmpty }
    let rows = try shop.rows(
      "SELECT transaction_id, paid_milli, currency, period_kind, reversal_kind FROM fct_revenue")
    #expect(rows.count == revenue.count)
    var known = 0
    for row in rows {
      let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let expected = try #require(paid[fields[0]], "\(row)")
      #expect(expected.exclusion.isEmpty, "\(row)")
      #expect(fields[4] == expected.reversal, "\(row)")
      #expect(fields[3] == expected.kind, "\(row)")
      guard let amount = Int64(fields[1]) else { continue }
      known += 1
      #expect(amount == expected.paidMilli, "\(row) \(expected)")
      #expect(fields[2] == expected.currency || amount == 0, "\(row)")
    }
    #expect(known * 10 >= rows.count * 9, "\(known) of \(rows.count)")
    let excluded = truth.purchases.filter { !$0.exclusion.isEmpty }.count
    #expect(try shop.rows("SELECT count(1) FROM excluded_purchase") == ["\(excluded)"])
    let converted = truth.offers.filter { $0.status == "converted" && $0.kind == "trial" }.count
    #expect(
      try shop.rows(
        "SELECT count(1) FROM fct_conversion WHERE status = 'converted' AND offer_kind = 'trial'")
        == ["\(converted)"])
  }

  @Test func `RevenueCat's errors are named, and the causes sum to the difference`() throws {
    let (shop, truth) = try Self.run("revenuecat")
    var planted: [String: String] = [:]
    for purchase in truth.purchases { planted[purchase.transactionIDs[0]] = purchase.evidence }
    let rows = try shop.rows(
      """
      SELECT r.transaction_id, c.cause FROM service_comparison AS c
      JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
      """)
    var (named, all) = (0, 0)
    for row in rows {
      let fields = row.split(separator: "|").map(String.init)
      let cause = try #require(planted[fields[0]])
      if cause != "equal" { all += 1 }
      if cause != "equal", fields[1] == cause { named += 1 }
      #expect(fields[1] == cause || fields[1] == "unresolved", "\(row) \(cause)")
    }
    #expect(named * 5 >= all * 4, "\(named) of \(all)")
    #expect(
      try shop.rows(
        """
        SELECT SUM(service_milli) - SUM(our_milli) - SUM(difference_milli)
        FROM service_comparison_by_cause WHERE our_milli IS NOT NULL
        """) == ["0"])
    let text = try shop.run("paidline", "reconcile", "--service", "revenuecat").output
    #expect(text.contains("kept_price"), "\(text)")
    let page = String(decoding: try shop.folder.bytes("out/report.html"), as: UTF8.self)
    #expect(page.contains("Where RevenueCat and Paidline differ"))
  }

  @Test func `RevenueCat's events in analytics tools are refused by name`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [in/receipts.ndjson]
        prices: [{files: in/events.ndjson, format: amplitude, events: [rc_renewal_event]}]
      """)
    let ending = try shop.run("paidline", "check")
    #expect(ending.status == 78)
    #expect(ending.errors.contains("US dollars under the currency of the purchase"))
  }
}
