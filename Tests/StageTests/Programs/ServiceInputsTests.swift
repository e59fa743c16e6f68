internal import Foundation
internal import TestSupport
internal import Testing

/// Exports of services in operation: nights, dumps, erasures, and files as owners have them.
struct ServiceInputsTests {
  @Test func `nights in any order equal one run and the filters, and an erased customer is gone`()
    throws
  {
    let whole = try Shop()
    let made = try whole.run(
      "paidline-sample",
      arguments: [".", "--service", "revenuecat", "--customers", "60", "--days", "150"])
    try #require(made.status == 0, "\(made.errors)")
    let pipeline =
      String(decoding: try whole.folder.bytes("pipeline.yaml"), as: UTF8.self)
      + "customer_key_file: customer.key\ngates: {volume_drop: off, missing_export_day: off}\n"
    try whole.folder.write("pipeline.yaml", pipeline)
    #expect(try whole.run("paidline", "run").status == 0)
    let nights = try Shop()
    try nights.folder.write("pipeline.yaml", pipeline)
    try nights.folder.write("catalog.yaml", bytes: try whole.folder.bytes("catalog.yaml"))
    let files = try FileManager.default.contentsOfDirectory(
      atPath: whole.folder.path("revenuecat")
    ).sorted()
    try #require(files.count > 2)
    // The last day comes first, and the first day last.
    for file in files.reversed() {
      let path = "revenuecat/\(file)"
      try nights.folder.write(path, bytes: try whole.folder.bytes(path))
      #expect(try nights.run("paidline", "run").status == 0, "\(file)")
    }
    #expect(try nights.contentHash() == (try whole.contentHash()))
    #expect(try FilterTests.filtered(whole, buckets: 3) == FilterTests.published(whole))
    let customer = try #require(
      try whole.rows(
        "SELECT customer_key, count(1) FROM fct_revenue GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
      ).first?.split(separator: "|").first)
    let ids = (0..<60).map { "u-\($0)" }
    try nights.folder.write("ids", ids.joined(separator: "\n"))
    #expect(try nights.run("paidline", "erase", "--customer-id-file", "ids").status == 0)
    #expect(try nights.run("paidline", "run").status == 0)
    #expect(
      try nights.rows("SELECT count(1) FROM fct_revenue WHERE customer_key = '\(customer)'")
        == ["0"])
  }

  @Test func `a nightly dump to one path is the whole table`() throws {
    let header =
      "rc_original_app_user_id,product_identifier,store_transaction_id,original_store_transaction_id,"
      + "start_time,end_time,store,purchased_currency,purchase_price_in_purchased_currency\n"
    func row(_ id: Int, _ month: String) -> String {
      "ana,pro,\(id),1001,2024-\(month)-02 10:00:00,2024-\(month)-28 10:00:00,app_store,USD,9.99\n"
    }
    let shop = try Shop(export: "{files: dump.csv, format: revenuecat_export, replaces: true}")
    try shop.folder.write("dump.csv", header + row(1001, "03") + row(1002, "04"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])
    // The service has taken a purchase out of its table, and has a new one.
    try shop.folder.write("dump.csv", header + row(1001, "03") + row(1003, "05"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1003"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }

  /// One event of Qonversion's webhook, which has no storefront.
  private static func qonversion(
    _ name: String, _ id: Int, chain: Int, _ day: String, until end: String, price: String
  ) throws -> String {
    func seconds(_ day: String) throws -> Int {
      let date = try Date("\(day)T10:00:00Z", strategy: .iso8601)
      return Int(date.timeIntervalSince1970)
    }
    return #"{"event_name":"\#(name)","time":\#(try seconds(day)),"product_id":"pro","#
      + #""custom_user_id":"c-\#(chain)","price":{"value":\#(price),"currency":"USD"},"#
      + #""transaction":{"transaction_id":\#(id),"original_transaction_id":\#(chain),"#
      + #""expires":\#(try seconds(end))},"environment":"production","platform":"iOS"}"# + "\n"
  }

  @Test func `without a storefront an amount that is no list price is unknown`() throws {
    var text = ""
    // Three customers subscribe at 9.99 USD in March, three at 12.99 from May 10 on.
    for (chain, price) in [(1010, "9.99"), (1020, "9.99"), (1030, "9.99")] {
      text += try Self.qonversion(
        "subscription_started", chain, chain: chain, "2024-03-02", until: "2024-04-02",
        price: price)
      text += try Self.qonversion(
        "subscription_renewed", chain + 1, chain: chain, "2024-04-02", until: "2024-05-02",
        price: price)
    }
    for chain in [1040, 1050, 1060] {
      text += try Self.qonversion(
        "subscription_started", chain, chain: chain, "2024-05-10", until: "2024-06-10",
        price: "12.99")
      text += try Self.qonversion(
        "subscription_renewed", chain + 1, chain: chain, "2024-06-10", until: "2024-07-10",
        price: "12.99")
    }
    // A trial of May, and the first paid month of June: the list price, 12.49 EUR converted to
    // 13.48 USD, and the list price of June after a trial that began at the old price.
    for (chain, began, price) in [
      (1070, "2024-05-27", "12.99"), (1080, "2024-05-27", "13.48"), (1090, "2024-03-30", "12.99"),
    ] {
      let paid = "2024-06-03"
      text += try Self.qonversion(
        "trial_started", chain, chain: chain, began, until: paid, price: "0")
      text += try Self.qonversion(
        "trial_converted", chain + 1, chain: chain, paid, until: "2024-07-03", price: price)
    }
    let shop = try Shop(export: "{files: hooks.ndjson, format: qonversion_webhook}")
    try shop.folder.write("hooks.ndjson", text)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, paid_milli FROM fct_revenue
        WHERE transaction_id IN ('1071', '1081', '1091') ORDER BY 1
        """) == ["1071|12990", "1081|NULL", "1091|NULL"])
  }

  @Test(arguments: [
    ("superwall", "{\"id\":7,\"payload\":", "}"), ("qonversion", "{\"body\":", ",\"ok\":true}"),
  ])
  func `init reads webhooks in the records of the owner's server, without a line of YAML`(
    _ service: String, _ before: String, _ after: String
  ) throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample",
      arguments: ["made", "--service", service, "--customers", "20", "--days", "100"])
    try #require(made.status == 0, "\(made.errors)")
    var (events, count) = ("", 0)
    for file in try FileManager.default.contentsOfDirectory(
      atPath: shop.folder.path("made/\(service)")
    ).sorted() {
      for line in gunzip(try shop.folder.bytes("made/\(service)/\(file)"))
        .split(separator: UInt8(ascii: "\n"))
      {
        events += before + String(decoding: line, as: UTF8.self) + after + "\n"
        count += 1
      }
    }
    try #require(count > 10)
    try shop.folder.write("hooks/2024/05/01/events.ndjson", events)
    let ending = try shop.run("paidline", "init", "mine", "--from", "hooks")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("format \(service)_webhook"), "\(ending.output)")
    let run = try shop.run("paidline", "run", "mine/pipeline.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let rows = try shop.rows(
      "SELECT count(1) > 5 FROM fct_revenue", in: "mine/var/warehouse.db")
    #expect(rows == ["1"])
  }

  @Test func `init reads an export of a database, and names what it cannot use`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "from/export.csv",
      "RC_ORIGINAL_APP_USER_ID;PRODUCT_IDENTIFIER;STORE_TRANSACTION_ID;START_TIME;STORE;"
        + "PURCHASED_CURRENCY;PURCHASE_PRICE_IN_PURCHASED_CURRENCY\n"
        + "ana;pro;1001;2024-03-02 10:00:00;app_store;EUR;9,99\n")
    try shop.folder.write(
      "from/events.ndjson",
      #"{"event_type":"rc_renewal_event","revenue":7.61,"event_properties":{"currency":"EUR"}}"#)
    try shop.folder.write("from/bare.csv", "ana,pro,1001,2024-03-02 10:00:00,app_store\n")
    try shop.folder.write(
      "from/analytics.txt",
      "Date\tApp Name\tApp Apple Identifier\tPurchase Type\tPurchases\tProceeds in USD\t"
        + "Sales in USD\tPaying Users\n2026-08-18\tFocus\t1234567890\tIn-app\t1\t8.49\t9.99\t1\n")
    try shop.folder.write(
      "from/forged.json",
      Export.purchase(7, day: "2024-05-01").replacing(
        /"expires_date":"[^"]+"/, with: #""expires_date":"2088-05-15 15:02:02 Etc/GMT""#))
    let ending = try shop.run("paidline", "init", "mine", "--from", "from")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("from/forged.json: a response whose rows"), "\(ending.output)")
    #expect(ending.output.contains("from/export.csv: RevenueCat's export"), "\(ending.output)")
    #expect(ending.output.contains("US dollars under the currency of the purchase"))
    #expect(ending.output.contains("from/bare.csv: not recognized: its first line has values"))
    #expect(ending.output.contains("which is no input; it is left out"), "\(ending.output)")
    #expect(try shop.run("paidline", "run", "mine/pipeline.yaml").status == 0)
    #expect(
      try shop.rows("SELECT paid_milli FROM fct_revenue", in: "mine/var/warehouse.db") == ["9990"])
  }
}
