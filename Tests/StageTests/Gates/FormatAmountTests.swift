internal import Foundation
internal import TestSupport
internal import Testing

/// The sample of a format with two purchases, and their amounts, computed by hand.
struct FormatAmount: Sendable, CustomTestStringConvertible {
  /// The kind of the first purchase in Apple's response.
  enum Row: Sendable {
    case regular, trial, introductory
    case promotional(String)
  }

  var format: String
  /// The product and the day of the report in the sample.
  var product = "com.app.monthly"
  var day = "2024-05-01"
  /// The customer in the sample.
  var customer = "c-1"
  /// The transaction id in the sample; 1001 if it has none.
  var transaction = "1001"
  var storefront = "USA"
  var row = Row.regular
  /// The amount for the sample's customer, with status and rule.
  var paid: String
  /// The amount for another customer on the same day, for whom there is no report.
  var other: String
  var testDescription: String { format }
}

/// The amounts that follow from the sample of each format, with the real programs.
struct FormatAmountTests {
  private static let apple = "2000000335310644"
  /// A list price that one customer reported is used for all others, unconfirmed.
  private static let listed = "USD 9990 inferred price_history"
  private static let shown = "USD 9990 derived customer_report"
  private static let named = "USD 9990 derived reported_with_purchase"
  /// The introductory price of most samples, 0.99 a month.
  private static let introductory = "USD 990 derived customer_report"
  private static let free = "USD 0 zero_by_rule free_trial"

  static let all = [
    // 5.99 a week, and the offer promo000 of 0.99, which was used.
    FormatAmount(
      format: "adapty", product: "weekly.premium.599", transaction: apple,
      row: .promotional("promo000"), paid: "USD 990 derived reported_with_purchase",
      other: "USD 5990 inferred price_history"),
    // price_local 7900, not price_usd 5.92; a charge of a regular purchase is the list price.
    FormatAmount(
      format: "adapty_webhook", transaction: apple, storefront: "KOR",
      paid: "KRW 7900000 derived reported_charge",
      other: "KRW 7900000 inferred price_history"),
    // 9.99000
    FormatAmount(format: "adjust", transaction: apple, paid: named, other: listed),
    FormatAmount(format: "amplitude", paid: shown, other: listed),
    // 99.98999786376953 is the 32-bit float of 99.99; a week's trial is free.
    FormatAmount(
      format: "apphud", product: "com.app.yearly", row: .trial, paid: free,
      other: "USD 99990 inferred price_history"),
    // Reported twice, at 6 and 9.99. The report of 9.99 is three minutes after the purchase and so
    // farther away.
    FormatAmount(
      format: "appsflyer", day: "2022-05-12", customer: "uid",
      paid: "USD 6000 derived customer_report", other: "USD 6000 inferred price_history"),
    FormatAmount(format: "branch", transaction: apple, paid: named, other: listed),
    FormatAmount(format: "capgo", row: .introductory, paid: introductory, other: listed),
    // 990000 and 9990000 micros.
    FormatAmount(format: "cordova", row: .introductory, paid: introductory, other: listed),
    // The report has 19.98 for two units, 9.99 each; the row has one unit.
    FormatAmount(
      format: "facebook", product: "com.app.coins", transaction: apple, paid: named,
      other: listed),
    FormatAmount(format: "flutter", row: .introductory, paid: introductory, other: listed),
    // 9990000 micros.
    FormatAmount(format: "ga4", paid: shown, other: listed),
    FormatAmount(format: "glassfy", row: .trial, paid: free, other: listed),
    FormatAmount(format: "nami", paid: shown, other: listed),
    FormatAmount(format: "openiap", row: .trial, paid: free, other: listed),
    FormatAmount(format: "purchasely", paid: shown, other: listed),
    // The offer win50 of 4.99, which was used.
    FormatAmount(
      format: "qonversion", transaction: apple, row: .promotional("win50"),
      paid: "USD 4990 derived reported_with_purchase", other: listed),
    FormatAmount(
      format: "react_native_iap", row: .introductory, paid: introductory, other: listed),
    FormatAmount(format: "revenuecat", row: .introductory, paid: introductory, other: listed),
    // price_in_purchased_currency 7900, not price 5.92.
    FormatAmount(
      format: "revenuecat_webhook", product: "app.tier2.monthly", day: "2026-08-03",
      customer: "3f0c5f50", transaction: "200000000000001", storefront: "KOR",
      paid: "KRW 7900000 derived reported_charge",
      other: "KRW 7900000 inferred price_history"),
    FormatAmount(format: "segment", transaction: apple, paid: named, other: listed),
    FormatAmount(
      format: "superwall", product: "com.app.annual", row: .trial, paid: free,
      other: "USD 89990 inferred price_history"),
  ]

  /// The formats that report charged amounts, for an introductory purchase.
  ///
  /// The amount is that of the purchase, not a list price.
  static let charged = all.filter {
    ["adapty_webhook", "adjust", "facebook", "revenuecat_webhook"].contains($0.format)
  }.map { given in
    var given = given
    given.row = .introductory
    given.other = "\(given.paid.prefix(3)) NULL unresolved unresolved"
    return given
  }

  @Test(arguments: all)
  func `the sample of a format becomes an amount`(_ given: FormatAmount) throws {
    try Self.check(given)
  }

  @Test(arguments: charged)
  func `a charge of an introductory purchase is not the price of others`(
    _ given: FormatAmount
  ) throws {
    try Self.check(given)
  }

  @Test func `every format has an amount`() throws {
    let samples = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.folder.appendingPathComponent("SampleData/payloads").path
    ).map { $0.replacing(".ndjson", with: "") }
    #expect(Self.all.map(\.format) == samples.sorted().filter { $0 != "mixpanel" })
  }

  private static func check(_ given: FormatAmount) throws {
    let shop = try Shop(
      receipts: "in/receipts.ndjson",
      inputs: [#"prices: [{files: "in/\#(given.format).ndjson", format: \#(given.format)}]"#])
    let sample = Checkout.folder.appendingPathComponent(
      "SampleData/payloads/\(given.format).ndjson")
    try shop.folder.write(
      "in/\(given.format).ndjson", try String(contentsOf: sample, encoding: .utf8))
    try shop.folder.write(
      "in/receipts.ndjson",
      record(given, id: given.transaction, customer: given.customer, hour: 10, given.row)
        + record(given, id: "9001", customer: "other", hour: 12, .regular))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    let rows = try shop.rows(
      """
      SELECT currency, paid_milli, price_status, price_rule FROM fct_revenue
      ORDER BY transaction_id = '9001'
      """)
    #expect(rows.map { $0.replacing("|", with: " ") } == [given.paid, given.other])
  }

  /// Apple's response for one month's purchase, received four weeks later.
  private static func record(
    _ given: FormatAmount, id: String, customer: String, hour: Int, _ row: FormatAmount.Row
  ) -> String {
    var (isTrial, isIntroductory, offer) = (false, false, "")
    switch row {
    case .regular: break
    case .trial: isTrial = true
    case .introductory: isIntroductory = true
    case .promotional(let id): offer = #""promotional_offer_id":"\#(id)","#
    }
    let month = Int(given.day.dropFirst(5).prefix(2)) ?? 0
    let next = "\(given.day.prefix(5))\(month < 9 ? "0" : "")\(month + 1)"
    return """
      {"received_at":"\(next)-28T00:00:00Z","customer_id":"\(customer)",\
      "storefront":"\(given.storefront)","response":{"status":0,"environment":"Production",\
      "receipt":{"bundle_id":"com.example","in_app":[]},"latest_receipt_info":[\
      {"transaction_id":"\(id)","original_transaction_id":"\(id)",\
      "web_order_line_item_id":"5\(id)","product_id":"\(given.product)",\
      "purchase_date":"\(given.day) \(hour):00:00 Etc/GMT",\
      "expires_date":"\(next)-\(given.day.suffix(2)) \(hour):00:00 Etc/GMT",\(offer)\
      "is_trial_period":"\(isTrial)","is_in_intro_offer_period":"\(isIntroductory)",\
      "quantity":"1"}]}}

      """
  }
}
