internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Stores whose views and amounts are computed a second time by other means.
enum OracleStore: String, CaseIterable, CustomTestStringConvertible {
  /// The checked-in store with its scenarios.
  case sample
  case random1, random2

  var testDescription: String { rawValue }

  /// The shop in which the store was published.
  func shop() throws -> Shop {
    switch self {
    case .sample: try SampleRunTests.sample.get().shop
    case .random1: try Self.first.get()
    case .random2: try Self.second.get()
    }
  }

  private static let first = Result { try random(seed: 11, days: 400) }
  private static let second = Result { try random(seed: 12, days: 800) }

  private static func random(seed: UInt64, days: Int) throws -> Shop {
    // Stores with an odd seed report in euros, so that both kinds of conversion occur.
    let shop = try Shop(
      receipts: "receipts/receipts-{date}.ndjson.gz",
      inputs: [
        #"prices: ["prices/prices-{date}.ndjson.gz"]"#, "catalog: catalog.yaml",
        "rates: eurofxref-hist.csv",
      ],
      more: """
        reporting_currency: \(seed % 2 == 0 ? "GBP" : "EUR")
        bundle_ids: [app.paidline.sample]
        """)
    let store = SampleStore(
      SampleOptions(
        customers: 60, seed: seed, firstDay: CivilDay(daysSinceEpoch: 18_628), days: days, files: 3)
    )
    for number in 0..<store.exportCount {
      let file = store.export(number)
      try shop.folder.write(file.name, bytes: file.bytes)
    }
    for file in store.accompanyingFiles() where file.name != "pipeline.yaml" {
      try shop.folder.write(file.name, bytes: file.bytes)
    }
    // Stores with an odd seed report in euros, so that both kinds of conversion occur.
    let ending = try shop.run("paidline", "run", "pipeline.yaml")
    #expect(ending.status == 0, "seed \(seed): \(ending.errors)")
    return shop
  }
}

struct ViewOracleTests {
  private func compare(
    _ store: OracleStore, _ view: String, _ expected: [String], select: String = "*"
  )
    throws
  {
    let found = try store.shop().rows("SELECT \(select) FROM \(view)").sorted()
    let expected = expected.sorted()
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(store), \(view): \(found)\nis by the second computation\n\(expected)")
      return
    }
    #expect(found.count == expected.count, "\(store), \(view)")
  }

  @Test(arguments: OracleStore.allCases)
  func `days and months are complete by a second computation too`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let oracle = try ViewOracle(shop)
    for (table, name, expected) in [
      ("completeness_daily", "date_day", oracle.completeness.days),
      ("completeness_monthly", "month", oracle.completeness.months),
    ] {
      let found = try shop.rows("SELECT \(name) FROM \(table) WHERE is_complete = 1")
      #expect(Set(found) == expected, "\(store), \(table)")
      #expect(
        try shop.rows("SELECT count(1) FROM \(table) WHERE is_complete = 0") != ["0"],
        "\(store), \(table)")
    }
  }

  @Test(arguments: OracleStore.allCases)
  func `money views agree with a second computation`(_ store: OracleStore) throws {
    let oracle = try ViewOracle(store.shop())
    #expect(oracle.revenue.count > 100)
    try compare(store, "revenue_daily", oracle.revenueDaily)
    try compare(store, "revenue_monthly", oracle.revenueMonthly)
    try compare(store, "net_revenue_ledger_daily", oracle.ledgerDaily)
    try compare(store, "price_coverage_daily", oracle.coverageDaily)
    try compare(store, "refund_rate", oracle.refundRate)
    try compare(store, "discount_depth", oracle.discountDepth)
    try compare(
      store, "price_outlier", oracle.priceOutlier,
      select: "evidence_id, price_milli, reference_milli, ratio_bp, verdict")
  }

  @Test(arguments: OracleStore.allCases)
  func `offer views agree with a second computation`(_ store: OracleStore) throws {
    let oracle = try ViewOracle(store.shop())
    #expect(!oracle.conversions.isEmpty)
    try compare(store, "trial_conversion", oracle.conversion(of: "trial"))
    try compare(store, "intro_conversion", oracle.conversion(of: "intro"))
    try compare(store, "offer_performance", oracle.offerPerformance)
  }

  @Test(arguments: OracleStore.allCases)
  func `subscription views agree with a second computation`(_ store: OracleStore) throws {
    let oracle = try ViewOracle(store.shop())
    try compare(store, "renewal_rate", oracle.renewalRate)
    try compare(store, "active_subscriptions_daily", oracle.activeSubscriptionsDaily)
    try compare(store, "mrr_daily", oracle.mrrDaily)
  }

  @Test(arguments: OracleStore.allCases)
  func `revenue repeats the facts and says them as numbers`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let columns = try shop.rows("SELECT name FROM pragma_table_info('fct_revenue')")
    let list = columns.joined(separator: ", ")
    #expect(
      try shop.rows("SELECT \(list) FROM revenue ORDER BY purchase_key")
        == shop.rows("SELECT \(list) FROM fct_revenue ORDER BY purchase_key"))
    for row in try shop.facts("revenue") {
      for (column, unit) in [
        ("paid", "paid_milli"), ("paid_low", "paid_low_milli"), ("paid_high", "paid_high_milli"),
        ("list_price", "list_price_milli"),
      ] {
        #expect(row.decimal(column) == row.number(unit).map { Double($0) / 1000 })
      }
      for (column, unit) in [
        ("paid_reporting", "paid_reporting_micros"),
        ("proceeds_estimate", "proceeds_estimate_micros"),
        ("paid_low_reporting", "paid_low_reporting_micros"),
        ("paid_high_reporting", "paid_high_reporting_micros"),
      ] {
        #expect(row.decimal(column) == row.number(unit).map { Double($0) / 1_000_000 })
      }
    }
  }

  @Test(arguments: OracleStore.allCases)
  func `revenue counts the voters of the price that was paid`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let prices = try shop.facts("dim_product_price")
    var counted = 0
    for row in try shop.facts("revenue") {
      let isOffer = ["promo", "offer_code"].contains(row.text("period_kind"))
      let kind = row.text("period_kind") == "intro" ? "intro" : isOffer ? "offer" : "regular"
      let fitting = prices.filter { price in
        ["product_id", "currency"].allSatisfy { price.text($0) == row.text($0) }
          && ["", row.text("storefront")].contains(price.text("storefront"))
          && price.text("price_kind") == kind
          && price.text("offer_id") == (isOffer ? row.text("offer_id") ?? "" : "")
          && cell(price.text("valid_from")) <= cell(row.text("purchased_at"))
          && (price.number("price_milli") ?? 0) * (row.number("quantity") ?? 0)
            == row.number("paid_milli")
      }
      let newest = fitting.max {
        (cell($0.text("valid_from")), $0.number("voters") ?? 0)
          < (cell($1.text("valid_from")), $1.number("voters") ?? 0)
      }
      #expect(
        row.number("voters") == newest?.number("voters"), "\(row.text("transaction_id") ?? "")")
      counted += newest == nil ? 0 : 1
    }
    #expect(counted > 100)
  }

  @Test(arguments: OracleStore.allCases)
  func `amounts in the reporting currency agree with decimal arithmetic`(_ store: OracleStore)
    throws
  {
    let shop = try store.shop()
    let rows = try shop.facts("fct_revenue")
    let wanted = try #require(
      try shop.rows("SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1").first)
    let folder = store == .sample ? SampleRunTests.sampleData : shop.folder.path
    let oracle = MoneyOracle(
      rates: try String(contentsOfFile: "\(folder)/eurofxref-hist.csv", encoding: .utf8),
      wanted: wanted)
    for row in rows {
      let found = line(cell(row.number("paid_reporting_micros")), cell(row.text("fx_rate_date")))
      let expected = oracle.converted(
        row.number("paid_milli"), row.text("currency"), on: row.text("purchased_date") ?? "")
      #expect(found == expected, "\(row.text("transaction_id") ?? "")")
      #expect(row.number("proceeds_estimate_micros") == MoneyOracle.proceeds(row))
      for bound in ["low", "high"] {
        // A bound that is unknown in its own currency is an estimate, which another test checks.
        guard let amount = row.number("paid_\(bound)_milli") else { continue }
        let converted = oracle.converted(
          amount, row.text("currency"), on: row.text("purchased_date") ?? "")
        #expect(
          cell(row.number("paid_\(bound)_reporting_micros"))
            == converted.split(separator: "|")[0], "\(row.text("transaction_id") ?? "")")
      }
    }
    for entry in try shop.facts("fct_revenue_entry") {
      let expected = oracle.converted(
        entry.number("amount_milli"), entry.text("currency"), on: entry.text("entry_date") ?? "")
      #expect(cell(entry.number("amount_reporting_micros")) == expected.split(separator: "|")[0])
    }
    #expect(rows.contains { $0.number("paid_reporting_micros") == nil })
    #expect(Set(rows.compactMap { $0.text("fx_rate_date") }).count > 50)
  }

  @Test(arguments: OracleStore.allCases)
  func `a row that its currency does not bound has the dearest price anywhere as its limit`(
    _ store: OracleStore
  ) throws {
    let shop = try store.shop()
    let folder = store == .sample ? SampleRunTests.sampleData : shop.folder.path
    let wanted = try #require(
      try shop.rows("SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1").first)
    let oracle = MoneyOracle(
      rates: try String(contentsOfFile: "\(folder)/eurofxref-hist.csv", encoding: .utf8),
      wanted: wanted)
    let prices = try shop.facts("dim_product_price").filter { $0.text("price_kind") == "regular" }
    var estimated = 0
    for row in try shop.facts("fct_revenue") where row.number("is_high_estimated") == 1 {
      estimated += 1
      let day = row.text("purchased_date") ?? ""
      #expect(row.number("paid_milli") == nil)
      // At least the highest learned price in force at the purchase, and at most the highest price
      // that the product ever had. Both are per period and unit.
      let own = prices.filter { $0.text("product_id") == row.text("product_id") }
      func dearest(_ rows: [FactRow]) -> Int {
        rows.compactMap { price in
          let text = oracle.converted(price.number("price_milli"), price.text("currency"), on: day)
          return Int(text.split(separator: "|")[0])
        }.max() ?? 0
      }
      let found = try #require(row.number("paid_high_reporting_micros"))
      let now = own.filter { price in
        (price.text("valid_from") ?? "") <= (row.text("purchased_at") ?? "")
          && (price.text("valid_to").map { $0 > row.text("purchased_at") ?? "" } ?? true)
      }
      #expect(found >= dearest(now), "\(row.text("transaction_id") ?? "")")
      #expect(found <= 12 * dearest(own) * (row.number("quantity") ?? 1) || own.isEmpty)
    }
    if store == .sample { #expect(estimated > 0) }
  }

  @Test(arguments: OracleStore.allCases)
  func `flows between products agree with a second computation`(_ store: OracleStore) throws {
    let shop = try store.shop()
    let periods = Dictionary(
      try shop.facts("dim_product").map { ($0.text("product_id"), $0.text("subscription_period")) }
    ) { first, _ in first }
    let rows = try shop.facts("fct_revenue").filter {
      $0.text("product_kind") == "auto_renewable_subscription"
    }
    var lines: [[String]: (ways: [String], paid: [FactRow])] = [:]
    for chain in Dictionary(grouping: rows, by: { $0.text("original_transaction_id") }).values {
      let ordered = chain.sorted {
        (cell($0.text("purchased_at")), cell($0.text("expires_at")), $0.number("purchase_key") ?? 0)
          < (
            cell($1.text("purchased_at")), cell($1.text("expires_at")),
            $1.number("purchase_key") ?? 0
          )
      }
      for (before, after) in zip(ordered, ordered.dropFirst())
      where before.text("product_id") != after.text("product_id")
        && before.number("spell_number") == after.number("spell_number")
      {
        let lengths = [before, after].map { periods[$0.text("product_id")] ?? nil }
        let isOther = lengths[0] != nil && lengths[1] != nil && lengths[0] != lengths[1]
        let way =
          before.text("reversal_kind") == "upgrade"
          ? "upgrade" : isOther ? "crossgrade" : "downgrade"
        let key = [
          String((after.text("purchased_at") ?? "").prefix(7)), before.text("product_id") ?? "",
          after.text("product_id") ?? "",
        ]
        lines[key, default: ([], [])].ways.append(way)
        lines[key]?.paid.append(after)
      }
    }
    let expected = lines.map { key, flow -> String in
      let known = flow.paid.filter { $0.number("paid_milli") != nil }
      let converted = known.compactMap { $0.number("paid_reporting_micros") }
      let ways = ["upgrade", "downgrade", "crossgrade"].map { way in
        cell(flow.ways.count { $0 == way })
      }
      return line(
        key[0], key[1], key[2], cell(flow.ways.count), ways[0], ways[1], ways[2],
        cell(flow.paid.count - known.count), cell(converted.reduce(0, +)),
        cell(known.count - converted.count),
        cell(flow.paid.compactMap { $0.number("paid_low_reporting_micros") }.reduce(0, +)),
        cell(flow.paid.compactMap { $0.number("paid_high_reporting_micros") }.reduce(0, +)),
        cell(flow.paid.count { $0.number("paid_high_reporting_micros") == nil }),
        cell(flow.paid.count { $0.number("is_high_estimated") == 1 }))
    }
    try compare(
      store, "product_flow_monthly", expected,
      select: """
        month, from_product_id, to_product_id, changes, upgrades, downgrades, crossgrades,
        unresolved_rows, paid_reporting_micros, unconverted_rows, paid_low_reporting_micros,
        paid_high_reporting_micros, unbounded_rows, estimated_high_rows
        """)
    if store == .sample { #expect(!expected.isEmpty) }
  }

  @Test(arguments: OracleStore.allCases)
  func `a subscription has amount, currency and country of the row that gives access`(
    _ store: OracleStore
  ) throws {
    let shop = try store.shop()
    // For a running subscription, the newest row that covers the as-of time and is not refunded.
    let found = try shop.rows(
      """
      SELECT s.original_transaction_id, s.paid_milli, s.currency, s.storefront, s.current_product_id
      FROM dim_subscription AS s
      WHERE s.status IN ('trial', 'intro', 'promo', 'active') ORDER BY 1
      """)
    let expected = try shop.rows(
      """
      SELECT s.original_transaction_id, r.paid_milli, r.currency, r.storefront, r.product_id
      FROM dim_subscription AS s JOIN fct_revenue AS r USING (original_transaction_id)
      WHERE s.status IN ('trial', 'intro', 'promo', 'active')
        AND r.purchase_key = (SELECT a.purchase_key FROM fct_revenue AS a
          WHERE a.original_transaction_id = s.original_transaction_id
            AND a.reversal_kind <> 'refund'
            AND a.access_ends_at > (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
          ORDER BY a.purchased_at > (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1),
            CASE WHEN a.purchased_at <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
              THEN a.purchased_at END DESC, a.purchased_at
          LIMIT 1)
      ORDER BY 1
      """)
    #expect(found == expected)
    #expect(!found.isEmpty)
    #expect(
      try shop.rows(
        """
        SELECT count(1) FROM dim_subscription
        WHERE renews_at IS NOT NULL AND (renews_at IS NOT expires_at OR auto_renew_status IS NOT 1
          OR status IN ('expired', 'revoked', 'grace', 'billing_retry'))
        """) == ["0"])
    #expect(
      try shop.rows("SELECT count(1) > 0 FROM dim_subscription WHERE renews_at IS NOT NULL")
        == ["1"])
  }

  @Test(arguments: OracleStore.allCases)
  func `commissions agree with a clock told by the facts`(_ store: OracleStore) throws {
    let rows = try store.shop().facts("fct_revenue").sorted {
      (cell($0.text("purchased_at")), cell($0.text("expires_at")), $0.number("purchase_key") ?? 0)
        < (
          cell($1.text("purchased_at")), cell($1.text("expires_at")),
          $1.number("purchase_key") ?? 0
        )
    }
    let catalogue = try String(
      contentsOfFile: (store == .sample ? SampleRunTests.sampleData : store.shop().folder.path)
        + "/catalog.yaml", encoding: .utf8)
    // The line `    - {from: 2021-07-02}` below `small_business`.
    let entered = try #require(catalogue.split(separator: "small_business:\n    - {from: ").last)
      .prefix(10)
    var reduced = 0
    for chain in Dictionary(grouping: rows, by: { $0.text("original_transaction_id") }).values {
      let late = MoneyOracle.afterOneYear(chain)
      for row in chain {
        let isReduced =
          late.contains(row.number("purchase_key") ?? 0)
          || row.text("purchased_date") ?? "" >= entered
        #expect(
          row.number("commission_bp") == (isReduced ? 1500 : 3000),
          "\(row.text("transaction_id") ?? "")")
        if isReduced { reduced += 1 }
      }
    }
    #expect(reduced > 0)
    #expect(reduced < rows.count)
  }
}
