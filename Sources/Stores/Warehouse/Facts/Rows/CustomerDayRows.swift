internal import CivilTime
internal import Crypto
internal import GRDB
public import PurchaseModel
internal import SQLiteFiles

/// The customers in the exports, including those without a purchase.
public struct SeenCustomers: Sendable {
  /// The first day of each customer, indexed by symbol; `nil` for other texts.
  public var arrivals: [CustomerArrival?]
  /// The customer ids to hash.
  public var customers: Customers
  /// The key of the keyed hash.
  public var key: [UInt8]

  /// Creates the customers of a publication.
  public init(arrivals: [CustomerArrival?], customers: Customers, key: [UInt8]) {
    self.arrivals = arrivals
    self.customers = customers
    self.key = key
  }
}

/// `customers_daily`: customers by their first day and storefront.
enum CustomerDayRows {
  private struct Cell: Hashable {
    var day: String
    var storefront: String
  }

  /// The numbers of a cell: customers, and those who bought, tried, paid, and may have paid.
  private typealias Counts = [Int64]

  /// Rewrites the table, after the facts are written.
  ///
  /// - Parameters:
  ///   - seen: The customers in the exports; `nil` includes only those with a purchase.
  ///   - last: The last day that is included; `nil` for all.
  ///   - db: The warehouse.
  /// - Throws: The errors of SQLite.
  static func write(_ seen: SeenCustomers?, through last: CivilDay?, on db: Database) throws {
    var buyers = try buyers(on: db)
    var cells: [Cell: Counts] = [:]
    func add(_ counts: Counts, on day: String, in storefront: String) {
      let cell = Cell(day: day, storefront: storefront)
      cells[cell] = cells[cell].map { zip($0, counts).map(+) } ?? counts
    }
    if let seen {
      let key = SymmetricKey(data: seen.key)
      for (number, arrival) in seen.arrivals.enumerated() {
        guard let arrival, last.map({ arrival.day <= $0 }) ?? true else { continue }
        let customer = CustomerID(Symbol(rawValue: UInt32(number)))
        let digits = CustomerKeys.digits(of: seen.customers.utf8(customer), key: key)
        let buyer = buyers.removeValue(forKey: digits)
        add(
          buyer?.counts ?? [1, 0, 0, 0, 0], on: min(arrival.day.text, buyer?.day ?? "9999"),
          in: arrival.storefront?.code ?? buyer?.storefront ?? "")
      }
    }
    // Customers known only by account tokens of signed transactions, and erased customers.
    for buyer in buyers.values { add(buyer.counts, on: buyer.day, in: buyer.storefront) }
    try insert(cells, on: db)
  }

  private struct Buyer {
    var day: String
    var storefront: String
    var counts: Counts
  }

  /// Reads the customers with a purchase or a trial, keyed by the digits of their key.
  private static func buyers(on db: Database) throws -> [[UInt8]: Buyer] {
    var buyers: [[UInt8]: Buyer] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT customer_key, MIN(purchased_date), MIN(purchased_at || storefront),
          MAX(period_kind = 'trial'), MAX(COALESCE(paid_milli, 0) > 0), MAX(paid_milli IS NULL)
        FROM fct_revenue WHERE customer_key IS NOT NULL GROUP BY customer_key
        """)
    while let row = try rows.next() {
      let (hasPaid, mayHavePaid): (Int64, Int64) = (row[4], row[5])
      let placed: String? = row[2]
      buyers[Array((row[0] as String).utf8)] = Buyer(
        day: row[1], storefront: String((placed ?? "").suffix(placed == nil ? 0 : 3)),
        counts: [1, 1, row[3], hasPaid, max(hasPaid, mayHavePaid)])
    }
    return buyers
  }

  private static func insert(_ cells: [Cell: Counts], on db: Database) throws {
    try db.execute(sql: "DELETE FROM customers_daily")
    let statement = try RawStatement(
      "customers_daily", "INSERT INTO customers_daily VALUES (?, ?, ?, ?, ?, ?, ?)", on: db)
    let ordered = cells.sorted {
      ($0.key.day, $0.key.storefront) < ($1.key.day, $1.key.storefront)
    }
    for (cell, counts) in ordered {
      statement.bind(cell.day, at: 1)
      statement.bind(cell.storefront, at: 2)
      for (place, count) in counts.enumerated() { statement.bind(count, at: Int32(place) + 3) }
      try statement.run()
    }
  }
}
