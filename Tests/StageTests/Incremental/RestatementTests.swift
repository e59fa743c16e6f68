internal import CivilTime
internal import Foundation
internal import GRDB
internal import SampleStore
internal import TestSupport
internal import Testing

/// The messages of a run about days that an earlier run published.
struct RestatementTests {
  /// A query for the daily figures of a database, without its views.
  private static func figures(_ database: String) -> String {
    [
      "gross": "COALESCE(SUM(paid_milli), 0)",
      "net": "COALESCE(SUM(CASE WHEN reversal_kind = 'refund' THEN 0 ELSE paid_milli END), 0)",
      "unresolved_rows": "SUM(paid_milli IS NULL)",
    ].sorted { $0.key < $1.key }.map { metric, sum in
      """
      SELECT '\(metric)' AS metric, purchased_date AS day, COALESCE(currency, '') AS currency,
        \(sum) AS figure
      FROM \(database).fct_revenue GROUP BY 2, 3
      """
    }.joined(separator: " UNION ALL ")
  }

  /// The differences between two warehouses that do not match the restatements of the newer
  /// warehouse.
  private func contradictions(_ shop: Shop, old: String, through: String) throws -> [String] {
    let queue = try DatabaseQueue(path: shop.folder.path("out/warehouse.db"))
    return try queue.inDatabase { db in
      try db.execute(sql: "ATTACH ? AS before", arguments: [shop.folder.path(old)])
      return try Row.fetchAll(
        db,
        sql: """
          WITH difference AS (
            SELECT metric, day, currency, SUM(figure) AS delta FROM (
              \(Self.figures("main")) UNION ALL
              SELECT metric, day, currency, -figure FROM (\(Self.figures("before"))))
            WHERE day <= ? GROUP BY 1, 2, 3),
          restated AS (
            SELECT metric, date_day AS day, currency, SUM(new_milli - old_milli) AS delta
            FROM audit_restatement WHERE run_id = (SELECT MAX(run_id) FROM audit_run)
            GROUP BY 1, 2, 3)
          SELECT metric, day, currency, SUM(delta) AS off FROM (
            SELECT * FROM difference
            UNION ALL SELECT metric, day, currency, -delta FROM restated)
          GROUP BY 1, 2, 3 HAVING SUM(delta) <> 0 ORDER BY 1, 2, 3
          """, arguments: [through]
      ).map { "\($0)" }
    }
  }

  /// The last day that is already published, by the rule of RestatementCapture, in SQL.
  private func publishedThrough(_ shop: Shop) throws -> String {
    try #require(
      try shop.rows(
        """
        SELECT COALESCE(complete_through_date, date(as_of, '-1 day')) FROM audit_run
        ORDER BY run_id DESC LIMIT 1
        """
      ).first)
  }

  private func pipeline(_ shop: Shop, policy: String = "history") throws {
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs: {receipts: ["in/receipts-*"], prices: ["in/prices-*"], catalog: catalog.yaml}
      renewal_prices: \(policy)
      gates: {rejected_share: off, no_usable_record: off}
      customer_key_file: customer.key
      """)
  }

  /// Exports arrive in random order, and some runs have a changed setting or catalogue.
  ///
  /// After each run the restatements must add up to the difference between the two databases.
  @Test(arguments: LongTests.some(of: [2, 3, 4, 6] as [UInt64], oneIn: 2))
  func `the restatements of random runs add up to what changed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = SampleStore(
      SampleOptions(
        customers: 25, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 400,
        files: 6, hasStories: false))
    let shop = try Shop()
    let catalogue = try #require(store.accompanyingFiles().first { $0.name == "catalog.yaml" })
    try shop.folder.write("catalog.yaml", "products: []\n")
    var waiting = (0..<store.exportCount).shuffled(using: &random)
    var causes: Set<String> = []
    var runNumber = 0
    while !waiting.isEmpty {
      runNumber += 1
      for number in waiting.prefix(Int.random(in: 1...4, using: &random)) {
        let file = store.export(number)
        try shop.folder.write("in/" + file.name.split(separator: "/")[1], bytes: file.bytes)
        waiting.removeFirst()
      }
      if runNumber == 3 { try shop.folder.write("catalog.yaml", bytes: catalogue.bytes) }
      try pipeline(shop, policy: Bool.random(using: &random) ? "history" : "as_current")
      guard shop.folder.has("in"),
        try shop.folder.names("in").contains(where: { $0.hasPrefix("r") })
      else { continue }
      let isFirst = !shop.folder.has("out/warehouse.db")
      let through = isFirst ? "" : try publishedThrough(shop)
      if !isFirst {
        try? FileManager.default.removeItem(atPath: shop.folder.path("before.db"))
        try FileManager.default.copyItem(
          atPath: shop.folder.path("out/warehouse.db"), toPath: shop.folder.path("before.db"))
      }
      let ending = try shop.run("paidline", "run", shop.pipeline)
      try #require(ending.status == 0, "\(ending.errors)")
      guard !isFirst else { continue }
      #expect(
        try contradictions(shop, old: "before.db", through: through) == [],
        "seed \(seed), run \(runNumber)")
      causes.formUnion(try shop.rows("SELECT DISTINCT cause FROM audit_restatement"))
    }
    #expect(causes.isSuperset(of: ["late_receipt"]) && causes.count >= 3, "\(causes)")
  }

  // MARK: A scenario computed by hand

  private static let restated = """
    SELECT run_id, metric, date_day, currency, cause, old_milli, new_milli, rows
    FROM audit_restatement ORDER BY 1, 2, 3, 4, 5
    """

  private func report(of product: String, _ price: String, naming id: String, by customer: String)
    -> String
  {
    """
    {"reported_at":"2021-01-06T10:01:00Z","customer_id":"\(customer)","transaction_id":"\(id)",\
    "product_id":"\(product)","storefront":"USA","currency":"USD","price":"\(price)"}

    """
  }

  /// Runs a pipeline five times.
  ///
  /// The as-of day of the first run is 2021-02-10, so days through 02-09 are published.
  private func fiveRuns() throws -> Shop {
    let shop = try Shop()
    try pipeline(shop)
    try shop.folder.write("catalog.yaml", "products: []\n")
    func publishRun(_ number: Int, _ exports: [String: String]) throws {
      for (name, text) in exports.sorted(by: { $0.key < $1.key }) {
        try shop.folder.write("in/\(name)-\(number).ndjson", text)
      }
      let ending = try shop.run("paidline", "run", shop.pipeline)
      try #require(ending.status == 0, "run \(number): \(ending.errors)")
    }
    // 2001 has no report of its own; its price is the price that others report: 9.99.
    let first = Export.purchase(1001, day: "2021-01-05")
    try publishRun(
      1,
      [
        "prices": report(of: "coins", "1.99", naming: "none", by: "c-9"),
        "receipts": first + Export.purchase(2001, day: "2021-01-06", customer: "c-2", price: nil)
          + Export.purchase(3001, day: "2021-02-10", customer: "c-3"),
      ])
    let refunded = first.replacingOccurrences(
      of: "2021-01-05T10:00:10Z", with: "2021-02-11T00:00:00Z"
    )
    .replacingOccurrences(
      of: #""quantity":"1""#,
      with: #""quantity":"1","cancellation_date":"2021-01-20 00:00:00 Etc/GMT""#)
    try publishRun(2, ["receipts": refunded])
    try publishRun(3, ["receipts": Export.purchase(4001, day: "2021-01-06", customer: "c-4")])
    try publishRun(4, ["prices": report(of: "pro", "8.99", naming: "2001", by: "c-2")])
    // A purchase on a day that was not published yet causes no restatement.
    try publishRun(5, ["receipts": Export.purchase(5001, day: "2021-02-12", customer: "c-5")])
    return shop
  }

  /// The refund subtracts 9.99 from the net amount of its purchase day, but not from the gross
  /// amount.
  ///
  /// The late receipt adds 9.99 to both. The late report has 8.99, where 9.99 was inferred.
  private static let expected = [
    "2|net|2021-01-05|USD|refund|9990|0|1",
    "3|gross|2021-01-06|USD|late_receipt|0|9990|1",
    "3|net|2021-01-06|USD|late_receipt|0|9990|1",
    "4|gross|2021-01-06|USD|late_price|9990|8990|1",
    "4|net|2021-01-06|USD|late_price|9990|8990|1",
  ]

  /// The changed amounts, worked out by hand.
  ///
  /// A refund is another entry, and a late receipt another purchase. But others' reports of the
  /// same week make an amount exact (4001 confirms 1001, and 5001 confirms 3001), and another price
  /// in that week, the 8.99 of 2001, makes it doubtful again.
  private static let changed = """
    SELECT c.run_id, r.transaction_id, c.old_paid_milli, c.new_paid_milli, c.old_currency,
      c.new_currency, c.old_price_status, c.new_price_status, c.new_price_rule, c.cause
    FROM audit_change AS c JOIN fct_revenue AS r USING (purchase_key) ORDER BY 1, 2
    """

  private static let expectedChange = [
    "3|1001|9990|9990|USD|USD|derived|exact|reported_with_purchase|price_history",
    "4|1001|9990|9990|USD|USD|exact|derived|reported_with_purchase|price_history",
    "4|2001|9990|8990|USD|USD|inferred|derived|reported_with_purchase|late_price",
    "4|4001|9990|9990|USD|USD|exact|derived|reported_with_purchase|price_history",
    "5|3001|9990|9990|USD|USD|derived|exact|reported_with_purchase|price_history",
  ]

  @Test func `each run reports what it changed and why, and the status shows it`() throws {
    let shop = try fiveRuns()
    #expect(try shop.rows(Self.restated) == Self.expected)
    let status = try shop.run("paidline", "status", shop.pipeline, "--restatements")
    #expect(status.output.contains("late_price"))
    #expect(status.output.contains("-1.00 USD"))
    let json = try shop.run("paidline", "status", shop.pipeline, "--json")
    #expect(json.output.contains(#""cause": "refund""#))
    #expect(try shop.rows(Self.changed) == Self.expectedChange)
    let changes = try shop.run("paidline", "status", shop.pipeline, "--changes").output
    #expect(
      changes.contains("Published amounts that run 5 changed: 1\n")
        && changes.contains("9.99 USD, derived  9.99 USD, exact  price_history"), "\(changes)")
    let history = try shop.run("paidline", "explain", shop.pipeline, "2001").output
    #expect(
      history.contains("Published before, and changed by later runs:\n  run 4 at ")
        && history.contains(
          "9.99 USD, inferred by price_history -> 8.99 USD, derived by reported_with_purchase; "
            + "late_price"),
      "\(history)")
    #expect(
      !(try shop.run("paidline", "explain", shop.pipeline, "5001").output)
        .contains("Published before"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows(Self.restated) == Self.expected, "a run without news restates nothing")
  }

  @Test func `restatements outlive the loss of either database`() throws {
    let shop = try fiveRuns()
    let runs = "SELECT run_id, content_digest, records FROM audit_run ORDER BY run_id"
    let before = try shop.rows(runs)
    #expect(before.count == 5)
    func lose(_ name: String) throws {
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: shop.folder.path(name + suffix))
      }
      let ending = try shop.run("paidline", "run", shop.pipeline)
      try #require(ending.status == 0, "\(ending.errors)")
    }
    #expect(try shop.rows(Self.changed) == Self.expectedChange)
    try lose("out/warehouse.db")
    #expect(try shop.rows(runs) == before + ["6|\(try #require(try shop.contentHash()))|8"])
    #expect(try shop.rows(Self.restated) == Self.expected)
    #expect(try shop.rows(Self.changed) == Self.expectedChange)
    try lose("var/state.db")
    #expect(try shop.rows("SELECT run_id FROM audit_run") == (1...7).map { "\($0)" })
    #expect(try shop.rows(Self.restated) == Self.expected)
    try lose("out/warehouse.db")
    #expect(try shop.rows("SELECT run_id FROM audit_run") == (1...8).map { "\($0)" })
    #expect(try shop.rows(Self.restated) == Self.expected)
    #expect(try shop.rows(Self.changed) == Self.expectedChange)
    #expect(
      try shop.rows("SELECT COUNT(DISTINCT content_digest) FROM audit_run WHERE run_id > 4")
        == ["1"])
  }
}
