internal import CivilTime
internal import GRDB
public import PurchaseModel
internal import SQLiteFiles

/// The customers in the exports, including those without a purchase.
public struct ExportedCustomers: Sendable {
  /// The first day and storefront of each customer, indexed by the symbol of the customer id.
  ///
  /// `nil` for symbols that are not customer ids.
  public var arrivals: [CustomerArrival?]
  /// The texts of the customer ids, and the erased customers.
  public var customers: Customers
  /// The secret key for hashing customer ids.
  public var key: [UInt8]

  /// Creates the customers; `arrivals` and `customers` must use the symbols of one table.
  public init(arrivals: [CustomerArrival?], customers: Customers, key: [UInt8]) {
    self.arrivals = arrivals
    self.customers = customers
    self.key = key
  }
}

/// `customers_daily`: the number of customers by first day and storefront.
struct CustomerDayRows: Sendable {
  private struct Cell: Hashable {
    var day: CivilDay
    var storefront: Storefront?
  }

  /// Five numbers of customers, in the order of the table's columns.
  ///
  /// They are: all customers, customers with a purchase, with a trial, with a charge, and with a
  /// charge or an unknown amount. The other lanes are 0.
  fileprivate typealias Counts = SIMD8<Int64>

  private var cells: [Cell: Counts] = [:]

  /// Computes the table from the facts in the warehouse and the customers in the exports.
  ///
  /// - Parameters:
  ///   - seen: The customers in the exports; `nil` to include only customers with a purchase.
  ///   - last: The last day to include: customers who occur only after this day are left out. `nil`
  ///     to include all customers.
  init(_ seen: ExportedCustomers?, through last: CivilDay?, on db: Database) throws {
    var buyers = try Self.buyers(on: db)
    if let seen {
      let code = CustomerKeys.code(seen.key)
      for (number, arrival) in seen.arrivals.enumerated() {
        guard let arrival, last.map({ arrival.day <= $0 }) ?? true else { continue }
        let customer = CustomerID(Symbol(rawValue: UInt32(number)))
        let hash = CustomerKeys.hash(of: seen.customers.utf8(customer), code)
        let buyer = buyers.removeValue(forKey: hash)
        add(
          buyer?.counts ?? Counts(1, 0, 0, 0, 0, 0, 0, 0),
          on: min(arrival.day, buyer?.firstAt.day ?? arrival.day),
          in: arrival.storefront ?? buyer?.storefront)
      }
    }
    // Adds the customers that `seen` lacks: erased customers, and customers who are known only by
    // account tokens of signed transactions.
    for buyer in buyers.values { add(buyer.counts, on: buyer.firstAt.day, in: buyer.storefront) }
  }

  private mutating func add(_ counts: Counts, on day: CivilDay, in storefront: Storefront?) {
    cells[Cell(day: day, storefront: storefront), default: Counts()] &+= counts
  }

  fileprivate struct Buyer {
    /// The time of the customer's first purchase.
    var firstAt: Instant
    /// The time of the first purchase with a known storefront; `nil` if no storefront is known.
    var placedAt: Instant?
    /// The storefront of the purchase at ``placedAt``.
    var storefront: Storefront?
    var counts = Counts(1, 1, 0, 0, 0, 0, 0, 0)

    init(firstAt: Instant) { self.firstAt = firstAt }
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
      SELECT customer_key, purchased_at, storefront, period_kind = 'trial',
        COALESCE(paid_milli, 0) > 0, paid_milli IS NULL
      FROM fct_revenue WHERE customer_key IS NOT NULL
      """, on: db)
    while try rows.next() {
      let key = unsafe rows.withBytes(0) { unsafe CustomerKeys.hash(digits: $0) }
      guard let time = rows.withSpan(1, { Instant(text: $0) }) else {
        throw DamagedRow("a purchase of fct_revenue has no time")
      }
      buyers[key, default: Buyer(firstAt: time)].add(rows, at: time)
    }
    return buyers
  }

  /// Replaces all rows of `customers_daily`.
  func write(on db: Database) throws {
    try db.execute(sql: "DELETE FROM customers_daily")
    let statement = try RawStatement(
      "customers_daily", "INSERT INTO customers_daily VALUES (?, ?, ?, ?, ?, ?, ?)", on: db)
    let rows = cells.map { cell, counts in
      (day: cell.day.text, storefront: cell.storefront?.code ?? "", counts: counts)
    }
    for row in rows.sorted(by: { ($0.day, $0.storefront) < ($1.day, $1.storefront) }) {
      statement.bind(row.day, at: 1)
      statement.bind(row.storefront, at: 2)
      for count in 0..<5 { statement.bind(row.counts[count], at: Int32(count) + 3) }
      try statement.run()
    }
  }
}

extension CustomerDayRows.Buyer {
  /// Updates the customer's first purchase, storefront and counts from a row of `fct_revenue`.
  fileprivate mutating func add(_ row: RawStatement, at time: Instant) {
    firstAt = min(firstAt, time)
    if placedAt.map({ time <= $0 }) ?? true, let found = row.withSpan(2, { Storefront($0) }) {
      storefront = time == placedAt ? storefront.map { min($0, found) } : found
      placedAt = time
    }
    counts = pointwiseMax(
      counts, [0, 0, row.int64(3), row.int64(4), max(row.int64(4), row.int64(5)), 0, 0, 0])
  }
}
