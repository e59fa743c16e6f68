internal import TestSupport
internal import Testing

/// Exports of services under the format of another service.
struct WrongFormatTests {
  private func write(_ format: String, more: String = "", to shop: Shop) throws {
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      customer_key_file: customer.key
      inputs:
        exports: [{files: "in/*", format: \(format)\(more)}]
      """)
  }

  private func count(_ shop: Shop) throws -> [String] {
    try shop.rows("SELECT count(1) FROM fct_revenue")
  }

  /// RevenueCat's table with one purchase for each id.
  private static func table(_ ids: ClosedRange<Int>) -> String {
    "product_identifier,store_transaction_id,original_store_transaction_id,start_time,end_time,"
      + "store,purchased_currency,purchase_price_in_purchased_currency\n"
      + ids.map {
        "pro,\($0),\($0),2024-03-02 10:00:00,2024-04-02 10:00:00,app_store,USD,9.99\n"
      }.joined()
  }

  /// One event of Qonversion's webhook.
  private static func event(_ name: String, _ id: Int) -> String {
    #"{"event_name":"\#(name)","time":1709373600,"product_id":"pro","custom_user_id":"c-1","#
      + #""price":{"value":9.99,"currency":"USD"},"transaction":{"transaction_id":\#(id),"#
      + #""original_transaction_id":\#(id),"expires":1712052000},"environment":"production","#
      + #""platform":"iOS"}"# + "\n"
  }

  @Test(arguments: [
    ("superwall_webhook", "data.name, type", "initial_purchase"),
    ("qonversion_webhook", "event_name", "in_app_purchase"),
  ])
  func `the run stops and names the format, and what was published stays`(
    _ format: String, _ path: String, _ event: String
  ) throws {
    let shop = try Shop()
    try shop.folder.write("in/rc.csv", Self.table(1001...1007))
    try write("revenuecat_export", to: shop)
    #expect(try shop.run("paidline", "run").status == 0)
    try write(format, to: shop)
    for night in 1...2 {
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 65, "night \(night): \(ending.errors)")
      for text in [
        "no record of in/rc.csv is an event of a purchase in the format \(format): the first has no "
          + "\(path); purchases are ", event,
        "It seems to hold RevenueCat's export: list it under inputs.exports with format: "
          + "revenuecat_export.", "--accept no_usable_record",
      ] {
        #expect(ending.errors.contains(text), "\(ending.errors)")
      }
      #expect(!ending.errors.contains("Export the column"), "\(ending.errors)")
      #expect(try count(shop) == ["7"])
    }
    #expect(
      try shop.run("paidline", "status").output
        .contains("held: in/rc.csv: 7 records without a purchase"))
    try write("revenuecat_export", to: shop)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try count(shop) == ["7"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
    try write(format, to: shop)
    let accepted = try shop.run("paidline", "run", "--accept", "no_usable_record")
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(try count(shop) == ["0"])
    #expect(try shop.run("paidline", "run").status == 0)
  }

  @Test func `a first run of a wrong format publishes nothing`() throws {
    let shop = try Shop(export: #"{files: "in/*", format: adapty_export}"#)
    try shop.folder.write("in/a.csv", Self.table(1001...1002))
    try shop.folder.write("in/b.csv", Self.table(1003...1004))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("no record of 2 files of in/*, in/a.csv the first, can be used"),
      "\(ending.errors)")
    #expect(ending.errors.contains("It seems to hold RevenueCat's export"), "\(ending.errors)")
    #expect(!shop.folder.has("out/warehouse.db"))
  }

  @Test func `a day of other events alone is none where the entry has purchases`() throws {
    let shop = try Shop(export: #"{files: "in/*", format: qonversion_webhook}"#)
    try shop.folder.write("in/1.ndjson", Self.event("subscription_started", 1001))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/2.ndjson", Self.event("user_seen", 1001))
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
  }

  @Test(arguments: ["subscription_started", "subscription_canceled"])
  func `a first day of other events is used once a later day has more`(_ name: String) throws {
    let shop = try Shop(export: #"{files: "in/*", format: qonversion_webhook}"#)
    try shop.folder.write("in/1.ndjson", Self.event("user_seen", 1001))
    let first = try shop.run("paidline", "run")
    #expect(first.status == 65 && first.errors.contains(": the first is the event user_seen;"))
    #expect(!first.errors.contains("seems to hold"), "\(first.errors)")
    try shop.folder.write("in/2.ndjson", Self.event(name, 1001))
    let second = try shop.run("paidline", "run")
    #expect(second.status == 0, "\(second.errors)")
    #expect(
      try shop.rows("SELECT name, status FROM audit_file ORDER BY 1")
        == ["in/1.ndjson|used", "in/2.ndjson|used"])
  }

  @Test func `a whole table without a purchase does not replace one with purchases`() throws {
    let shop = try Shop()
    try write("qonversion_webhook", more: ", replaces: true", to: shop)
    let days = (1001...1030).map { Self.event("subscription_started", $0) }
    try shop.folder.write("in/all.ndjson", days.joined())
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try count(shop) == ["30"])
    let others = days.joined().replacing("subscription_started", with: "new_name")
    try shop.folder.write("in/all.ndjson", others)
    for _ in 1...2 {
      #expect(try shop.run("paidline", "run").status == 65)
      #expect(try count(shop) == ["30"])
    }
    try shop.folder.write("in/all.ndjson", days.dropFirst().joined())
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(try count(shop) == ["29"])
    #expect(try shop.rows("SELECT count(1) FROM audit_file") == ["1"])
  }
}
