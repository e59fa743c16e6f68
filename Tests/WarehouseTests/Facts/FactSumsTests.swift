import CivilTime
import GRDB
import Testing

@testable import Warehouse

/// The numbers that the gates check, counted over rows written by hand.
struct FactSumsTests {
  /// Six revenue rows: a trial, two known amounts and three unknown ones; and three exclusions.
  private static func store() throws -> SmallStore {
    let store = try SmallStore(
      asOf: "2021-03-01T00:00:00Z", completeThrough: "2021-02-28", reportingCurrency: "EUR")
    try store.add([
      .init(chain: "a", from: "2021-01-05", to: "2021-02-05", paid: 9990),
      .init(chain: "a", from: "2021-02-05", to: "2021-03-05", paid: nil),
      .init(chain: "b", from: "2021-01-03", to: "2021-01-10", paid: 0),
      .init(chain: "c", product: "coins", from: "2021-01-09", paid: nil, currency: nil),
      .init(chain: "c", product: "coins", from: "2021-01-10", paid: nil, currency: nil),
      .init(chain: "d", product: "coins", from: "2021-01-11", paid: 199_000, currency: "JPY"),
    ])
    try store.database.write { db in
      try db.execute(
        sql: """
          INSERT INTO excluded_purchase
          VALUES (90, '90', 'sandbox'), (91, '91', 'family_shared'), (92, '92', 'sandbox')
          """)
    }
    return store
  }

  @Test func `rows are counted by status, reason, product and currency`() throws {
    let store = try Self.store()
    let sums = try store.database.read { try FactSums(countsUnconverted: true, on: $0) }
    #expect(sums.revenue == 6 && sums.purchases == 9)
    #expect(sums["sandbox"] == 2 && sums["family_shared"] == 1 && sums["foreign_bundle"] == 0)
    // Without the trial, five rows are chargeable. Two of five amounts are known.
    #expect(sums.chargeable == 5 && sums.unknown == 3)
    #expect(sums.coverage == 4000 && sums.exact == 0)
    #expect(
      sums.counts(named: FactSums.missing) == [
        FactSums.Key("missing", productID: "monthly", currency: "USD"): 1,
        FactSums.Key("missing", productID: "coins"): 2,
      ])
    // No row has an amount in the reporting currency.
    #expect(
      sums.counts(named: FactSums.unconverted) == [
        FactSums.Key("unconverted", currency: "USD"): 1,
        FactSums.Key("unconverted", currency: "JPY"): 1,
      ])
    #expect(sums.firstDay?.text == "2021-01-03")
    #expect(sums.namesCustomer && !sums.hasReports)
  }

  @Test func `exact amounts, missing customers and missing rates are counted as they are`() throws {
    let store = try Self.store()
    let sums = try store.database.write { db in
      try db.execute(
        sql: """
          UPDATE fct_revenue SET price_status = 'exact', price_rule = 'signed_price',
            signed_price_milli = 9990
          WHERE paid_milli = 9990;
          UPDATE fct_revenue SET customer_key = NULL;
          """)
      return try FactSums(countsUnconverted: false, on: db)
    }
    // One of five chargeable rows.
    #expect(sums.exact == 2000)
    #expect(!sums.namesCustomer)
    #expect(sums.counts(named: FactSums.unconverted).isEmpty)
    #expect(FactSums().coverage == nil && FactSums().firstDay == nil)
  }

  @Test func `price reports are counted by file and product`() throws {
    let store = try Self.store()
    let sums = try store.database.write { db in
      try db.execute(
        sql: """
          INSERT INTO price_evidence (evidence_id, bundle_id, product_id, currency, price_milli,
            reported_at, source_file_id, source_line, verdict, evidence_kind)
          VALUES
            (1, 'app', 'pro', 'USD', 999000, '2021-01-05T10:00:00Z', 1, 1, 'believed', 'shown'),
            (2, 'app', 'pro', 'USD', 999000, '2021-01-05T10:00:00Z', 1, 2, 'unit_error', 'shown'),
            (3, 'app', 'pro', 'EUR', 999000, '2021-01-05T10:00:00Z', 1, 3, 'unit_error', 'shown'),
            (4, 'app', 'coins', 'JPY', 120000, '2021-01-05T10:00:00Z', 1, 4, 'believed', 'shown'),
            (5, NULL, 'pro', 'USD', 9990, '2021-01-05T10:00:00Z', 2, 1, 'believed', 'shown')
          """)
      #expect(try FactSums(countsUnconverted: false, on: db).hasReports)
      return try PriceUnitSums(newFiles: [1], on: db)
    }
    let pro = PriceUnitSums.Product(productID: "pro", bundleID: "app")
    let coins = PriceUnitSums.Product(productID: "coins", bundleID: "app")
    let file = [
      pro: PriceUnitSums.ProductCount(reports: 3, multiples: 2),
      coins: PriceUnitSums.ProductCount(reports: 1),
    ]
    #expect(sums.files.keys.sorted() == [1])
    #expect(sums.files[1]?.products == file)
    // Yen have no decimals, so the price of coins is no whole number among decimals.
    #expect(sums.files[1]?.decimalPrices == 3 && sums.files[1]?.areAllWhole == true)
    let unknownApp = PriceUnitSums.Product(productID: "pro")
    #expect(
      sums.all.products
        == file.merging([unknownApp: PriceUnitSums.ProductCount(reports: 1)]) { $1 })
    // 9.99 is not whole.
    #expect(sums.all.decimalPrices == 4 && !sums.all.areAllWhole)
  }

  // A night counts all rows, so it must not read them.
  @Test func `the counts of a published warehouse come from indexes`() throws {
    let store = try Self.store()
    func plan(_ sql: String) throws -> [String] {
      try store.database.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: []).map { $0["detail"] }
      }
    }
    try store.database.write { try WarehouseSchema.createIndexes(on: $0) }
    let facts = try plan(FactSums.sql.replacing("?1", with: "0"))
    #expect(
      facts.contains { $0.hasPrefix("SCAN fct_revenue USING COVERING INDEX fct_revenue_by_status") }
    )
    #expect(facts.contains { $0.hasPrefix("SEARCH fct_revenue USING INDEX fct_revenue_by_status") })
    let reports = try plan(PriceUnitSums.sql(file: "NULL"))
    #expect(
      reports.contains {
        $0.hasPrefix("SCAN price_evidence USING COVERING INDEX price_evidence_by_series")
      })
    let ofFile = try plan(PriceUnitSums.sql(file: "source_file_id", files: "3,4"))
    #expect(
      ofFile.contains { $0.hasPrefix("SEARCH price_evidence USING INDEX price_evidence_by_file") })
  }
}
