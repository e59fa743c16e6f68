internal import Foundation
internal import TestSupport
internal import Testing

/// Prices from webhooks and tables, from the exports to the facts.
struct FormatRunTests {
  /// Three customers who bought a month on the same day.
  private static let ids = [300_001, 300_002, 300_003]

  /// Apple's response for a purchase.
  private static func answer(_ id: Int) -> String {
    let record = Export.purchase(id, day: "2024-05-01", customer: "c-\(id)", price: nil)
    let start = record.range(of: #""response":"#).map(\.upperBound) ?? record.startIndex
    return String(record[start...].dropLast(2))
  }

  /// RevenueCat's webhook for a purchase: 7,900 KRW, which is 5.92 US dollars.
  private static func event(_ id: Int, type: String = "INITIAL_PURCHASE") -> String {
    """
    {"id":"e-\(id)","type":"\(type)","event_timestamp_ms":1714557610000,"app_user_id":"c-\(id)",\
    "store":"APP_STORE","product_id":"pro","transaction_id":"\(id)","environment":"PRODUCTION",\
    "period_type":"NORMAL","price":5.92,"price_in_purchased_currency":7900,"currency":"KRW",\
    "country_code":"KR","purchased_at_ms":1714557600000}
    """
  }

  private static func shop(prices: String) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [in/receipts.ndjson]
        prices: [\(prices)]
        price_keys: {reported_at: purchased_at_ms}
      customer_key_file: customer.key
      """)
    try shop.folder.write(
      "in/receipts.ndjson",
      ids.map {
        Export.purchase($0, day: "2024-05-01", customer: "c-\($0)", price: nil)
          .replacing("\"USA\"", with: "\"KOR\"")
      }.joined())
    try shop.folder.write(
      "in/events.ndjson", ids.map { event($0) }.joined(separator: "\n") + "\n")
    return shop
  }

  private static let amounts =
    "SELECT currency, paid_milli, price_status, price_rule FROM fct_revenue ORDER BY transaction_id"

  @Test func `a webhook that is read plainly stops the run, and its format settles it`() throws {
    let shop = try Self.shop(prices: "in/events.ndjson")
    let plan = try shop.run("paidline", "run", "--dry-run", "--look", "10")
    #expect(plan.status == 65)
    #expect(plan.output.contains("stopped by no_usable_record, unnamed_format."), "\(plan.output)")
    for _ in 1...2 {
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 65)
      #expect(ending.errors.contains("format: revenuecat_webhook"), "\(ending.errors)")
      #expect(ending.errors.contains("--accept unnamed_format"), "\(ending.errors)")
    }
    let text = try String(contentsOfFile: shop.folder.path("pipeline.yaml"), encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml",
      text.replacing(
        "prices: [in/events.ndjson]",
        with: "prices: [{files: in/events.ndjson, format: revenuecat_webhook}]"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    // 7,900 won each; two other customers report the same price.
    #expect(
      try shop.rows(Self.amounts)
        == Self.ids.map { _ in "KRW|7900000|exact|reported_charge" })
    // The file is read again only if its entry in the pipeline has changed.
    #expect(try shop.run("paidline", "run", "-v").errors.contains("no new file"))
  }

  @Test func `a charged price of an unknown purchase is set aside`() throws {
    let shop = try Self.shop(prices: "{files: in/events.ndjson, format: revenuecat_webhook}")
    try shop.folder.write("in/events.ndjson", Self.event(200_000_000_999_999) + "\n")
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT verdict FROM price_evidence") == ["charged"])
  }

  @Test(arguments: [
    ("{files: in/events.ndjson, format: revenuecat_webhok}", "revenuecat_webhook"),
    ("{files: in/events.ndjson, format: mixpanel}", "product_id, currency"),
    ("{files: in/events.ndjson, keys: {price: a..b}}", "a path"),
    ("{format: ga4}", "files"),
    ("{files: in/events.ndjson, formats: ga4}", "did you mean \"format\""),
    ("{files: in/events.ndjson, format: ga4, price_unit: cents}", "micro"),
  ])
  func `a mistake in an entry is told with file and line`(_ given: (String, String)) throws {
    let shop = try Self.shop(prices: given.0)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 78, "\(ending.errors)")
    #expect(ending.errors.contains("pipeline.yaml:"), "\(ending.errors)")
    #expect(ending.errors.contains(given.1), "\(ending.errors)")
  }

  @Test func `an entry with its own keys names the events that have a price`() throws {
    let keys = """
      {product_id: product_id, price: price_in_purchased_currency, currency: currency, \
      reported_at: purchased_at_ms, customer_id: app_user_id, transaction_id: transaction_id, \
      storefront: country_code, event: type}
      """
    let shop = try Self.shop(
      prices: "{files: in/events.ndjson, keys: \(keys), events: [INITIAL_PURCHASE, PURCHASE]}")
    let others = """
      {"type":"app_open","app_user_id":"c-1"}
      {"type":"RENEWAL","app_user_id":"c-1","price_in_purchased_currency":1}

      """
    let events = Self.ids.map { Self.event($0) }.joined(separator: "\n") + "\n"
    try shop.folder.write("in/events.ndjson", events + others)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(Self.amounts)
        == Self.ids.map { _ in "KRW|7900000|exact|reported_with_purchase" })
    #expect(try shop.rows("SELECT rejected FROM audit_file WHERE kind = 'prices'") == ["0"])
    // If the entry does not list the events to use, other events are invalid reports.
    let vain = try Self.shop(prices: "{files: in/events.ndjson, keys: \(keys)}")
    try vain.folder.write("in/events.ndjson", events + others)
    _ = try vain.run("paidline", "run", "--accept", "rejected_share")
    #expect(try vain.rows("SELECT rejected FROM audit_file WHERE kind = 'prices'") == ["2"])
  }

  @Test func `a path that is not found is named with the one that was probably meant`() throws {
    let keys = """
      {product_id: product_Id, price: price_in_purchased_currency, currency: currency, \
      reported_at: purchased_at_ms, transaction_id: transaction_id, storefront: country_code}
      """
    let shop = try Self.shop(prices: "{files: in/events.ndjson, keys: \(keys)}")
    for arguments in [["check", "--inputs"], ["run", "-n"], ["run"]] {
      let ending = try shop.run("paidline", arguments: arguments)
      let shown = ending.output + ending.errors
      #expect(
        shown.contains(
          "price_without_product, product_id (product_Id); line 1 has product_id"), "\(shown)")
    }
    // The advice is also given for a table, and for receipts at a configured path.
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [{files: in/a.ndjson, keys: {response: payload.aple}}]
        prices: [{files: in/p.csv, keys: {product_id: product_id}}]
      customer_key_file: customer.key
      """)
    try shop.folder.write(
      "in/p.csv", "productid,price,currency,reported_at\npro,9.99,USD,2024-05-01T10:00:00Z\n")
    try shop.folder.write("in/a.ndjson", #"{"payload":{"apple":\#(Self.answer(1))}}"# + "\n")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains("product_id; line 2 has productid"), "\(ending.errors)")
    #expect(ending.errors.contains("no value at response (payload.aple)"), "\(ending.errors)")
    #expect(ending.errors.contains("line 1 has payload.apple"), "\(ending.errors)")
  }

  @Test
  func `events none of which has a price are a warning, once a file had a report they are not`()
    throws
  {
    func write(_ events: String) throws -> Shop {
      let shop = try Self.shop(
        prices: "{files: \"in/ev*.ndjson\", format: revenuecat_webhook, events: [\(events)]}")
      try shop.folder.write("in/events-2.ndjson", Self.event(7, type: "CANCELLATION") + "\n")
      return shop
    }
    let wrong = try write("BOUGHT")
    let warned = try wrong.run("paidline", "run")
    #expect(warned.status == 0)
    #expect(
      warned.errors.contains(
        "no record of in/events-2.ndjson and 1 more file is an event with a price; the first is "
          + "the event CANCELLATION; the pipeline expects BOUGHT."), "\(warned.errors)")
    // A day with only cancellations is not a fault.
    let right = try write("INITIAL_PURCHASE")
    #expect(try right.run("paidline", "run").errors == "")
  }

  @Test func `events need the place of their name`() throws {
    let shop = try Self.shop(prices: "{files: in/events.ndjson, events: [PURCHASE]}")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 78)
    #expect(ending.errors.contains("the entry has no event"), "\(ending.errors)")
  }

  /// A new user's steps: two tables of PostgreSQL, without any line written by hand.
  @Test func `a newcomer comes from two tables to a dashboard`() throws {
    let shop = try Shop()
    func cell(_ json: String) -> String { "\"" + json.replacing("\"", with: "\"\"") + "\"" }
    let receipts = Self.ids.map { "2024-05-01 10:00:10+00,c-\($0),\(cell(Self.answer($0)))\n" }
    let webhooks = Self.ids.map {
      "2024-05-01 10:00:11+00,\(cell(#"{"event":\#(Self.event($0)),"api_version":"1.0"}"#))\n"
    }
    let renewal = "2024-06-01 10:00:11+00,\(cell(Self.event(4, type: "RENEWAL")))\n"
    try shop.folder.write(
      "receipts.csv", "received_at,user_id,response\n" + receipts.joined())
    try shop.folder.write("webhooks.csv", "received_at,body\n" + webhooks.joined() + renewal)
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "receipts.csv", "webhooks.csv")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("receipts.csv: receipts, with keys {customer_id: user_id,"))
    #expect(made.output.contains("webhooks.csv: prices, format revenuecat_webhook"))
    let check = try shop.run("paidline", "check", "--inputs", "shop/pipeline.yaml")
    #expect(check.status == 0, "\(check.errors)")
    let shown = check.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(shown.contains(["price", "7900", "from", "price_in_purchased_currency"]))
    #expect(check.output.contains("customer c-300001"), "\(check.output)")
    let ending = try shop.run("paidline", "run", "shop/pipeline.yaml")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(Self.amounts, in: "shop/var/warehouse.db")
        == Self.ids.map { _ in "KRW|7900000|exact|reported_charge" })
    #expect(FileManager.default.fileExists(atPath: shop.folder.path("shop/var/report.html")))
  }
}
