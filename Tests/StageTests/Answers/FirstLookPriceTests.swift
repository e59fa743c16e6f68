internal import Foundation
internal import TestSupport
internal import Testing

/// Exports of prices that `paidline init --from` must name although their first records have no
/// usable price.
struct FirstLookPriceTests {
  /// A test purchase and a renewal: neither price is used, but both mark the format.
  private static let webhooks = """
    {"type":"INITIAL_PURCHASE","environment":"SANDBOX","store":"APP_STORE","product_id":"pro",\
    "app_user_id":"c-1","transaction_id":"1","currency":"KRW","price":5.92,\
    "price_in_purchased_currency":7900,"purchased_at_ms":1714557600000}
    {"type":"RENEWAL","environment":"PRODUCTION","store":"APP_STORE","product_id":"pro",\
    "app_user_id":"c-1","transaction_id":"2","currency":"KRW","price":5.92,\
    "price_in_purchased_currency":7900,"purchased_at_ms":1714557600000}

    """

  /// A purchase after thirty other events.
  private static let events =
    others + """
      {"event_type":"revenue_amount","user_id":"c-1","time":1714557607000,"event_properties":\
      {"$productId":"pro","$price":9.99,"$currency":"USD"}}

      """

  /// Thirty events without a purchase.
  private static let others = (0..<30).map {
    "{\"event_type\":\"session_start\",\"user_id\":\"c-1\",\"time\":\(1_714_557_600_000 + $0)}\n"
  }.joined()

  /// A product as Apphud's SDK sends it, without a record around it.
  private static let product =
    #"{"product_id":"pro","price":9.99,"currency_code":"USD","country_code":"US","#
    + #""unit":"month","units_count":1}"# + "\n"

  @Test func `a format is named by events without a usable price, and by products without a time`()
    throws
  {
    let shop = try Self.shop()
    try shop.folder.write("webhooks.ndjson", Self.webhooks)
    try shop.folder.write("events.ndjson", Self.events)
    try shop.folder.write("products.ndjson", Self.product)
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "receipts.ndjson", "webhooks.ndjson", "events.ndjson",
      "products.ndjson")
    #expect(made.status == 0, "\(made.errors)")
    for line in [
      "webhooks.ndjson: prices, format revenuecat_webhook\n",
      "events.ndjson: prices, format amplitude\n",
      "products.ndjson: prices, format apphud, but without a time: add reported_at to each ",
    ] { #expect(made.output.contains(line), "\(made.output)") }
    let pipeline = try String(
      contentsOfFile: shop.folder.path("shop/pipeline.yaml"), encoding: .utf8)
    #expect(pipeline.contains(#"{files: "../webhooks.ndjson", format: revenuecat_webhook}"#))
    #expect(!pipeline.contains("products.ndjson"))
  }

  /// A shop with the receipt of one purchase in `receipts.ndjson`.
  private static func shop() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "receipts.ndjson", Export.purchase(1001, day: "2024-05-01", customer: "c-1", price: nil))
    return shop
  }

  /// Runs a pipeline that lists `log.ndjson` as receipts.
  private static func runWithLogAsReceipts(_ shop: Shop) throws -> Ending {
    try shop.folder.write(
      "wrong.yaml",
      "state: s.db\nwarehouse: w.db\ninputs: {receipts: [receipts.ndjson, log.ndjson]}\n")
    return try shop.run("paidline", "run", "wrong.yaml")
  }

  /// A purchase as an owner's own database stores it, with some more members.
  private static func purchase(_ id: Int, _ members: String) -> String {
    #"{"user_id":"c-1","transaction_id":"\#(id)","product_id":"pro","price":9.99,"currency":"USD","#
      + members + "}\n"
  }

  @Test func `an own log of purchases has prices, not receipts`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "log.ndjson", Self.purchase(1001, #""purchase_date":"2024-05-01T10:00:00Z""#))
    let made = try shop.run("paidline", "init", "shop", "--from", "receipts.ndjson", "log.ndjson")
    #expect(made.output.contains("log.ndjson: prices, with keys {product_id: product_id, "))
    #expect(made.output.contains("reported_at: purchase_date, "))
    #expect(try shop.run("paidline", "run", "shop/pipeline.yaml").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue", in: "shop/var/warehouse.db") == ["1"])
    // Listed as receipts, the file is refused with the input that fits.
    let wrong = try Self.runWithLogAsReceipts(shop)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("inputs.prices"), "\(wrong.errors)")
  }

  @Test func `prices of other stores and of test purchases are left out`() throws {
    let shop = try Self.shop()
    let members = #""reported_at":"2024-05-01T10:00:00Z","environment":"PRODUCTION","platform":""#
    try shop.folder.write(
      "prices.ndjson",
      Self.purchase(1001, members + #"IOS""#) + Self.purchase(1, members + #"ANDROID""#))
    try shop.folder.write(
      "android.ndjson",
      Self.purchase(2, #""purchased_at":"2024-05-01T10:00:00Z","platform":"ANDROID""#))
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "receipts.ndjson", "prices.ndjson", "android.ndjson")
    #expect(
      made.output.contains(
        "prices.ndjson: prices, with keys {platform: platform, environment: environment}\n"),
      "\(made.output)")
    #expect(made.output.contains("transaction_id: transaction_id, platform: platform}\n"))
    #expect(try shop.run("paidline", "run", "shop/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT count(1) FROM price_evidence", in: "shop/var/warehouse.db") == ["1"])
  }

  @Test func `a local price gets the currency beside it`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "prices.ndjson",
      Self.purchase(
        1001, #""local_price":9.29,"local_currency":"EUR","purchased_at":"2024-05-01T10:00:00Z""#))
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "receipts.ndjson", "prices.ndjson")
    #expect(
      made.output.contains("price: local_price, currency: local_currency, "), "\(made.output)")
  }

  @Test func `a map of all customers is not taken for the response of one`() throws {
    let shop = try Shop()
    let row = #"{"transaction_id":"1001","product_id":"pro","purchase_date_ms":"1714557600000"}"#
    let answer = #"{"status":0,"latest_receipt_info":[\#(row)]}"#
    try shop.folder.write(
      "map.json", #"{"c-1":\#(answer),"c-2":\#(answer),"c-3":\#(answer)}"#)
    let made = try shop.run("paidline", "init", "shop", "--from", "map.json")
    #expect(made.status == 65)
    #expect(made.output.contains("map.json: one object with a key for each customer; "))
  }

  @Test func `a price log as the response of a record is refused, too`() throws {
    let shop = try Self.shop()
    let row = Self.purchase(1001, #""purchase_date":"2024-05-01T10:00:00Z""#).dropLast()
    try shop.folder.write("log.ndjson", #"{"customer_id":"c-1","response":[\#(row)]}"# + "\n")
    let wrong = try Self.runWithLogAsReceipts(shop)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("not_a_receipt"), "\(wrong.errors)")
  }

  @Test(arguments: [
    #""purchase_date":"2024-05-01 10:00:00 Etc/GMT""#,
    #""purchase_date":"2024-05-01T10:00:00Z","is_trial_period":"false""#,
  ])
  func `a row of Apple may have a price beside it`(members: String) throws {
    let shop = try Shop()
    try shop.folder.write("rows.ndjson", Self.purchase(1001, members))
    let made = try shop.run("paidline", "init", "shop", "--from", "rows.ndjson")
    #expect(made.output.contains("rows.ndjson: receipts"), "\(made.output)")
  }

  @Test func `decoded transactions in a table are not taken for prices`() throws {
    let shop = try Self.shop()
    try shop.folder.write(
      "transactions.csv",
      """
      customer_id,transactionId,productId,purchaseDate,price,currency,signedDate
      c-1,1001,pro,1714557600000,9990,USD,1714557600000

      """)
    let made = try shop.run(
      "paidline", "init", "shop", "--from", "receipts.ndjson", "transactions.csv")
    #expect(
      made.output.contains("transactions.csv: decoded transactions in a table; "),
      "\(made.output)")
  }

  @Test func `several responses beside a customer id are no map of customers`() throws {
    let shop = try Shop()
    let row = #"{"transaction_id":"1001","product_id":"pro","purchase_date_ms":"1714557600000"}"#
    let answer = #"{"status":0,"latest_receipt_info":[\#(row)]}"#
    try shop.folder.write(
      "answers.ndjson", #"{"user":"c-1","verify":\#(answer),"previous":\#(answer)}"# + "\n")
    let made = try shop.run("paidline", "init", "shop", "--from", "answers.ndjson")
    #expect(
      made.output.contains("with keys {customer_id: user, response: verify}"), "\(made.output)")
  }
}
