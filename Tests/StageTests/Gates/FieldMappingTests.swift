internal import Foundation
internal import TestSupport
internal import Testing

/// Exports with their own key names and their own unit of prices.
struct FieldMappingTests {
  /// Writes a pipeline with these lines under `inputs`, and the catalogue, if any.
  private func write(_ shop: Shop, _ inputs: [String] = [], catalogue: String? = nil) throws {
    if let catalogue { try shop.folder.write("catalog.yaml", catalogue) }
    let lines = inputs + (catalogue == nil ? [] : ["catalog: catalog.yaml"])
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: ["in/receipts*"]
        prices: ["in/prices*"]
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      customer_key_file: customer.key
      """)
  }

  /// Writes receipts of ten customers and the reports of their phones; the closure makes each
  /// report's line.
  private func export(_ shop: Shop, report: (Int) -> String) throws {
    try shop.folder.write(
      "in/receipts.ndjson",
      (1001...1010).map { Export.purchase($0, day: "2021-02-01", customer: "c-\($0)", price: nil) }
        .joined())
    try shop.folder.write("in/prices.ndjson", (1001...1010).map(report).joined(separator: "\n"))
  }

  private static func report(_ id: Int, price: String) -> String {
    """
    {"product_id":"pro","currency":"USD","price":\(price),"customer_id":"c-\(id)",\
    "transaction_id":"\(id)","reported_at":"2021-02-01T10:00:05Z"}
    """
  }

  private static let catalogue = """
    products:
      - product_id: pro
        kind: auto_renewable_subscription
        prices: [{currency: USD, price: 9.99, from: 2020-01-01}]
    """

  private func amounts(_ shop: Shop) throws -> [String] {
    try shop.rows("SELECT price_status, paid_milli, count(1) FROM fct_revenue GROUP BY 1, 2")
  }

  @Test func `names said in the pipeline are read, and what was held under others is read again`()
    throws
  {
    let shop = try Shop()
    try write(shop)
    try export(shop) { id in
      """
      {"sku":"pro","cur":"USD","amount":"9.99","uid":"c-\(id)","ts":"2021-02-01T10:00:05Z"}
      """
    }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("no record of in/prices.ndjson can be used"))
    try write(
      shop,
      [
        "price_keys: {product_id: sku, currency: cur, price: amount, customer_id: uid, "
          + "reported_at: ts}"
      ]
    )
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try amounts(shop) == ["derived|9990|10"])
    #expect(try shop.run("paidline", "verify", "pipeline.yaml", "--full").status == 0)
  }

  @Test func `a receipt under a name of the shop's own is read by it`() throws {
    let shop = try Shop()
    try write(shop, ["receipt_keys: {customer_id: user_id, response: payload}"])
    try shop.folder.write("in/prices.ndjson", Self.report(1001, price: "9.99"))
    try shop.folder.write(
      "in/receipts.ndjson",
      Export.purchase(1001, day: "2021-02-01", price: nil)
        .replacing("customer_id", with: "user_id")
        .replacing("\"response\"", with: "\"payload\""))
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.rows("SELECT count(1), count(customer_key), sum(paid_milli) FROM fct_revenue")
        == ["1|1|9990"])
  }

  @Test func `used files speak by the names of today; those that are gone are told`() throws {
    let shop = try Shop()
    try write(shop)
    try export(shop) { Self.report($0, price: "999") }
    try shop.folder.write("in/prices-old.ndjson", Self.report(1001, price: "998"))
    #expect(try shop.run("paidline", "run", "--accept", "price_unit").status == 0)
    try FileManager.default.removeItem(atPath: shop.folder.path("in/prices-old.ndjson"))
    try write(shop, ["price_unit: minor"])
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        """
        in/prices-old.ndjson were read under other key names or another price_unit and are no longer
        """) || ending.errors.contains("in/prices-old.ndjson was read under"), "\(ending.errors)")
    #expect(
      try shop.rows("SELECT DISTINCT price_milli FROM price_evidence ORDER BY 1")
        == ["9990", "998000"])
  }

  // MARK: Units

  @Test(arguments: [("999", "minor"), ("9990", "thousandth")])
  func `cents or thousandths stop the run, with the remedy`(
    price: String, unit: String
  ) throws {
    let shop = try Shop()
    try write(shop)
    try export(shop) { Self.report($0, price: price) }
    let ending = try shop.run("paidline", "run")
    #expect(
      ending
        == Ending(
          status: 65, output: "",
          errors: """
            paidline-reconstruct: all prices in in/prices.ndjson are whole numbers, most of three \
            digits or more, as if they were cents or thousandths, but are read as main units: 999 \
            as 999.00. Set price_unit, under inputs or in the entry of these files, to main, \
            minor, thousandth or micro; the next run reads the files again.
            If these data are right, accept them for one run with --accept price_unit.
            More: Docs/inputs.md.
            Nothing was published.

            """))
    try write(shop, ["price_unit: \(unit)"])
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try amounts(shop) == ["exact|9990|10"])
    #expect(
      try shop.run("paidline", "status").output.hasPrefix("OK: "), "nothing stands any more")
  }

  @Test func `cents in an entry with its own keys stop the run until it has the unit`() throws {
    let shop = try Shop()
    func write(_ unit: String) throws {
      try self.write(shop)
      let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
      try shop.folder.write(
        "pipeline.yaml",
        pipeline.replacing(
          "prices: [\"in/prices*\"]",
          with: "prices: [{files: \"in/prices*\", keys: {price: amount}\(unit)}]"))
    }
    try write("")
    try export(shop) { Self.report($0, price: "999").replacing("price", with: "amount") }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("999 as 999.00"), "\(ending.errors)")
    #expect(ending.errors.contains("price_unit, under inputs or in the entry of these files"))
    #expect(try shop.run("paidline", "run", "--accept", "price_unit").status == 0)
    #expect(try amounts(shop) == ["exact|999000|10"])
    try write(", price_unit: minor")
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try amounts(shop) == ["exact|9990|10"])
  }

  @Test func `whole numbers are believed where the pipeline says the unit`() throws {
    let shop = try Shop()
    try write(shop, ["price_unit: main"])
    try export(shop) { Self.report($0, price: "999") }
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try amounts(shop) == ["exact|999000|10"])
  }

  @Test(arguments: ["999.5", "1020", "9990"])
  func `prices far from the catalogue's by a power of ten are told of`(price: String) throws {
    let shop = try Shop()
    try write(shop, ["price_unit: main"], catalogue: Self.catalogue)
    try export(shop) { Self.report($0, price: price) }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.hasPrefix(
        """
        paidline-reconstruct: warning: most prices of pro in in/prices.ndjson are 100 or 1000 \
        times higher or lower than in the catalogue or in other reports, and decide no amount. Set \
        price_unit, under inputs or in the entry of these files, to main, minor, thousandth or \
        micro; the next run reads the files again. More: Docs/inputs.md.

        """), "\(ending.errors)")
  }

  @Test func `the catalogue's prices decide the unit, against all reports`() throws {
    let shop = try Shop()
    try write(shop, catalogue: Self.catalogue)
    try export(shop) { Self.report($0, price: "999") }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.components(separatedBy: "in/prices.ndjson").count == 2, "told once for the file"
    )
    #expect(try shop.run("paidline", "run", "--accept", "price_unit").status == 0)
    #expect(
      try shop.rows("SELECT verdict, count(1) FROM price_evidence GROUP BY 1")
        == ["unit_error|10"])
    // The catalogue's price is used, and no amount is 999.
    #expect(try amounts(shop) == ["configured|9990|10"])
  }

  @Test func `a new file in cents among files in dollars is told of`() throws {
    let shop = try Shop()
    try write(shop, ["price_unit: main"])
    try export(shop) { Self.report($0, price: "9.99") }
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    try shop.folder.write(
      "in/prices-2.ndjson",
      (100_000_000_002_001...100_000_000_002_004).map { Self.report($0, price: "999") }
        .joined(separator: "\n"))
    let ending = try shop.run("paidline", "run")
    #expect(
      ending.errors.contains("most prices of pro in in/prices-2.ndjson are 100 or 1000 times"))
    #expect(try amounts(shop) == ["exact|9990|10"])
  }

  @Test(arguments: ["JPY", "KRW"])
  func `currencies without decimals have whole prices`(currency: String) throws {
    let shop = try Shop()
    try write(shop)
    try export(shop) { Self.report($0, price: "1200").replacing("USD", with: currency) }
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
  }
}
