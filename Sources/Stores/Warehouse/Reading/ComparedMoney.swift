package import GRDB

/// The money in the comparison with Apple's reports, summed over all currencies.
///
/// Amounts are converted at the average rates of the facts. Without a reporting currency, only the
/// currency with the most units in Apple's reports is used. Products of other apps are left out.
package struct ComparedMoney {
  /// The sums of one month, or of all months.
  package struct Sums {
    /// Apple's money; refunds are added as positive amounts.
    private var apple: Int64 = 0
    /// The money of the facts; refunds are added as positive amounts.
    private var ours: Int64 = 0
    private var equal: Int64 = 0
    /// Apple's money minus the money of the facts, keyed by cause.
    private var differences: [String: Int64] = [:]

    /// The part of Apple's money that is equal in the facts, in hundredths of a percent.
    ///
    /// Rounded down; `nil` if Apple has no money.
    package var equalShare: Int64? { apple > 0 ? Self.part(equal, of: apple) : nil }

    /// Apple's money minus the money of the facts, keyed by cause.
    ///
    /// In hundredths of a percent of Apple's money.
    package var differenceShares: [String: Int64] {
      differences.mapValues { Self.part($0, of: apple > 0 ? apple : max(1, ours)) }
    }

    fileprivate mutating func add(_ line: Line, _ rate: Rate) {
      apple = Rate.sum(apple, rate.converted(line.appleSize))
      ours = Rate.sum(ours, rate.converted(line.ourSize))
      guard line.cause != "equal" else {
        equal = Rate.sum(equal, rate.converted(line.appleSize))
        return
      }
      differences[line.cause] = Rate.sum(
        differences[line.cause] ?? 0, rate.converted(line.difference))
    }

    private static func part(_ part: Int64, of whole: Int64) -> Int64 {
      Rate(10_000, per: whole).converted(part)
    }
  }

  /// The sums of one cause for a product in a storefront and currency.
  package struct Place {
    /// The cause, as in `audit_reconciliation`.
    package var cause: String
    /// The product, or its Apple ID.
    package var product: String
    /// The storefront; empty if unknown.
    package var storefront: String
    /// The currency; empty if unknown.
    package var currency: String
    /// Apple's units minus the units of the facts.
    package var units: Int64
    /// Apple's money minus the money of the facts, in thousandths of the currency.
    package var milli: Int64
  }

  fileprivate struct Line {
    var month: String
    var currency: String
    var cause: String
    var appleSize: Int64
    var ourSize: Int64
    var difference: Int64
  }

  /// The sums of all compared months.
  package private(set) var total = Sums()
  /// The sums per month, such as `2021-08`.
  package private(set) var months: [String: Sums] = [:]
  /// The largest differences of each cause, the largest first.
  package private(set) var largest: [Place] = []
  private var rates: [String: Rate] = [:]

  /// The largest number of differences per cause in ``largest``.
  private static let placesOfCause = 10

  /// Reads and sums the published comparison.
  ///
  /// - Parameters:
  ///   - month: A single month, such as `2021-08`; `nil` for all.
  ///   - db: The warehouse, opened to read.
  /// - Throws: The error of SQLite if the comparison cannot be read.
  package init(month: String?, on db: Database) throws {
    rates = try Self.rates(on: db)
    let lines = try Row.fetchAll(db, sql: Self.sums, arguments: [month]).map { row in
      Line(
        month: row[0], currency: row[1], cause: row[2], appleSize: row[3], ourSize: row[4],
        difference: row[5])
    }
    if rates.isEmpty, let main = try String.fetchOne(db, sql: Self.main, arguments: [month]) {
      rates = [main: Rate(1, per: 1)]
    }
    for line in lines {
      guard let rate = rates[line.currency] else { continue }
      total.add(line, rate)
      months[line.month, default: Sums()].add(line, rate)
    }
    largest = try places(month: month, on: db)
  }

  private func places(month: String?, on db: Database) throws -> [Place] {
    let all = try Row.fetchAll(db, sql: Self.places, arguments: [month]).map { row in
      Place(
        cause: row[0], product: row[1], storefront: row[2], currency: row[3], units: row[4],
        milli: row[5])
    }
    return Dictionary(grouping: all, by: \.cause).sorted { $0.key < $1.key }.flatMap { _, places in
      let sized = places.map { ($0, rates[$0.currency]?.converted($0.milli).magnitude ?? 0) }
      return sized.sorted { left, right in
        (right.1, left.0.product, left.0.storefront, left.0.currency)
          < (left.1, right.0.product, right.0.storefront, right.0.currency)
      }.prefix(Self.placesOfCause).map(\.0)
    }
  }

  private static func rates(on db: Database) throws -> [String: Rate] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT currency, SUM(paid_reporting_micros), SUM(paid_milli) FROM fct_revenue
        WHERE paid_milli > 0 AND paid_reporting_micros > 0 GROUP BY currency
        """)
    return Dictionary(
      rows.compactMap { row in
        (row[0] as String?).map { ($0, Rate(row[1], per: row[2])) }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static let sums = """
    SELECT month, currency, cause, SUM(abs(apple_milli)), SUM(abs(our_milli)),
      SUM(apple_milli - our_milli)
    FROM audit_reconciliation WHERE cause <> 'other_products' AND (?1 IS NULL OR month = ?1)
    GROUP BY month, currency, cause ORDER BY month, currency, cause
    """

  /// SQL: the currency with the most units in Apple's reports.
  private static let main = """
    SELECT currency FROM audit_reconciliation
    WHERE cause <> 'other_products' AND (?1 IS NULL OR month = ?1)
    GROUP BY currency ORDER BY SUM(abs(apple_units)) DESC, currency LIMIT 1
    """

  private static let places = """
    SELECT cause, product_id, storefront, currency, SUM(apple_units - our_units),
      SUM(apple_milli - our_milli)
    FROM audit_reconciliation
    WHERE cause NOT IN ('equal', 'other_products') AND (?1 IS NULL OR month = ?1)
    GROUP BY cause, product_id, storefront, currency HAVING SUM(apple_milli - our_milli) <> 0
    """
}

/// A conversion rate as a fraction, such as 1,080 / 1,000.
private struct Rate {
  private let numerator: UInt64
  private let denominator: UInt64

  /// - Precondition: Both numbers are above 0.
  init(_ numerator: Int64, per denominator: Int64) {
    (self.numerator, self.denominator) = (numerator.magnitude, max(1, denominator.magnitude))
  }

  /// Converts an amount, rounded towards 0; on overflow, returns the largest number.
  func converted(_ amount: Int64) -> Int64 {
    let whole = amount.magnitude.multipliedFullWidth(by: numerator)
    guard whole.high < denominator else { return amount < 0 ? -.max : .max }
    let quotient = denominator.dividingFullWidth(whole).quotient
    let size = Int64(clamping: quotient)
    return amount < 0 ? -size : size
  }

  /// Adds two numbers; on overflow, returns the largest number.
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (left < 0 ? -.max : .max) : sum
  }
}
