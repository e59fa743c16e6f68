internal import Foundation
internal import TestSupport
internal import Testing

/// The queries of `Docs/analysts/answers.md` give the figures of ``AnswersOracle``.
struct AnswersOracleTests {
  /// A query of the page: its question, its place there, and the columns that name its rows.
  private struct Query: Sendable {
    var question: Int
    var place = 0
    var keys: [String]
    var expected: @Sendable (AnswersOracle) -> AnswersOracle.Answer
  }

  private static let queries = [
    Query(question: 1, keys: ["date_day", "reporting_currency"]) { $0.mrr },
    Query(question: 2, keys: ["month", "bundle_id", "product_id"]) { $0.mrrChanges },
    Query(question: 3, keys: ["month"]) { $0.churn },
    Query(question: 4, keys: ["bundle_id", "product_id", "cohort_month", "period_number"]) {
      $0.retention
    },
    Query(question: 5, keys: ["cohort_month", "months_since"]) { $0.lifetimeValue },
    Query(question: 6, keys: ["month"]) { $0.customerRevenue },
    Query(question: 6, place: 1, keys: ["first_seen"]) { $0.payingShare },
    Query(question: 7, keys: ["month", "bundle_id", "offer_product_id", "storefront"]) {
      $0.trials
    },
    Query(question: 8, keys: ["month"]) { $0.revenueByKind },
    Query(
      question: 9, keys: ["bundle_id", "product_id", "currency", "storefront", "valid_from"]
    ) { $0.priceRises },
    Query(question: 10, keys: ["country"]) { $0.countries },
    Query(question: 11, keys: ["offer_kind", "campaign", "bundle_id", "offer_product_id"]) {
      $0.campaigns
    },
    Query(question: 12, keys: ["month", "bundle_id", "product_id", "came_back_with"]) {
      $0.returns
    },
  ]

  /// The queries of a question, as they are on the page.
  private static func page() throws -> [Int: [String]] {
    let file = Checkout.folder.appendingPathComponent("Docs/analysts/answers.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    var queries: [Int: [String]] = [:]
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      guard let number = Int(section.prefix { $0 != "." }) else { continue }
      queries[number] = section.components(separatedBy: "```sql\n").dropFirst().map { part in
        let query = part.components(separatedBy: "```")[0]
        return query.trimmingCharacters(in: CharacterSet(charactersIn: ";\n "))
      }
    }
    return queries
  }

  /// Whether a figure of the page is the expected one, as far as the query's rounding lets it.
  private static func agrees(_ found: Double?, _ figure: AnswersOracle.Figure) -> Bool {
    guard let found, let expected = figure.value else {
      return found == nil && figure.value == nil
    }
    let rounding = figure.decimals.map { 0.5 * pow(10, -Double($0)) } ?? 0
    // The views round each line of converted money down to millionths.
    return abs(found - expected) <= rounding + 0.0001
  }

  @Test(arguments: OracleStore.allCases)
  func `the twelve answers agree with a second computation`(_ store: OracleStore) throws {
    try Self.compare(store.shop(), "\(store)")
  }

  @Test func `so do those of two apps with partial refunds`() throws {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample", "store", "--hard", "several-apps", "--seed", "5", "--customers", "60")
    #expect(made.status == 0, "\(made.errors)")
    let pipeline = String(decoding: try shop.folder.bytes("store/pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "store/pipeline.yaml", pipeline.replacing("var/warehouse.db", with: "../out/warehouse.db"))
    let ending = try shop.run("paidline", "run", "store/pipeline.yaml", "-q")
    #expect(ending.status == 0, "\(ending.errors)")
    // A third of every seventh amount is refunded, as for single items.
    try shop.change(
      """
      UPDATE fct_revenue SET refunded_milli = paid_milli / 3
      WHERE paid_milli > 0 AND reversal_kind = 'none' AND purchase_key % 7 = 0
      """)
    #expect(
      try shop.rows("SELECT count(DISTINCT bundle_id), SUM(refunded_milli) > 0 FROM fct_revenue")
        == ["2|1"])
    try Self.compare(shop, "two apps")
    let views = try ViewOracle(shop)
    for (view, expected) in [
      ("revenue_daily", views.revenueDaily), ("revenue_monthly", views.revenueMonthly),
      ("offer_performance", views.offerPerformance),
    ] {
      #expect(try shop.rows("SELECT * FROM \(view)").sorted() == expected.sorted(), "\(view)")
    }
  }

  private static func compare(_ shop: Shop, _ store: String) throws {
    let oracle = try AnswersOracle(shop)
    let page = try page()
    #expect(page.keys.sorted() == Array(1...12))
    #expect(page.values.map(\.count).reduce(0, +) == queries.count)
    for query in queries {
      let name = "\(store), answer \(query.question), query \(query.place + 1)"
      let sql = try #require(page[query.question]?[query.place])
      let expected = query.expected(oracle)
      var found: Set<String> = []
      for row in try shop.facts("(\(sql))") {
        let key = query.keys.map { cell(row.text($0)) }.joined(separator: "|")
        found.insert(key)
        guard let figures = expected[key] else {
          Issue.record("\(name): row \(key) is not in the second computation")
          continue
        }
        for (column, figure) in figures.sorted(by: { $0.key < $1.key })
        where !agrees(row.decimal(column), figure) {
          Issue.record(
            """
            \(name): \(column) of \(key) is \(row.decimal(column)?.description ?? "NULL"), by the \
            second computation \(figure.value?.description ?? "NULL")
            """)
        }
      }
      #expect(found == Set(expected.keys), "\(name)")
      #expect(!found.isEmpty, "\(name)")
    }
  }
}
