internal import Foundation
internal import TestSupport
internal import Testing

/// A few customers in a service's export, with and without Apple's data beside it.
struct ServiceComparisonTests {
  private static let adaptyHeader =
    "profile_id,event_type,event_datetime,transaction_id,original_transaction_id,"
    + "subscription_expires_at,environment,revenue_local,customer_user_id,store,product_id,currency,"
    + "store_country\n"

  /// The monthly payments of a customer in Adapty's export, from 2 March or another month on.
  private static func adapty(_ chain: Int, _ prices: [String], from month: Int = 3) -> String {
    prices.enumerated().map { number, price in
      let event = number == 0 ? "subscription_started" : "subscription_renewed"
      return
        "p-\(chain),\(event),2024-0\(month + number)-02T10:00:00.000000+0000,\(chain + number),"
        + "\(chain),2024-0\(month + 1 + number)-02T10:00:00.000000+0000,Production,\(price),u-\(chain),"
        + "app_store,pro,USD,US\n"
    }.joined()
  }

  @Test func `amounts tell the introductory rows that Adapty does not mark`() throws {
    let shop = try Shop(export: "{files: adapty.csv, format: adapty_export}")
    // Three customers show the list price, 9.99; two thirds of it are 6.66.
    try shop.folder.write(
      "adapty.csv",
      Self.adaptyHeader + [1010, 1020, 1030].map { Self.adapty($0, ["9.99", "9.99"]) }.joined()
        + Self.adapty(2010, ["1.99", "9.99"]) + Self.adapty(2020, ["1.99"])
        + Self.adapty(2030, ["0.99", "0.99", "0.99", "9.99"]) + Self.adapty(2040, ["7.99"])
        + Self.adapty(2050, ["0.00", "0.00"]))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, period_kind, paid_milli FROM fct_revenue
        WHERE transaction_id >= '2000' ORDER BY 1
        """) == [
          "2010|intro|1990", "2011|regular|9990", "2020|intro|1990", "2030|intro|990",
          "2031|intro|990", "2032|intro|990", "2033|regular|9990", "2040|regular|7990",
        ])
    // The family member pays nothing, and nobody pays a list price for that.
    #expect(
      try shop.rows("SELECT transaction_id, reason FROM excluded_purchase ORDER BY 1")
        == ["2050|family_shared", "2051|family_shared"])
    #expect(
      try shop.rows(
        "SELECT DISTINCT price_milli FROM dim_product_price WHERE price_kind = 'regular'")
        == ["9990"])
  }

  @Test func `a lone month below the price before a dated change is introductory, too`() throws {
    let shop = try Shop(
      export: "{files: adapty.csv, format: adapty_export}", inputs: ["catalog: catalog.yaml"])
    try shop.folder.write(
      "catalog.yaml",
      """
      products:
        - product_id: pro
          price_changes: [{currency: USD, from: 2024-03-01, existing_subscribers: preserved}]
      """)
    // The list price was 9.99 in January; of the new price no customer has paid twice.
    try shop.folder.write(
      "adapty.csv",
      Self.adaptyHeader
        + [1010, 1020, 1030].map { Self.adapty($0, ["9.99", "9.99"], from: 1) }.joined()
        + Self.adapty(2010, ["1.99"]) + Self.adapty(2020, ["12.99"]))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, period_kind, paid_milli FROM fct_revenue
        WHERE transaction_id >= '2000' ORDER BY 1
        """) == ["2010|intro|1990", "2020|regular|12990"])
  }

  private static let header =
    "rc_original_app_user_id,product_identifier,store_transaction_id,original_store_transaction_id,"
    + "start_time,end_time,store,country,country_source,purchased_currency,"
    + "purchase_price_in_purchased_currency\n"

  private static func row(_ customer: String, _ id: Int) -> String {
    "\(customer),pro,\(id),\(id),2024-03-02 10:00:00,2024-04-02 10:00:00,app_store,US,from_sdk,"
      + "USD,9.99\n"
  }

  @Test func `each side may lack subscriptions, and nights compare them like one run`() throws {
    let pipeline = """
      state: var/state.db
      warehouse: out/warehouse.db
      customer_key_file: customer.key
      gates: {volume_drop: off, missing_export_day: off}
      inputs:
        receipts: ["receipts-{date}.ndjson"]
        exports: [{files: "rc-{date}.csv", format: revenuecat_export}]
      """
    // Ana is on both sides, ben in receipts only, cyd in the export only.
    let nights: [[(String, String)]] = [
      [
        ("receipts-2024-03-02.ndjson", Export.purchase(1001, day: "2024-03-02", customer: "ana")),
        ("rc-2024-03-02.csv", Self.header + Self.row("ana", 1001)),
      ],
      [
        ("receipts-2024-03-03.ndjson", Export.purchase(2001, day: "2024-03-02", customer: "ben")),
        ("rc-2024-03-03.csv", Self.header + Self.row("cyd", 3001)),
      ],
    ]
    let shops = [try Shop(), try Shop(), try Shop()]
    for (shop, order) in zip(shops, [[[0, 1]], [[0], [1]], [[1], [0]]]) {
      try shop.folder.write("pipeline.yaml", pipeline)
      for night in order {
        for (name, text) in night.flatMap({ nights[$0] }) { try shop.folder.write(name, text) }
        let ending = try shop.run("paidline", "run")
        #expect(ending.status == 0, "\(ending.errors)")
      }
      #expect(
        try shop.rows(
          """
          SELECT r.transaction_id, c.service_paid_milli, c.paid_milli, c.cause
          FROM service_comparison AS c JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
          ORDER BY 1
          """) == ["1001|9990|9990|equal", "2001|NULL|9990|missing", "3001|9990|9990|missing"])
      // The service books two purchases of 9.99, and three were paid.
      #expect(
        try shop.rows(
          """
          SELECT SUM(service_milli), SUM(our_milli), SUM(difference_milli)
          FROM service_comparison_by_cause
          """) == ["19980|29970|-9990"])
    }
    #expect(Set(try shops.map { try $0.contentHash() }).count == 1)
  }

  @Test func `two services are compared together, and what that leaves out is said`() throws {
    let shop = try Shop(
      export:
        "{files: adapty.csv, format: adapty_export}, {files: rc.csv, format: revenuecat_export}"
    )
    try shop.folder.write("adapty.csv", Self.adaptyHeader + Self.adapty(1010, ["9.99", "9.99"]))
    try shop.folder.write(
      "rc.csv",
      "product_identifier,store_transaction_id,original_store_transaction_id,start_time,end_time,"
        + "store,purchased_currency,purchase_price_in_purchased_currency\n"
        + "pro,2010,2010,2024-03-02 10:00:00,2024-04-02 10:00:00,app_store,USD,9.99\n")
    #expect(try shop.run("paidline", "run").status == 0)
    for service in ["all", "adapty", "revenuecat"] {
      let answer = try shop.run("paidline", "reconcile", "--service", service)
      #expect(answer.status == 0, "\(answer.errors)")
      #expect(
        answer.output.contains("The pipeline reads exports of revenuecat and adapty."),
        "\(answer.output)")
    }
    let other = try shop.run("paidline", "reconcile", "--service", "apphud")
    #expect(other.status == 64)
    #expect(
      other.errors.contains("reads no export of apphud, but of revenuecat and adapty"),
      "\(other.errors)")
  }
}
