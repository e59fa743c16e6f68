import CivilTime
import Foundation
import GRDB
import Testing

@testable import Warehouse

/// The numbers on the page that no view has.
@Suite struct `Counts of the dashboard` {
  /// - `a`: a trial from January 25, paid from February 1; set to cancel from February 10 to
  ///   March 5.
  /// - `b`: a year from January 10; set to cancel from March 20.
  /// - `b2`: a week from February 26.
  private static func store() throws -> SmallStore {
    let store = try SmallStore(
      asOf: "2021-03-31T00:00:00Z", completeThrough: "2021-03-30", reportingCurrency: "USD")
    try store.add([
      .init(chain: "a", from: "2021-01-25", to: "2021-02-01", paid: 0, period: "P1W"),
      .init(chain: "a", from: "2021-02-01", to: "2021-03-01", paid: 9_990, number: 1),
      .init(chain: "a", from: "2021-03-01", to: "2021-04-01", paid: 9_990, number: 2),
      .init(
        chain: "b", product: "yearly", from: "2021-01-10", to: "2022-01-10", paid: 59_990,
        period: "P1Y", number: 1),
      .init(
        chain: "b2", product: "weekly", from: "2021-02-26", to: "2021-03-05", paid: 1_000,
        period: "P1W", number: 1),
    ])
    try store.include(chain: "a", on: "2021-02-10", renews: false)
    try store.include(chain: "a", on: "2021-03-05", renews: true)
    try store.include(chain: "b", on: "2021-03-20", renews: false)
    try store.change(
      """
      UPDATE fct_revenue SET paid_reporting_micros = 1000 * paid_milli,
        paid_low_reporting_micros = 1000 * paid_milli,
        paid_high_reporting_micros = 1000 * paid_milli, fx_rate_date = purchased_date
      """)
    return store
  }

  private static func figures(_ store: SmallStore, zone: TimeZoneRules? = nil) throws
    -> DashboardFigures
  {
    try store.database.write { db in
      try FigureDefinition.fill(on: db)
      let run = RunFigures(
        runID: 1, kind: "run", asOf: "2021-03-31T00:00:00Z", finishedAt: "2021-03-31T01:00:00Z",
        completeThrough: "2021-03-30", versions: "", files: 1, records: 1, rejected: 0,
        contentDigest: "")
      let window = try PageWindow(run, zone: zone, on: db)
      var figures = try DashboardReading.money(window, ProductNames(on: db), on: db)
      figures.add(try DashboardReading.counts(window, ProductNames(on: db), on: db))
      return figures
    }
  }

  /// The sums of a column by month, over all products and storefronts of a unit.
  private static func sums(_ column: String, of table: String, in figures: DashboardFigures) throws
    -> [Int64]
  {
    let table = try #require(figures.tables[table])
    let (month, place) = (
      try #require(table.columns.firstIndex(of: "month")),
      try #require(table.columns.firstIndex(of: column))
    )
    // Amounts in other currencies are further rows.
    let unit = table.columns.firstIndex(of: "unit")
    var sums = [Int64](repeating: 0, count: figures.months.count)
    for row in table.rows where unit == nil || row[unit ?? 0] == 0 {
      sums[Int(row[month])] += row[place]
    }
    return sums
  }

  @Test func `trials, subscriptions set to cancel and new customers are counted at month ends`()
    throws
  {
    let figures = try Self.figures(Self.store())
    #expect(figures.months == ["2021-01", "2021-02", "2021-03"])
    let counts = try ["active", "on_trial", "cancelling", "newcomers", "new_payers"].map {
      try Self.sums($0, of: "counts", in: figures)
    }
    // January 31: b is paid, a is on trial. February 28: a and b and the week. March 31: a and b.
    #expect(counts[0] == [1, 3, 2])
    #expect(counts[1] == [1, 0, 0])
    // February: a. March: b; a is on again.
    #expect(counts[2] == [0, 1, 1])
    // January: a and b, of whom b paid then. February: b2.
    #expect(counts[3] == [2, 1, 0])
    #expect(counts[4] == [1, 1, 0])
  }

  @Test func `recurring revenue as RevenueCat counts has four weeks in a month`() throws {
    let figures = try Self.figures(Self.store())
    // A year of 59.99 is 4.999166 a month, a month of 9.99 itself, a week of 1.00 is 4.00.
    #expect(
      try Self.sums("rc", of: "money", in: figures)
        == [4_999_166, 4_999_166 + 9_990_000 + 4_000_000, 4_999_166 + 9_990_000])
  }

  @Test func `the view has it in the reporting currency too`() throws {
    let store = try Self.store()
    #expect(
      try store.rows(
        """
        SELECT date_day, SUM(mrr_rc_compatible_reporting_micros), SUM(mrr_rc_compatible_micros)
        FROM mrr_daily WHERE date_day IN ('2021-01-31', '2021-02-28') GROUP BY 1 ORDER BY 1
        """) == ["2021-01-31|4999166|4999166", "2021-02-28|18989166|18989166"])
    #expect(
      try store.rows(
        """
        SELECT product_id, mrr_rc_compatible_reporting_micros FROM mrr_by_purchase
        WHERE product_id <> 'monthly' ORDER BY 1
        """) == ["weekly|4000000", "yearly|4999166"])
  }

  @Test func `products have the names of the catalogue, with the id where two share one`() throws {
    let store = try Self.store()
    try store.change(
      """
      INSERT INTO dim_product (bundle_id, product_id, product_kind, product_name) VALUES
        ('', 'monthly', 'auto_renewable_subscription', 'Pro'),
        ('', 'yearly', 'auto_renewable_subscription', 'Pro'),
        ('', 'weekly', 'auto_renewable_subscription', 'A week''s pass')
      """)
    #expect(
      try Self.figures(store).products == ["Pro (monthly)", "A week's pass", "Pro (yearly)"])
  }

  @Test func `a renamed product is one line with the product that it is now`() throws {
    let store = try Self.store()
    // monthly was renamed twice; the id that is sold now has no purchase yet.
    try store.change(
      """
      INSERT INTO dim_product (bundle_id, product_id, product_kind, product_name, same_as) VALUES
        ('', 'monthly', 'auto_renewable_subscription', 'Pro, old', 'weekly'),
        ('', 'weekly', 'auto_renewable_subscription', 'Pro', 'pro.monthly'),
        ('', 'pro.monthly', 'auto_renewable_subscription', 'Pro', NULL),
        ('', 'yearly', 'auto_renewable_subscription', NULL, 'pro.yearly')
      """)
    let figures = try Self.figures(store)
    #expect(figures.products == ["Pro", "pro.yearly"])
    // January: the trial of a is free. February: 9.99 and the week at 1.00. March: 9.99.
    let money = try #require(figures.tables["money"])
    let (product, net, unit) = (
      try #require(money.columns.firstIndex(of: "product")),
      try #require(money.columns.firstIndex(of: "net")),
      try #require(money.columns.firstIndex(of: "unit"))
    )
    let pro: [Int64] = money.rows.filter { $0[unit] == 0 && $0[product] == 0 }.map { $0[net] }
    let sum: Int64 = pro.reduce(0, +)
    #expect(sum == 20_980_000)
  }

  @Test(arguments: [
    // Summer time begins at 1:00 UTC on March 28: midnight is at 23:00 before, and at 22:00 after.
    ("Europe/Berlin", ["27|1000000", "28|6000000", "29|8000000"], 5, 4),
    // Four hours behind UTC: at the as-of time it is March 30.
    ("America/New_York", ["27|3000000", "28|12000000"], 4, 3),
    (nil, ["27|3000000", "28|12000000"], 5, 4),
  ])
  func `days are those of the zone that the pipeline names`(
    _ name: String?, _ expected: [String], _ days: Int, _ complete: Int
  ) throws {
    let store = try SmallStore(
      asOf: "2021-03-31T00:00:00Z", completeThrough: "2021-03-30", reportingCurrency: "USD")
    let moments = [
      "2021-03-27T22:59:59Z", "2021-03-27T23:00:00Z", "2021-03-28T21:59:59Z",
      "2021-03-28T22:00:00Z",
    ]
    for (index, moment) in moments.enumerated() {
      let day = String(moment.prefix(10))
      try store.add([
        .init(chain: "c\(index)", from: day, to: "2021-04-28", paid: 1000 << index, number: 1)
      ])
      try store.change(
        """
        UPDATE fct_revenue SET purchased_at = '\(moment)',
          paid_reporting_micros = 1000 * paid_milli,
          paid_low_reporting_micros = 1000 * paid_milli,
          paid_high_reporting_micros = 1000 * paid_milli, fx_rate_date = purchased_date
        WHERE original_transaction_id = 'c\(index)'
        """)
    }
    let zone = try name.map { name in
      let file = URL(filePath: "/usr/share/zoneinfo/\(name)")
      return try #require(TimeZoneRules(name: name, bytes: Array(Data(contentsOf: file))))
    }
    let figures = try Self.figures(store, zone: zone)
    #expect(figures.firstDay == "2021-03-27")
    let totals = try #require(figures.tables["totals"])
    #expect(totals.rows.map { "\(27 + $0[0])|\($0[1])" } == expected)
    let newest = try #require(figures.tables["days"])
    #expect(newest.rows.map { "\(27 + $0[0])|\($0[3])" } == expected)
    #expect(figures.dayCount == days)
    #expect(figures.completeDays == complete)
  }
}
