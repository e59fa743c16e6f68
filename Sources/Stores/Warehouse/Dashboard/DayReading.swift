internal import CivilTime
internal import GRDB
internal import SQLiteFiles

/// Reads revenue minus refunds by day, in one currency.
///
/// The newest days are read by product and storefront, up to a limit. All days of the displayed
/// months are also read in total, so that the page can show any range of dates.
struct DayReading {
  /// The number of rows after which no older day is read.
  ///
  /// A row is a combination of day, product and storefront.
  private static let rows = 6000

  private let window: PageWindow
  private let queries: DashboardQueries
  private let productPlaces: [String: Int64]
  private let storefrontPlaces: [String: Int64]
  private let db: Database

  /// Creates a reader for the displayed days.
  ///
  /// - Parameters:
  ///   - places: The positions of displayed products and storefronts. In both, the last position
  ///     stands for all names that are not displayed.
  init(
    _ window: PageWindow, _ products: ProductNames,
    places: (products: [String: Int64], storefronts: [String: Int64]), on db: Database
  ) {
    self.window = window
    queries = DashboardQueries(products: products)
    (productPlaces, storefrontPlaces) = places
    self.db = db
  }

  /// Adds the tables `days` and `totals`, and the range of displayed days.
  ///
  /// In both tables the day is a number of days after ``DashboardFigures/firstDay``.
  func add(_ amount: DashboardQueries.Amount, to figures: inout DashboardFigures) throws {
    guard let month = figures.months.first, let first = CivilDay(text: month + "-01"),
      let asOf = Instant(text: window.asOf)
    else { return }
    let shown = ShownDays(window.zone, from: first, through: asOf.day)
    // What was bought in a month's first hours in UTC may lie on the day before.
    let start = min(first, shown.day(of: first.start))
    let end = shown.day(of: asOf)
    let totals = try StoredRow.fetchAll(
      db, sql: queries.dayTotals(amount, by: shown.sql, from: start)
    )
    .compactMap { row in
      CivilDay(text: row[0]).map { [$0.daysSinceEpoch] + (1..<4).map { row[$0] as Int64? ?? 0 } }
    }
    guard let first = totals.first?[0] else { return }
    var table = DashboardFigures.Table(columns: ["day", "net", "chargeable", "unknown"])
    table.rows = totals.map { [$0[0] - first] + $0.dropFirst() }
    figures.tables["totals"] = table
    table = DashboardFigures.Table(
      columns: ["day", "product", "storefront", "net", "chargeable", "unknown"])
    table.rows = try newest(amount, by: shown.sql, since: first)
    figures.tables["days"] = table
    figures.firstDay = CivilDay(daysSinceEpoch: first).text
    figures.dayCount = Int(end.daysSinceEpoch - first + 1)
    // Complete is a day that had ended when the last complete day in UTC ended.
    let complete =
      window.completeThrough.map { shown.day(of: $0.advanced(by: 1).start) } ?? end
    figures.completeDays = Int(complete.daysSinceEpoch - first)
  }

  /// Reads revenue by day, product and storefront for the newest days, up to the limit of ``rows``.
  ///
  /// The oldest day is first. In each row the day is a number of days after `first`.
  private func newest(_ amount: DashboardQueries.Amount, by day: String, since first: Int64) throws
    -> [[Int64]]
  {
    var sums: [[Int64]: [Int64]] = [:]
    guard let oldestShown = CivilDay(text: window.firstDay) else { return [] }
    let rows = try StoredRow.fetchCursor(
      db, sql: queries.days(amount, by: day, from: oldestShown))
    var oldest = Int64.max
    while let row = try rows.next() {
      guard let day = CivilDay(text: row[0])?.daysSinceEpoch, day >= first else { continue }
      // A day is displayed only with all of its rows.
      if sums.count >= Self.rows, day < oldest { break }
      oldest = day
      let product: String = row[1]
      let storefront: String? = row[2]
      let key = [
        day - first, productPlaces[product] ?? Int64(productPlaces.count - 1),
        storefrontPlaces[storefront ?? "unknown"] ?? Int64(storefrontPlaces.count - 1),
      ]
      let found = (3..<6).map { row[$0] as Int64? ?? 0 }
      sums[key] = sums[key].map { zip($0, found).map { $0 &+ $1 } } ?? found
    }
    return sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { $0.key + $0.value }
  }
}
