internal import CivilTime
internal import GRDB
public import PurchaseModel
internal import SQLiteFiles

/// The customers in the exports, including those without a purchase.
public struct ExportedCustomers: Sendable {
  /// The first day and storefront of each customer, indexed by the number of the id's symbol.
  ///
  /// `nil` for symbols that are not customer ids.
  public var arrivals: [CustomerArrival?]
  /// The customer ids to hash.
  public var customers: Customers
  /// The secret key for hashing customer ids.
  public var key: [UInt8]

  /// Creates the customers of a publication.
  public init(arrivals: [CustomerArrival?], customers: Customers, key: [UInt8]) {
    self.arrivals = arrivals
    self.customers = customers
    self.key = key
  }
}

/// `customers_daily`: the number of customers by first day and storefront.
enum CustomerDayRows {
  private struct Cell: Hashable {
    var day: String
    var storefront: String
  }

  /// Five numbers of customers, in the order of the table's columns.
  ///
  /// They are: all customers, customers with a purchase, with a trial, with a charge, and with a
  /// charge or an unknown amount.
  fileprivate typealias Counts = [Int64]

  /// Rewrites the table, after the facts are written.
  ///
  /// - Parameters:
  ///   - seen: The customers in the exports; `nil` to include only customers with a purchase.
  ///   - last: The last day that is included; `nil` for all.
  ///   - db: The warehouse.
  /// - Throws: The errors of SQLite.
  static func write(_ seen: ExportedCustomers?, through last: CivilDay?, on db: Database) throws {
    var buyers = try buyers(on: db)
    var cells: [Cell: Counts] = [:]
    func add(_ counts: Counts, on day: String, in storefront: String) {
      let cell = Cell(day: day, storefront: storefront)
      cells[cell] = cells[cell].map { zip($0, counts).map(+) } ?? counts
    }
    if let seen {
      let code = CustomerKeys.code(seen.key)
      for (number, arrival) in seen.arrivals.enumerated() {
        guard let arrival, last.map({ arrival.day <= $0 }) ?? true else { continue }
        let customer = CustomerID(Symbol(rawValue: UInt32(number)))
        let hash = CustomerKeys.hash(of: seen.customers.utf8(customer), code)
        let buyer = buyers.removeValue(forKey: hash)
        add(
          buyer?.counts ?? [1, 0, 0, 0, 0], on: min(arrival.day.text, buyer?.day ?? "9999"),
          in: arrival.storefront?.code ?? buyer?.storefront ?? "")
      }
    }
    // Adds customers that are not in `seen`: erased customers, and customers who are known only by
    // account tokens of signed transactions.
    for buyer in buyers.values { add(buyer.counts, on: buyer.day, in: buyer.storefront) }
    try insert(cells, on: db)
  }

  fileprivate struct Buyer {
    /// The day of the customer's first purchase.
    var day: String
    /// The time of the first purchase with a known storefront, and its storefront; empty if
    /// unknown.
    var placedAt = ""
    var storefront = ""
    var counts: Counts = [1, 1, 0, 0, 0]
  }

  /// Reads the customers who bought something or began a trial, keyed by the hash of the customer
  /// id.
  ///
  /// The rows are read in table order, because SQLite would sort all of them to group them.
  private static func buyers(on db: Database) throws -> [UInt128: Buyer] {
    var buyers: [UInt128: Buyer] = [:]
    let rows = try RawStatement(
      "read buyers",
      """
      SELECT customer_key, purchased_date, purchased_at, storefront, period_kind = 'trial',
        COALESCE(paid_milli, 0) > 0, paid_milli IS NULL
      FROM fct_revenue WHERE customer_key IS NOT NULL
      """, on: db)
    while try rows.next() {
      let key = unsafe rows.withBytes(0) { unsafe CustomerKeys.hash(digits: $0) }
      let day = rows.text(1)
      buyers[key, default: Buyer(day: day)].add(rows, on: day)
    }
    for key in buyers.keys { buyers[key]?.includePayers() }
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

extension CustomerDayRows.Buyer {
  /// Adds a row of `fct_revenue` to the customer's days, storefront and counts.
  fileprivate mutating func add(_ row: RawStatement, on day: String) {
    self.day = min(self.day, day)
    // An earlier day with a storefront has priority; the time of this row does not matter.
    if !row.isNull(3), placedAt.isEmpty || placedAt > day {
      let (time, place) = (row.text(2), row.text(3))
      if placedAt.isEmpty || (time, place) < (placedAt, storefront) {
        (placedAt, storefront) = (time, place)
      }
    }
    for column in 4...6 { counts[column - 2] = max(counts[column - 2], row.int64(Int32(column))) }
  }

  /// Raises the number of customers who may have paid to at least the number who paid.
  fileprivate mutating func includePayers() { counts[4] = max(counts[3], counts[4]) }
}
