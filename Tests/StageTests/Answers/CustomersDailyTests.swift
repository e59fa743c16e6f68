internal import Foundation
internal import TestSupport
internal import Testing

/// `customers_daily` includes customers who never bought anything.
struct CustomersDailyTests {
  private static let all = "SELECT * FROM customers_daily ORDER BY date_day, storefront"

  /// A record of a customer without a purchase.
  private static func visit(
    _ customer: String, _ day: String, in storefront: String? = nil, app: String = "com.example",
    environment: String = "Production"
  ) -> String {
    let place = storefront.map { "\"storefront\":\"\($0)\"," } ?? ""
    return """
      {"received_at":"\(day)T10:00:00Z","customer_id":"\(customer)",\(place)"response":{"status":0,\
      "environment":"\(environment)","receipt":{"bundle_id":"\(app)","in_app":[]}}}

      """
  }

  private static let first = [
    Export.purchase(1001, day: "2021-02-01", customer: "buyer"),
    visit("visitor", "2021-02-03"), visit("other", "2021-02-03", in: "GBR"),
    visit("tester", "2021-02-03", environment: "Sandbox"),
    visit("stranger", "2021-02-03", app: "com.elsewhere"),
  ]
  private static let second = [
    // The visitor is in Germany later; the other customer is from before the first file.
    visit("visitor", "2021-02-09", in: "DEU"), visit("other", "2021-02-02"),
    // In a record three days before the trial.
    visit("trier", "2021-02-07", in: "USA"),
    Export.purchase(1002, day: "2021-02-10", customer: "trier", price: nil, trial: true),
    // A purchase with an unknown amount.
    Export.purchase(1003, day: "2021-02-11", customer: "unknown", price: nil)
      .replacing("\"product_id\":\"pro\"", with: "\"product_id\":\"rare\""),
  ]
  /// The columns: day, storefront, customers, buyers, with a trial, payers, possible payers.
  private static let expected = [
    "2021-02-01|USA|1|1|0|1|1", "2021-02-02|GBR|1|0|0|0|0", "2021-02-03|DEU|1|0|0|0|0",
    "2021-02-07|USA|1|1|1|0|0", "2021-02-11|USA|1|1|0|0|1",
  ]

  private func shop() throws -> Shop { try Shop(more: "bundle_ids: [com.example]") }

  @Test func `several runs count what one run counts`() throws {
    let whole = try shop()
    try whole.folder.write("in/a.ndjson", (Self.first + Self.second).joined())
    #expect(try whole.run("paidline", "run", whole.pipeline).status == 0)
    #expect(try whole.rows(Self.all) == Self.expected)
    let incremental = try shop()
    try incremental.folder.write("in/a.ndjson", Self.first.joined())
    #expect(try incremental.run("paidline", "run", incremental.pipeline).status == 0)
    #expect(
      try incremental.rows(Self.all) == [
        "2021-02-01|USA|1|1|0|1|1", "2021-02-03||1|0|0|0|0", "2021-02-03|GBR|1|0|0|0|0",
      ])
    for (number, record) in Self.second.enumerated() {
      try incremental.folder.write("in/b\(number).ndjson", record)
      #expect(try incremental.run("paidline", "run", incremental.pipeline).status == 0)
    }
    #expect(try incremental.rows(Self.all) == Self.expected)
    #expect(
      try incremental.rows("SELECT SUM(customers) FROM customers_daily WHERE buyers = 0") == ["2"])
  }

  @Test func `the price reports of a tester make no customer`() throws {
    let shop = try Shop(inputs: [#"prices: ["prices/*.csv"]"#], more: "bundle_ids: [com.example]")
    try shop.folder.write(
      "in/a.ndjson",
      [
        Export.purchase(1001, day: "2021-02-01", customer: "buyer"),
        Self.visit("tester", "2021-02-03", environment: "Sandbox"),
        // Tests the app and uses it.
        Self.visit("both", "2021-02-03", environment: "Sandbox"), Self.visit("both", "2021-02-04"),
      ].joined())
    try shop.folder.write(
      "prices/a.csv",
      "customer_id,product_id,price,currency,reported_at\n"
        + ["tester,05", "both,03", "reader,06"].map {
          let parts = $0.split(separator: ",")
          return "\(parts[0]),pro,9.99,USD,2021-02-\(parts[1])T10:00:05Z\n"
        }.joined())
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT date_day, SUM(customers) FROM customers_daily GROUP BY 1") == [
        "2021-02-01|1", "2021-02-03|1", "2021-02-06|1",
      ])
  }

  @Test func `a forgotten file takes its customers along`() throws {
    let shop = try shop()
    try shop.folder.write("in/a.ndjson", Self.first.joined())
    try shop.folder.write("in/b.ndjson", Self.second.joined())
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.all) == Self.expected)
    let hash = try shop.rows("SELECT sha256 FROM audit_file WHERE name LIKE '%b.ndjson'")[0]
    let ending = try shop.run("paidline", "forget", shop.pipeline, "--file", hash)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows(Self.all) == [
        "2021-02-01|USA|1|1|0|1|1", "2021-02-03||1|0|0|0|0", "2021-02-03|GBR|1|0|0|0|0",
      ])
  }

  @Test(arguments: OracleStore.allCases)
  func `buyers and payers are those of dim_customer`(_ store: OracleStore) throws {
    let shop = try store.shop()
    #expect(
      try shop.rows(
        "SELECT SUM(buyers), SUM(trial_customers), SUM(payers), SUM(possible_payers)"
          + " FROM customers_daily")
        == shop.rows(
          """
          SELECT count(1), count(first_trial_at), count(first_paid_at),
            SUM(first_paid_at IS NOT NULL OR unresolved_rows > 0) FROM dim_customer
          """))
    // The sample store's exports have records of customers who bought nothing.
    let more = try shop.rows("SELECT SUM(customers) > SUM(buyers) FROM customers_daily")
    #expect(store != .sample || more == ["1"])
  }
}
