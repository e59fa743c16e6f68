internal import TestSupport
internal import Testing

/// The part of the money in Apple's reports that is equal in the facts.
///
/// The tests read the output of `paidline reconcile`.
struct EqualShareTests {
  /// Two refunded purchases of May 1, and Apple's reports with a third charge.
  private static func shop(currency: String = "", more: String = "") throws -> Shop {
    let rates = currency.isEmpty ? [] : ["rates: rates.csv"]
    let shop = try Shop(
      receipts: "in/*.ndjson",
      inputs: [#"apple_reports: ["apple/*-{date}.txt"]"#, "catalog: catalog.yaml"] + rates,
      more: currency)
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          apple_id: 77
          kind: auto_renewable_subscription
          prices: [{currency: USD, price: "9.99", from: 2024-01-01}]
      """)
    try shop.folder.write("rates.csv", "Date,USD,\n2024-05-01,1.25,\n")
    try shop.folder.write("in/a.ndjson", purchase(1001, "ana") + purchase(1002, "ben"))
    let header = """
      Event Date\tSubscription Apple ID\tSubscription Offer Type\tCustomer Price\t\
      Customer Currency\tCountry\tSubscriber ID\tRefund\tPurchase Date\tUnits

      """
    let refund = "2024-05-03\t77\t\t9.99\tUSD\tUS\t4711\tYes\t2024-05-01\t1\n"
    try shop.folder.write(
      "apple/subscriber-2024-05-01.txt", header + charge(3, "9.99", "USD", "US") + more)
    try shop.folder.write("apple/subscriber-2024-05-03.txt", header + refund + refund)
    return shop
  }

  /// A purchase of `pro` on 2024-05-01 in the United States, refunded two days later.
  private static func purchase(_ id: Int, _ customer: String) -> String {
    """
    {"customer_id":"\(customer)","storefront":"USA","response":{"status":0,\
    "environment":"Production","receipt":{"bundle_id":"com.example",\
    "request_date":"2024-05-15 00:00:00 Etc/GMT"},"latest_receipt_info":[\
    {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
    "web_order_line_item_id":"\(id + 5000)","product_id":"pro",\
    "purchase_date":"2024-05-01 12:00:00 Etc/GMT","expires_date":"2024-06-01 12:00:00 Etc/GMT",\
    "cancellation_date":"2024-05-03 12:00:00 Etc/GMT","cancellation_reason":"0"}]}}

    """
  }

  private static func charge(_ units: Int, _ price: String, _ currency: String, _ country: String)
    -> String
  {
    "2024-05-01\t77\t\t\(price)\t\(currency)\t\(country)\t4711\t\t\t\(units)\n"
  }

  private static func report(_ shop: Shop) throws -> String {
    let run = try shop.run("paidline", arguments: ["run", "pipeline.yaml"])
    #expect(run.status == 0, "\(run.errors)")
    return try shop.run("paidline", "reconcile", "pipeline.yaml").output
  }

  @Test func `charges and refunds are compared apart`() throws {
    let shop = try Self.shop()
    // Two charges and two refunds are equal; Apple has one more charge. 39.96 ÷ 49.95 = 0.8.
    let text = try Self.report(shop)
    #expect(
      text.hasPrefix(
        """
        80.0 % of the money of Apple's reports and of the facts is the same charge at the same \
        price.
        Its price comes from Apple's reports for at most 0.0 % of it, whose agreement proves \
        nothing.
        Compared
        """), "\(text)")
  }

  @Test func `without a reporting currency the others are named`() throws {
    let text = try Self.report(Self.shop(more: Self.charge(2, "8.99", "EUR", "DE")))
    #expect(
      text.hasPrefix(
        """
        80.0 % of the money of Apple's reports and of the facts is the same charge at the same \
        price.
        Its price comes from Apple's reports for at most 0.0 % of it, whose agreement proves \
        nothing.
        Only in USD, the currency with the most units sold. Not in this figure: 2 units in 1 \
        other currency; set reporting_currency and inputs.rates to compare all.
        Compared
        """), "\(text)")
  }

  @Test func `currencies that only Apple has are converted by the rates of the pipeline`() throws {
    let text = try Self.report(
      Self.shop(
        currency: "reporting_currency: USD",
        more: Self.charge(2, "8.99", "EUR", "DE") + Self.charge(1, "300", "TWD", "TW")))
    // 17.98 EUR × 1.25 = 22.475 USD; 39.96 ÷ (49.95 + 22.475) = 0.5517. The file has no TWD.
    #expect(
      text.hasPrefix(
        """
        55.1 % of the money of Apple's reports and of the facts is the same charge at the same \
        price.
        Its price comes from Apple's reports for at most 0.0 % of it, whose agreement proves \
        nothing.
        Not in this figure, because no rate to USD was found: 1 unit in TWD. Add these rates under \
        inputs.rates or inputs.more_rates.
        Compared
        """), "\(text)")
  }
}
