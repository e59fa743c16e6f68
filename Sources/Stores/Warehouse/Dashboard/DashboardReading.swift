internal import Amounts
internal import GRDB
internal import SQLiteFiles

/// Reads the figures that the page's script sums for the selected filters.
struct DashboardReading {
  /// The largest numbers of displayed products, storefronts and months.
  ///
  /// The figures of all other products and storefronts are summed as "others". Months before the
  /// displayed months are only in the views of the warehouse.
  private static let (mostProducts, storefronts, months) = (60, 12, 48)
  /// The approximate maximum of products × storefronts × months on the page.
  ///
  /// This limit keeps the page below 2 MB.
  private static let cells = 10_000
  /// The number of rows in table `money` after which no further currency is added.
  private static let moneyRows = 7000

  /// Figures, keyed by the positions of their month, product and storefront.
  typealias Sums = [[Int64]: [Int64]]

  let db: Database
  private let window: PageWindow
  let products: ProductNames
  let queries: DashboardQueries
  var figures = DashboardFigures()
  private let productPlaces: [String: Int64]
  private let storefrontPlaces: [String: Int64]
  let monthPlaces: [String: Int64]
  let recurring: RecurringRevenue
  /// The currencies that the page may display, the default first.
  let units: [DashboardFigures.Unit]

  /// Reads money and paying customers, with the names of months, products and storefronts.
  static func money(_ window: PageWindow, _ products: ProductNames, on db: Database) throws
    -> DashboardFigures
  {
    var reading = try DashboardReading(window, products, on: db)
    try reading.readMoney()
    try reading.readPayers()
    return reading.figures
  }

  /// Reads the tables of counts and cohorts.
  static func counts(_ window: PageWindow, _ products: ProductNames, on db: Database) throws
    -> DashboardFigures
  {
    var reading = try DashboardReading(window, products, on: db)
    try reading.readCounts()
    try reading.readCohorts()
    return reading.figures
  }

  private init(_ window: PageWindow, _ products: ProductNames, on db: Database) throws {
    (self.db, self.window, self.products) = (db, window, products)
    queries = DashboardQueries(products: products)
    let months = try String.fetchAll(
      db, sql: "SELECT DISTINCT month FROM dim_date ORDER BY month"
    ).suffix(Self.months)
    figures.months = Array(months)
    figures.overMonths = months.prefix { $0 < window.lastDay.prefix(7) }.count
    // Without export days, a chart in which every month is open shows nothing; the page states once
    // that the days are unknown.
    if window.completeThrough == nil {
      figures.completeMonths = figures.overMonths
    } else {
      let complete = months.map { window.isComplete(month: $0) }
      let completeMonths = complete.lastIndex(of: true).map { $0 + 1 } ?? 0
      figures.completeMonths = completeMonths
      figures.openMonths = complete.indices.filter { $0 < completeMonths && !complete[$0] }
    }
    figures.products = try Self.names(
      products.sql(), most: Self.mostProducts, other: "others", on: db)
    figures.apps = products.apps
    figures.appsOfProducts = try products.places(of: figures.products, on: db)
    let room = Self.cells / max(1, figures.products.count * figures.months.count)
    figures.storefronts = try Self.names(
      "COALESCE(storefront, 'unknown')", most: min(Self.storefronts, max(3, room)),
      other: "others", on: db)
    productPlaces = Self.places(figures.products)
    storefrontPlaces = Self.places(figures.storefronts)
    monthPlaces = Self.places(figures.months)
    recurring = try RecurringRevenue(months: figures.months, products, on: db)
    units = try Self.units(on: db)
  }

  /// Reads the reporting currency, then the most frequent currencies.
  private static func units(on db: Database) throws -> [DashboardFigures.Unit] {
    let reporting = try ReportingSummary.currency(on: db)?.code
    let codes = try String.fetchAll(
      db,
      sql: """
        SELECT currency FROM fct_revenue WHERE paid_milli > 0 AND currency GLOB '[A-Z][A-Z][A-Z]'
        GROUP BY 1 ORDER BY count(1) DESC, 1 LIMIT \(PageWindow.currencies)
        """)
    return ([reporting] + codes).enumerated().compactMap { place, code in
      code.flatMap { Currency($0) }.map {
        .init(code: $0.code, decimals: $0.decimals, isConverted: place == 0)
      }
    }
  }

  /// Reads the values of an SQL expression over `fct_revenue`, the most frequent value first.
  ///
  /// The entry `other` replaces all values after the first `most` values. If it would replace only
  /// one value, that value is kept.
  private static func names(_ column: String, most: Int, other: String, on db: Database) throws
    -> [String]
  {
    let all = try String.fetchAll(
      db, sql: "SELECT \(column) FROM fct_revenue GROUP BY 1 ORDER BY count(1) DESC, 1")
    return all.count <= most + 1 ? all : all.prefix(most) + [other]
  }

  private static func places(_ names: [String]) -> [String: Int64] {
    Dictionary(
      names.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { first, _ in first })
  }

  func place(product: String?) -> Int64 {
    product.map { productPlaces[$0] ?? Int64(productPlaces.count - 1) } ?? -1
  }

  /// Returns the number that means an app in the column `product` of the table `payers`.
  ///
  /// The first app is -2, the second is -3.
  private func place(app: String?) -> Int64 {
    -2 - Int64(products.apps.firstIndex { $0 == app } ?? 0)
  }

  private func place(storefront: String?) -> Int64 {
    let name = storefront ?? "unknown"
    return storefrontPlaces[name] ?? Int64(storefrontPlaces.count - 1)
  }

  /// Sums the rows of a query whose columns are month, product and storefront, then figures.
  ///
  /// Leaves out months that are not displayed.
  func sums(_ sql: String) throws -> Sums {
    var sums = Sums()
    let rows = try StoredRow.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      add(
        (3..<row.count).map { row[$0] as Int64? ?? 0 }, month: row[0], product: row[1],
        storefront: row[2], to: &sums)
    }
    return sums
  }

  /// Sums the rows of a query like ``sums(_:)`` whose first column is a currency.
  ///
  /// - Returns: The sums of each currency; `nil` is the reporting currency.
  private func sumsByCurrency(_ sql: String) throws -> [String?: Sums] {
    var sums: [String?: Sums] = [:]
    let rows = try StoredRow.fetchCursor(db, sql: sql)
    while let row = try rows.next() {
      add(
        (4..<row.count).map { row[$0] as Int64? ?? 0 }, month: row[1], product: row[2],
        storefront: row[3], to: &sums[row[0], default: [:]])
    }
    return sums
  }

  func add(
    _ figures: [Int64], month: String, product: String, storefront: String?, to sums: inout Sums
  ) {
    guard let month = monthPlaces[month] else { return }
    let key = [month, place(product: product), place(storefront: storefront)]
    sums[key] = sums[key].map { zip($0, figures).map { $0 &+ $1 } } ?? figures
  }

  /// Adds rows to a table: a row for each key of the query results in `parts`.
  ///
  /// A row has the unit (if given), the key, and the figures of all results for this key. If a
  /// result does not have the key, its figures are 0.
  mutating func add(
    _ name: String, _ columns: [String], _ parts: [(sums: Sums, width: Int)], unit: Int64? = nil
  ) {
    let keys = Set(parts.flatMap(\.sums.keys)).sorted { $0.lexicographicallyPrecedes($1) }
    var table = figures.tables[name] ?? DashboardFigures.Table(columns: columns)
    table.rows += keys.map { key in
      (unit.map { [$0] } ?? []) + key
        + parts.flatMap { part in
          part.sums[key] ?? [Int64](repeating: 0, count: part.width)
        }
    }
    figures.tables[name] = table
  }

  // MARK: Money

  /// Reads revenue and monthly recurring revenue in several currencies.
  ///
  /// The reporting currency is first. The most frequent currencies follow, until table `money` is
  /// full.
  private mutating func readMoney() throws {
    let movements = try Movements(products, on: db)
    let revenue = try sumsByCurrency(queries.revenue(.own))
    for unit in units where unit.isConverted || isRoomForMoney {
      if unit.isConverted {
        let converted = try sumsByCurrency(queries.revenue(.reporting))
        try addUnit(unit, .reporting, converted[nil] ?? [:], movements)
        try readOwnCurrencies(movements)
      } else {
        try addUnit(unit, .own(unit.code), revenue[unit.code] ?? [:], movements)
      }
    }
  }

  private var isRoomForMoney: Bool { figures.tables["money"]?.rows.count ?? 0 < Self.moneyRows }

  /// Reads revenue and recurring revenue in the rows' own currencies, and monthly exchange rates.
  ///
  /// With them, the page can convert the revenue of all months at the rates of one month. Nothing
  /// is added if all amounts have the same currency, or if the query has more than ``moneyRows``
  /// rows.
  private mutating func readOwnCurrencies(_ movements: Movements) throws {
    let all = try StoredRow.fetchAll(db, sql: DashboardQueries.rates)
    let currencies = Set(all.map { $0[0] as String }).sorted()
    let rows = try StoredRow.fetchAll(db, sql: queries.ownRevenue)
    guard currencies.count > 1, rows.count <= Self.moneyRows else { return }
    var own = DashboardFigures.Table(
      columns: ["currency", "month", "product", "storefront", "net", "end"])
    var rates = DashboardFigures.Table(columns: ["currency", "month", "own", "converted"])
    for (place, currency) in currencies.enumerated() {
      var (paid, recurring) = (Sums(), Sums())
      for row in rows where row[0] == currency {
        add([row[4]], month: row[1], product: row[2], storefront: row[3], to: &paid)
      }
      for line in movements.lines where line.currency == currency {
        add(
          Array(line.amounts.suffix(1)), month: line.month, product: line.product,
          storefront: line.storefront, to: &recurring)
      }
      let keys = Set(paid.keys).union(recurring.keys)
      own.rows += keys.sorted { $0.lexicographicallyPrecedes($1) }.map {
        [Int64(place)] + $0 + (paid[$0] ?? [0]) + (recurring[$0] ?? [0])
      }
      for row in all where row[0] == currency {
        guard let month = monthPlaces[row[1]] else { continue }
        rates.rows.append([Int64(place), month, row[2], row[3]])
      }
    }
    figures.tables["own"] = own
    figures.tables["rates"] = rates
  }

  private mutating func addUnit(
    _ unit: DashboardFigures.Unit, _ amount: DashboardQueries.Amount, _ revenue: Sums,
    _ movements: Movements
  ) throws {
    let columns =
      ["unit", "month", "product", "storefront"] + DashboardQueries.revenueColumns
      + Movements.kinds + ["end", "rc"]
    if figures.units.isEmpty {
      try DayReading(window, products, places: (productPlaces, storefrontPlaces), on: db)
        .add(amount, to: &figures)
    }
    var moved = Sums()
    for line in movements.lines where unit.isConverted || line.currency == unit.code {
      add(
        unit.isConverted ? line.converted : line.amounts,
        month: line.month, product: line.product, storefront: line.storefront, to: &moved)
    }
    var compatible = Sums()
    for line in recurring.lines where unit.isConverted || line.currency == unit.code {
      let figure = unit.isConverted ? line.compatibleReporting : line.compatible
      guard figure != 0 else { continue }
      add(
        [figure], month: line.month, product: line.product, storefront: line.storefront,
        to: &compatible)
    }
    add(
      "money", columns,
      [
        (revenue, DashboardQueries.revenueColumns.count), (moved, Movements.kinds.count + 1),
        (compatible, 1),
      ],
      unit: Int64(figures.units.count))
    figures.units.append(unit)
  }

  /// Reads the number of paying customers in total, by product, by app and by storefront.
  ///
  /// The page cannot add up these numbers, because a customer may have several products. In the
  /// column for the product, -1 means all products. -2 and lower numbers mean an app: -2 minus its
  /// position in ``DashboardFigures/apps``.
  private mutating func readPayers() throws {
    var table = DashboardFigures.Table(
      columns: ["unit", "month", "product", "storefront", "customers"])
    let storefronts = "COALESCE(storefront, 'unknown')"
    var choices = [("NULL", "NULL"), (products.sql(), "NULL"), ("NULL", storefronts)]
    if !products.apps.isEmpty { choices += [("bundle_id", "NULL"), ("bundle_id", storefronts)] }
    let units = figures.units.enumerated().map {
      (code: $1.isConverted ? nil : $1.code, place: Int64($0))
    }
    let amounts =
      (figures.units.contains(where: \.isConverted) ? [.reporting] : [])
      + [DashboardQueries.Amount.own]
    for (product, storefront) in choices {
      var sums: [[Int64]: Int64] = [:]
      for amount in amounts {
        let rows = try StoredRow.fetchCursor(
          db, sql: queries.payers(amount, product: product, storefront: storefront))
        while let row = try rows.next() {
          let code: String? = row[0]
          guard let unit = units.first(where: { $0.code == code }),
            let month = monthPlaces[row[1]], product != "bundle_id" || !row.isNull(2)
          else { continue }
          let name: String? = row[3]
          let key = [
            unit.place, month,
            product == "bundle_id" ? self.place(app: row[2]) : self.place(product: row[2]),
            name == nil ? -1 : self.place(storefront: name),
          ]
          sums[key, default: 0] += row[4] as Int64
        }
      }
      table.rows += sums.map { $0.key + [$0.value] }
    }
    table.rows.sort { $0.lexicographicallyPrecedes($1) }
    figures.tables["payers"] = table
  }
}
