package import ExchangeRates
package import GRDB
internal import SQLiteFiles

/// The amounts in the comparison with Apple's reports, summed over all currencies.
///
/// Amounts are converted at the average rate of their currency in the facts. If the facts have no
/// rate for the currency, its first exchange rate in the month of the amount is used. Without a
/// reporting currency, or if nothing can be converted, only the currency with the most units in
/// Apple's reports is used. Products of the owner's other apps are left out, and so are charges
/// that Apple's own reports make doubtful.
package struct ComparedMoney {
  /// The sums of one month, or of all months.
  package struct Sums {
    /// The amounts in Apple's reports, in thousandths; refunds are added as positive amounts.
    private var apple: Int64 = 0
    /// The amounts of the facts, in thousandths; refunds are added as positive amounts.
    private var ours: Int64 = 0
    private var equal: Int64 = 0
    /// The amounts that only the facts have.
    private var onlyOurs: Int64 = 0
    /// The amounts of the facts that Apple's own reports decided.
    private var fromReports: Int64 = 0
    /// The amount in Apple's reports minus the amount in the facts, keyed by cause.
    private var differences: [String: Int64] = [:]

    /// The proportion of the money of both sides that is the same charge or refund at the same
    /// price.
    ///
    /// Money that only Apple's reports or only the facts have lowers it. The unit is a hundredth of
    /// a percent, rounded down. `nil` if neither side has amounts.
    package var equalShare: Int64? {
      let all = Rate.sum(apple, onlyOurs)
      return all > 0 ? Self.part(equal, of: all) : nil
    }

    /// The largest possible proportion of the equal money whose price comes from Apple's own
    /// reports.
    ///
    /// The agreement of this money proves nothing. The unit is a hundredth of a percent, rounded
    /// down; `nil` if no money is equal.
    package var shareFromReports: Int64? {
      equal > 0 ? Self.part(min(fromReports, equal), of: equal) : nil
    }

    /// The amount in Apple's reports minus the amount in the facts, keyed by cause.
    ///
    /// The unit is a hundredth of a percent of the money in Apple's reports, or of the facts' money
    /// if Apple's reports have no money.
    package var differenceShares: [String: Int64] {
      differences.mapValues { Self.part($0, of: apple > 0 ? apple : max(1, ours)) }
    }

    fileprivate mutating func add(_ total: AppleTotal, _ rate: Rate) {
      apple = Rate.sum(apple, rate.converted(total.milli))
      equal = Rate.sum(equal, rate.converted(total.equal))
      onlyOurs = Rate.sum(onlyOurs, rate.converted(total.onlyOurs))
    }

    fileprivate mutating func add(fromReports milli: Int64, _ rate: Rate) {
      fromReports = Rate.sum(fromReports, rate.converted(milli))
    }

    fileprivate mutating func add(_ line: Line, _ rate: Rate) {
      ours = Rate.sum(ours, rate.converted(line.ourSize))
      guard line.cause != "equal" else { return }
      differences[line.cause] = Rate.sum(
        differences[line.cause] ?? 0, rate.converted(line.difference))
    }

    private static func part(_ part: Int64, of whole: Int64) -> Int64 {
      Rate(10_000, per: whole).converted(part)
    }
  }

  /// The difference between Apple's reports and the facts for a product, storefront, currency and
  /// cause.
  package struct Place {
    /// The cause, as in `audit_reconciliation`.
    package var cause: String
    /// The product id, or Apple's number of the product if the product id is unknown.
    package var product: String
    /// The storefront; empty if unknown.
    package var storefront: String
    /// The currency; empty if unknown.
    package var currency: String
    /// The number of units in Apple's reports minus the number in the facts.
    package var units: Int64
    /// The amount in Apple's reports minus the amount in the facts.
    ///
    /// The unit is a thousandth of the currency.
    package var milli: Int64
  }

  fileprivate struct Line {
    var month: String
    var currency: String
    var cause: String
    var ourSize: Int64
    var difference: Int64
  }

  /// The sums of all compared months.
  package private(set) var total = Sums()
  /// The sums of each month, keyed by month, such as `2021-08`.
  package private(set) var months: [String: Sums] = [:]
  /// The largest differences of each cause, the largest first.
  package private(set) var largest: [Place] = []
  /// The currency of the sums, and the currencies that the sums leave out.
  ///
  /// `nil` if Apple's reports have no amounts.
  package private(set) var scope: ComparedScope?
  private let rates: ComparedRates

  /// The largest number of differences per cause in ``largest``.
  private static let placesOfCause = 10

  /// Reads and sums the published comparison.
  ///
  /// - Parameters:
  ///   - part: The shown months and apps.
  ///   - table: Returns the pipeline's exchange rates, for currencies that the facts do not have.
  package init(_ part: ComparedPart, table: () -> ReportingCurrency?, on db: Database) throws {
    let lines = try StoredRow.fetchAll(db, sql: Self.sums, arguments: part.arguments).map { row in
      Line(month: row[0], currency: row[1], cause: row[2], ourSize: row[3], difference: row[4])
    }
    let totals = try AppleTotal.all(part, on: db)
    rates = try ComparedRates(for: totals, ours: Set(lines.map(\.currency)), table: table, on: db)
    scope = ComparedScope(totals, rates)
    scope?.doubted =
      try Int64.fetchOne(db, sql: Self.doubted, arguments: part.arguments) ?? 0
    for apple in totals {
      guard let rate = rates.rate(of: apple.currency, in: apple.month) else { continue }
      total.add(apple, rate)
      months[apple.month, default: Sums()].add(apple, rate)
    }
    for line in lines {
      guard let rate = rates.rate(of: line.currency, in: line.month) else { continue }
      total.add(line, rate)
      months[line.month, default: Sums()].add(line, rate)
    }
    for row in try Row.fetchAll(db, sql: Self.fromReports, arguments: part.arguments) {
      let currency: String = row[1]
      guard let rate = rates.rate(of: currency, in: row[0]) else { continue }
      total.add(fromReports: row[2], rate)
      months[row[0]]?.add(fromReports: row[2], rate)
    }
    largest = try places(part, last: lines.last?.month ?? "", on: db)
  }

  /// Converts an amount of a month to the currency of ``scope``; `nil` without a rate.
  func converted(_ milli: Int64, _ currency: String, in month: String) -> Int64? {
    rates.rate(of: currency, in: month)?.converted(milli)
  }

  /// Reads the largest differences of each cause, compared in the currency of ``scope``.
  ///
  /// A currency without a rate in the facts is converted at its rate in the month `last`.
  private func places(_ part: ComparedPart, last: String, on db: Database) throws -> [Place] {
    let all = try StoredRow.fetchAll(db, sql: Self.places, arguments: part.arguments).map { row in
      Place(
        cause: row[0], product: row[1], storefront: row[2], currency: row[3], units: row[4],
        milli: row[5])
    }
    return Dictionary(grouping: all, by: \.cause).sorted { $0.key < $1.key }.flatMap { _, places in
      let sized = places.map { place in
        (place, rates.rate(of: place.currency, in: last)?.converted(place.milli).magnitude ?? 0)
      }
      return sized.sorted { left, right in
        (right.1, left.0.product, left.0.storefront, left.0.currency)
          < (left.1, right.0.product, right.0.storefront, right.0.currency)
      }.prefix(Self.placesOfCause).map(\.0)
    }
  }

  private static let sums = """
    SELECT month, currency, cause, SUM(abs(our_milli)), SUM(apple_milli - our_milli)
    FROM audit_reconciliation WHERE cause <> 'other_products' AND \(ComparedPart.condition)
    GROUP BY month, currency, cause ORDER BY month, currency, cause
    """

  /// SQL: the units of either side that Apple's own reports make doubtful.
  private static let doubted = """
    SELECT SUM(MAX(apple_units, our_units)) FROM audit_reconciliation
    WHERE cause = 'doubted' AND \(ComparedPart.condition)
    """

  /// SQL: the charges whose price Apple's reports decided, and their refunds.
  private static let fromReports = """
    SELECT substr(purchased_at, 1, 7) AS month, currency,
      SUM(paid_milli * (1 + (reversal_kind = 'refund')))
    FROM fct_revenue WHERE price_rule = 'apple_report' AND \(ComparedPart.condition)
    GROUP BY month, currency ORDER BY month, currency
    """

  private static let places = """
    SELECT cause, product_id, storefront, currency, SUM(apple_units - our_units),
      SUM(apple_milli - our_milli)
    FROM audit_reconciliation
    WHERE cause NOT IN ('equal', 'other_products') AND \(ComparedPart.condition)
    GROUP BY cause, product_id, storefront, currency HAVING SUM(apple_milli - our_milli) <> 0
    """
}
