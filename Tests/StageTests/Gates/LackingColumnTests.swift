internal import TestSupport
internal import Testing

/// Exports of services from which the owner left out columns.
struct LackingColumnTests {
  private static let columns = [
    "rc_last_seen_app_user_id_alias": "c-1", "product_identifier": "pro",
    "store_transaction_id": "1001", "original_store_transaction_id": "1001",
    "start_time": "2024-03-02 10:00:00", "end_time": "2024-04-02 10:00:00", "store": "app_store",
    "is_trial_period": "false", "is_sandbox": "false", "ownership_type": "PURCHASED",
    "refunded_at": "", "purchased_currency": "USD", "purchase_price_in_purchased_currency": "9.99",
    "offer": "", "offer_type": "", "is_in_intro_offer_period": "false",
  ]

  /// The table without some columns.
  private static func table(_ id: Int, without lacking: String...) -> String {
    let kept = columns.keys.sorted().filter { !lacking.contains($0) }
    let row = kept.map { $0.contains("transaction_id") ? "\(id)" : columns[$0] ?? "" }
    return "\(kept.joined(separator: ","))\n\(row.joined(separator: ","))\n"
  }

  @Test func `the first run tells once what cannot be known`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write(
      "rc/a.csv", Self.table(1001, without: "is_sandbox", "ownership_type", "refunded_at"))
    try shop.folder.write(
      "rc/b.csv", Self.table(1002, without: "is_sandbox", "ownership_type", "refunded_at"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "2 files of rc/*.csv, rc/a.csv the first, have no is_sandbox, ownership_type, refunded_at, "
          + "so test purchases count as revenue; purchases of family members count as paid; "
          + "refunds are not known, and net revenue is too high. Export the columns too"),
      "\(ending.errors)")
    try shop.folder.write(
      "rc/c.csv", Self.table(1003, without: "is_sandbox", "ownership_type", "refunded_at"))
    #expect(try !shop.run("paidline", "run").errors.contains("is_sandbox"))
  }

  @Test func `a table without offers and gross prices has open questions`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    let net = Self.table(1001, without: "offer")
      .replacing("purchase_price_in_purchased_currency", with: "price_in_purchased_currency")
    try shop.folder.write("rc/a.csv", net)
    let ending = try shop.run("paidline", "run")
    #expect(
      ending.errors.contains(
        "rc/a.csv has no offer, purchase_price_in_purchased_currency, so purchases at an offer's "
          + "price are told by their lower amount only, if at all; a refund in part counts as whole"
      ),
      "\(ending.errors)")
  }

  /// The rows of one subscription, at an offer's price and then at the regular one, among four at
  /// the regular price.
  private static func offerTable(
    _ columns: String, offer: String, none: String, intro: (column: String, first: String)
  ) -> String {
    func row(
      _ id: Int, of original: Int, month: Int, price: String, offer: String, isIntro: Bool = false
    ) -> String {
      let flag = intro.column.isEmpty ? "" : ",\(isIntro ? intro.first : "false")"
      return "app_store,c-\(original),pro,\(id),\(original),2024-0\(month)-02 10:00:00,"
        + "2024-0\(month + 1)-02 10:00:00,false,false,PURCHASED,,USD,\(price),\(price)\(offer)\(flag)\n"
    }
    let rows =
      (1...4).map { row(1000 + $0, of: 1000 + $0, month: 3, price: "9.99", offer: none) }
      + [
        row(2001, of: 2001, month: 3, price: "4.99", offer: offer, isIntro: true),
        row(2002, of: 2001, month: 4, price: "9.99", offer: none),
      ]
    return "store,rc_last_seen_app_user_id_alias,product_identifier,store_transaction_id,"
      + "original_store_transaction_id,start_time,end_time,is_trial_period,is_sandbox,"
      + "ownership_type,refunded_at,purchased_currency,purchase_price_in_purchased_currency,"
      + "price_in_purchased_currency\(columns)\(intro.column)\n" + rows.joined()
  }

  private static let introColumn = ",is_in_intro_offer_period"

  // The second month costs the list price of the four others, also where the table marks no offers
  // or no introductory periods.
  @Test(arguments: [
    (",offer,offer_type", ",SPRING,Offer Code", ",,", introColumn, "false"),
    (",offer,offer_type", ",,", ",,", introColumn, "true"),
    ("", "", "", introColumn, "false"), (",offer,offer_type", ",,", ",,", "", ""),
  ])
  func `the month after an offer does not keep the offer's price`(
    columns: String, offer: String, none: String, intro: String, first: String
  ) throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write(
      "rc/a.csv", Self.offerTable(columns, offer: offer, none: none, intro: (intro, first)))
    #expect(try shop.run("paidline", "run").status == 0)
    let paid = try shop.rows(
      """
      SELECT transaction_id, ifnull(printf('%.2f', paid_milli / 1000.0), 'open') FROM fct_revenue
      WHERE original_transaction_id = '2001' ORDER BY 1
      """)
    #expect(paid == ["2001|4.99", "2002|9.99"])
  }

  @Test func `a table without introductory periods says so`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write("rc/a.csv", Self.table(1001, without: "is_in_intro_offer_period"))
    let ending = try shop.run("paidline", "run")
    #expect(
      ending.errors.contains(
        "rc/a.csv has no is_in_intro_offer_period, so introductory prices are told by their lower "
          + "amount only, if at all. Export the column too"),
      "\(ending.errors)")
  }

  @Test func `a table with the columns has nothing to tell, whatever their case`() throws {
    let shop = try Shop(export: #"{files: "rc/*.csv", format: revenuecat_export}"#)
    try shop.folder.write("rc/a.csv", Self.table(1001))
    try shop.folder.write("rc/b.csv", Self.table(1002).replacing("is_sandbox", with: "IS_SANDBOX"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(!ending.errors.contains("Export the column"), "\(ending.errors)")
  }

  @Test(arguments: ["superwall", "qonversion", "adapty", "apphud", "revenuecat"])
  func `the exports of the services lack nothing`(_ service: String) throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample",
      arguments: [".", "--service", service, "--customers", "20", "--days", "60", "--seed", "7"])
    try #require(made.status == 0, "\(made.errors)")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!ending.errors.contains("Export the column"), "\(ending.errors)")
  }
}
