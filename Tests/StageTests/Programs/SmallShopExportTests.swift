internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Shops with so few buyers that a price has one on one side of its change, and an export alone.
struct SmallShopExportTests {
  private static let header =
    "rc_original_app_user_id,product_identifier,store_transaction_id,original_store_transaction_id,"
    + "start_time,end_time,store,country,country_source,purchased_currency,"
    + "purchase_price_in_purchased_currency,renewal_number,is_trial_period,"
    + "is_in_intro_offer_period,offer\n"

  /// The payments of a subscription, a month each; a price of 0 is a trial of a week.
  private static func subscription(_ chain: Int, from day: String, _ prices: [String]) throws
    -> String
  {
    var start = try Date("\(day)T10:00:00Z", strategy: .iso8601)
    var text = ""
    for (number, price) in prices.enumerated() {
      let end = start.addingTimeInterval((price == "0" ? 7 : 30) * 86_400)
      let times = [start, end].map { $0.formatted(.iso8601) }
      text +=
        "c-\(chain),pro,\(chain + number),\(chain),\(times[0]),\(times[1]),app_store,US,from_sdk,"
        + "USD,\(price),\(number + 1),\(price == "0"),false,\n"
      start = end
    }
    return text
  }

  private static func shop(_ subscriptions: [String]) throws -> Shop {
    let shop = try Shop(
      export: "{files: rc.csv, format: revenuecat_export}", inputs: ["catalog: catalog.yaml"])
    try shop.folder.write("catalog.yaml", "products:\n")
    try shop.folder.write("rc.csv", header + subscriptions.joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  private static func amounts(_ shop: Shop, of ids: String) throws -> [String] {
    try shop.rows(
      """
      SELECT transaction_id, paid_milli, paid_low_milli, paid_high_milli FROM fct_revenue
      WHERE transaction_id GLOB '\(ids)' ORDER BY 1
      """)
  }

  @Test func `one buyer at a new price makes the renewals after the old one unknown`() throws {
    let shop = try Self.shop([
      try Self.subscription(1010, from: "2024-03-01", ["9.99", "9.99", "9.99", "9.99", "12.99"]),
      try Self.subscription(1020, from: "2024-03-02", ["9.99", "9.99"]),
      try Self.subscription(1030, from: "2024-03-03", ["9.99"]),
      try Self.subscription(2010, from: "2024-06-10", ["12.99"]),
    ])
    // Between 3 March, the last charge of 9.99, and 10 June nothing dates the change.
    #expect(
      try Self.amounts(shop, of: "10[12]*") == [
        "1010|9990|9990|9990", "1011|NULL|9990|12990", "1012|NULL|9990|12990",
        "1013|NULL|9990|12990", "1014|NULL|9990|12990", "1020|9990|9990|9990",
        "1021|NULL|9990|12990",
      ])
    #expect(try Self.amounts(shop, of: "2010") == ["2010|12990|12990|12990"])
    // The catalogue's line dates the change, and says what subscribers pay.
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          price_changes: [{currency: USD, from: 2024-06-01, existing_subscribers: preserved}]
      """)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try Self.amounts(shop, of: "101?") == (1010...1014).map { "\($0)|9990|9990|9990" })
  }

  @Test func `one buyer at an old price makes what began then unknown`() throws {
    let shop = try Self.shop([
      try Self.subscription(1010, from: "2024-03-01", ["9.99"]),
      try Self.subscription(1020, from: "2024-04-10", ["0", "9.99", "9.99", "12.99"]),
      try Self.subscription(2010, from: "2024-06-10", ["12.99", "12.99"]),
      try Self.subscription(2020, from: "2024-06-11", ["12.99"]),
      try Self.subscription(2030, from: "2024-06-12", ["12.99"]),
    ])
    #expect(try Self.amounts(shop, of: "1010") == ["1010|9990|9990|9990"])
    #expect(
      try Self.amounts(shop, of: "102?") == [
        "1020|0|0|0", "1021|NULL|9990|12990", "1022|NULL|9990|12990", "1023|NULL|9990|12990",
      ])
    // Who began after the first charge of 12.99 pays that.
    #expect(
      try Self.amounts(shop, of: "201?") == ["2010|12990|12990|12990", "2011|12990|12990|12990"])
  }

  @Test func `a price from before the first known one is kept where the catalogue says so`() throws
  {
    let shop = try Self.shop([
      try Self.subscription(1010, from: "2024-05-10", ["0", "12.99", "12.99"]),
      try Self.subscription(2010, from: "2024-06-10", ["12.99", "12.99"]),
      try Self.subscription(2020, from: "2024-06-11", ["12.99"]),
      try Self.subscription(2030, from: "2024-06-12", ["12.99"]),
    ])
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          price_changes: [{currency: USD, from: 2024-05-15, existing_subscribers: preserved}]
      """)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, paid_milli FROM fct_revenue
        WHERE transaction_id GLOB '101?' ORDER BY 1
        """) == ["1010|0", "1011|NULL", "1012|NULL"])
  }

  @Test func `an owner of an export alone is not told to ask Apple about ended subscriptions`()
    throws
  {
    let shop = try Shop(
      export: "{files: \"rc_{date}.csv\", format: revenuecat_export}",
      inputs: ["catalog: catalog.yaml"])
    try shop.folder.write("catalog.yaml", "products:\n")
    try shop.folder.write(
      "rc_2024-05-26.csv",
      Self.header + (try Self.subscription(1010, from: "2024-03-01", ["9.99", "9.99"]))
        + (try Self.subscription(1020, from: "2024-05-25", ["9.99"])))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("Export the service's whole table again"), "\(ending.errors)")
    #expect(!ending.errors.contains("paidline-validate"), "\(ending.errors)")
  }

  /// The events of a subscription in Adapty's export, a month each, and the price of each.
  private static func events(_ chain: Int, from day: String, _ prices: [String]) throws
    -> (text: String, truth: [String: String])
  {
    var start = try Date("\(day)T10:00:00Z", strategy: .iso8601)
    var (text, truth) = ("", [String: String]())
    for (number, price) in prices.enumerated() {
      let end = start.addingTimeInterval(30 * 86_400)
      let times = [start, end].map { $0.formatted(.iso8601) }
      text +=
        "p-\(chain),subscription_\(number == 0 ? "started" : "renewed"),\(times[0]),"
        + "\(chain + number),\(chain),\(times[1]),Production,\(price),c-\(chain),app_store,pro,"
        + "USD,US\n"
      truth[String(chain + number)] = price
      start = end
    }
    return (text, truth)
  }

  /// Runs a shop with Adapty's export.
  private static func shop(
    of chains: [(text: String, truth: [String: String])], catalogue: String = ""
  ) throws -> Shop {
    let shop = try Shop(
      export: "{files: a.csv, format: adapty_export}", inputs: ["catalog: catalog.yaml"])
    try shop.folder.write("catalog.yaml", "products:\n\(catalogue)")
    try shop.folder.write(
      "a.csv",
      "profile_id,event_type,event_datetime,transaction_id,original_transaction_id,"
        + "subscription_expires_at,environment,revenue_local,customer_user_id,store,product_id,"
        + "currency,store_country\n" + chains.map(\.text).joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    return shop
  }

  /// Runs such a shop; returns the rows with a wrong amount or wrong bounds.
  private static func wrongRows(
    _ chains: [(text: String, truth: [String: String])], catalogue: String
  ) throws -> [String] {
    let shop = try shop(of: chains, catalogue: catalogue)
    let truth = chains.map(\.truth).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    let rows = try shop.rows(
      "SELECT transaction_id, paid_milli, paid_low_milli, paid_high_milli FROM fct_revenue")
    #expect(rows.count == truth.count)
    return rows.filter { row in
      let cells = row.split(separator: "|").map(String.init)
      guard let price = truth[cells[0]].flatMap(Double.init) else { return true }
      let milli = Int((price * 1000).rounded())
      let high = Int(cells[3]) ?? .max
      return Int(cells[1]).map { $0 != milli } ?? !((Int(cells[2]) ?? 0)...high).contains(milli)
    }
  }

  @Test func `an offer of two months that no service marks does not lower what others pay`() throws
  {
    let chains = try [
      Self.events(1010, from: "2024-03-01", ["9.99", "9.99", "9.99", "9.99", "9.99"]),
      Self.events(1020, from: "2024-03-05", ["9.99", "9.99", "9.99", "9.99", "9.99"]),
      Self.events(1030, from: "2024-04-02", ["9.99", "9.99", "9.99", "9.99"]),
      Self.events(2010, from: "2024-05-10", ["1.99", "1.99"]),
      Self.events(2020, from: "2024-05-12", ["1.99", "1.99", "9.99"]),
    ]
    #expect(try Self.wrongRows(chains, catalogue: "") == [])
  }

  @Test func `the catalogue's price tells such an offer from a cut`() throws {
    let catalogue = """
        - product_id: pro
          price_changes:
            - {currency: USD, from: 2024-07-15, existing_subscribers: moved}
          prices:
            - {currency: USD, price: "9.99", from: 2023-01-01}
            - {currency: USD, price: "12.99", from: 2024-07-15}

      """
    let chains = try [
      Self.events(
        1010, from: "2024-04-08", ["1.99", "1.99", "9.99", "9.99", "12.99", "12.99"]),
      Self.events(2010, from: "2024-07-24", ["1.99", "1.99"]),
    ]
    #expect(try Self.wrongRows(chains, catalogue: catalogue) == [])
  }

  @Test func `the list price settles an offer that no service marks, and the advice says so`()
    throws
  {
    let chains = try [
      Self.events(1010, from: "2024-03-01", ["1.99", "1.99", "1.99", "9.99", "9.99", "9.99"]),
      Self.events(1020, from: "2024-03-02", ["1.99", "1.99", "1.99", "9.99", "9.99", "9.99"]),
      Self.events(1030, from: "2024-04-11", ["1.99", "1.99", "1.99", "9.99", "9.99"]),
      // Still in the offer.
      Self.events(1040, from: "2024-05-20", ["1.99", "1.99", "1.99"]),
    ]
    let shop = try Self.shop(of: chains)
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue WHERE price_status = 'unresolved'")
        == ["8"])
    let advice = try shop.run("paidline", "status", "--advice").output
    #expect(
      advice.contains(
        "paidline catalog add --product pro --currency USD --price AMOUNT --from 2024-03-01"),
      "\(advice)")
    #expect(!advice.contains("existing-subscribers"), "\(advice)")
    let added = try shop.run(
      "paidline",
      arguments: [
        "catalog", "add", "--product", "pro", "--currency", "USD", "--price", "9.99", "--from",
        "2024-03-01",
      ])
    #expect(added.status == 0, "\(added.errors)")
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows(
        "SELECT period_kind, paid_milli, count(1) FROM fct_revenue GROUP BY 1, 2 ORDER BY 1, 2")
        == ["intro|1990|12", "regular|9990|8"])
  }

  @Test(arguments: [
    ("revenuecat", "77770031"), ("adapty", "4242001"), ("apphud", "4242001"),
    ("superwall", "77770031"), ("qonversion", "4242001"),
  ])
  func `without a catalogue no amount of a small shop is wrong, in one run or in nights`(
    _ service: String, _ seed: String
  ) throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample",
      arguments: [
        ".", "--service", service, "--customers", "150", "--days", "400", "--seed", seed,
      ])
    try #require(made.status == 0, "\(made.errors)")
    func text(_ name: String) throws -> String {
      String(decoding: try shop.folder.bytes(name), as: UTF8.self)
    }
    let truth = try #require(
      StoreTruth(
        purchasesCSV: try text("truth.csv"), offersCSV: try text("truth-offers.csv")))
    let pipeline =
      try text("pipeline.yaml") + "customer_key_file: customer.key\n"
      + "gates: {volume_drop: off, missing_export_day: off}\n"
    let files = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path(service))
      .sorted()
    let nights = try Shop()
    for place in [shop, nights] {
      try place.folder.write("pipeline.yaml", pipeline)
      try place.folder.write("catalog.yaml", "products:\n")
    }
    #expect(try shop.run("paidline", "run").status == 0)
    for file in files {
      let path = "\(service)/\(file)"
      try nights.folder.write(path, bytes: try shop.folder.bytes(path))
      #expect(try nights.run("paidline", "run").status == 0, "\(file)")
    }
    #expect(try nights.contentHash() == (try shop.contentHash()))
    #expect(try FilterTests.filtered(shop, buckets: 2) == FilterTests.published(shop))
    var paid: [String: TruthPurchase] = [:]
    for purchase in truth.purchases { paid[purchase.transactionIDs[0]] = purchase }
    var known = 0
    let rows = try shop.rows(
      """
      SELECT transaction_id, paid_milli, paid_low_milli, paid_high_milli, period_kind, price_rule
      FROM fct_revenue
      """)
    for row in rows {
      let fields = row.split(separator: "|").map(String.init)
      let purchase = try #require(paid[fields[0]])
      let truth = purchase.paidMilli
      #expect(fields[4] == purchase.kind, "\(row)")
      if let amount = Int64(fields[1]) {
        known += 1
        #expect(amount == truth, "\(row) \(truth)")
      }
      #expect(try #require(Int64(fields[2])) <= truth, "\(row) \(truth)")
      #expect(truth <= Int64(fields[3]) ?? .max, "\(row) \(truth)")
    }
    #expect(known * 2 >= rows.count, "\(known) of \(rows.count)")
  }
}
