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
    let shop = try Shop()
    try shop.folder.write(
      "receipts.ndjson", Export.purchase(1001, day: "2024-05-01", customer: "c-1", price: nil))
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
}
