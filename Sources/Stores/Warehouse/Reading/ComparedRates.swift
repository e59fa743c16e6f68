internal import Amounts
internal import CivilTime
internal import ExchangeRates
internal import GRDB
internal import SQLiteFiles

/// The rates that convert the compared amounts to the reporting currency.
struct ComparedRates {
  /// The average rates of the facts, keyed by currency, including the reporting currency.
  private var averages: [String: Rate] = [:]
  /// The pipeline's exchange rates, for currencies for which the facts have no rate.
  private var table: ReportingCurrency?
  /// The reporting currency; `nil` if there is none, or if none of Apple's totals can be converted.
  private(set) var reporting: String?

  /// Reads the average exchange rate of each currency in the facts.
  ///
  /// - Parameters:
  ///   - table: Returns the pipeline's exchange rates; called only if the facts lack a rate.
  init(
    for totals: [AppleTotal], ours: Set<String>, table: () -> ReportingCurrency?, on db: Database
  ) throws {
    guard let code = try ReportingSummary.currency(on: db)?.code else {
      useMainCurrency(of: totals, ours)
      return
    }
    for row in try StoredRow.fetchAll(db, sql: Self.averages) {
      averages[row[0]] = Rate(row[1], per: row[2])
    }
    averages[code] = Rate(Self.microsOfMilli, per: 1)
    reporting = code
    if totals.contains(where: { averages[$0.currency] == nil }), let own = table(),
      own.currency.code == code
    {
      self.table = own
    }
    let isUsable = totals.isEmpty || totals.contains { rate(of: $0.currency, in: $0.month) != nil }
    if !isUsable { useMainCurrency(of: totals, ours) }
  }

  /// The average rate of a currency in the facts, or else its first exchange rate in the month.
  ///
  /// `nil` if the currency has neither of these rates.
  func rate(of currency: String, in month: String) -> Rate? {
    if let rate = averages[currency] { return rate }
    guard let table, let own = Currency(currency), let first = CivilDay(text: month + "-01") else {
      return nil
    }
    let days = (0..<31).lazy.map { first.advanced(by: $0) }.prefix { $0.monthText == month }
    for day in days {
      if let amount = try? table.converted(Self.sample, from: own, on: day) {
        return Rate(amount.micros.rawValue, per: Self.sample.rawValue)
      }
    }
    return nil
  }

  /// Keeps only the currency with the most units in Apple's reports, without conversion.
  private mutating func useMainCurrency(of totals: [AppleTotal], _ ours: Set<String>) {
    var units = Dictionary(uniqueKeysWithValues: ours.map { ($0, Int64(0)) })
    for total in totals {
      units[total.currency] = Rate.sum(units[total.currency] ?? 0, total.units)
    }
    averages = [:]
    table = nil
    reporting = nil
    if let main = units.min(by: { ($1.value, $0.key) < ($0.value, $1.key) })?.key {
      averages[main] = Rate(1, per: 1)
    }
  }

  /// The only currency in the sums; `nil` with a reporting currency.
  var main: String? { reporting == nil ? averages.keys.first : nil }

  /// The amount that is converted to find a rate: a million of the currency, such as 1,000,000 USD.
  private static let sample = Milliunits(1_000_000_000)
  private static let microsOfMilli: Int64 = 1000

  private static let averages = """
    SELECT currency, SUM(paid_reporting_micros), SUM(paid_milli) FROM fct_revenue
    WHERE paid_milli > 0 AND paid_reporting_micros > 0 AND currency IS NOT NULL GROUP BY currency
    """
}

/// A conversion rate as a fraction, such as 1,080 / 1,000.
struct Rate {
  private let numerator: UInt64
  private let denominator: UInt64

  /// Creates a rate as a fraction.
  ///
  /// - Precondition: Both numbers are above 0.
  init(_ numerator: Int64, per denominator: Int64) {
    (self.numerator, self.denominator) = (numerator.magnitude, max(1, denominator.magnitude))
  }

  /// Converts an amount, rounded towards 0; on overflow, returns the largest number of that sign.
  func converted(_ amount: Int64) -> Int64 {
    let whole = amount.magnitude.multipliedFullWidth(by: numerator)
    guard whole.high < denominator else { return amount < 0 ? -.max : .max }
    let quotient = denominator.dividingFullWidth(whole).quotient
    let size = Int64(clamping: quotient)
    return amount < 0 ? -size : size
  }

  /// Adds two numbers; on overflow, returns the largest number of that sign.
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (left < 0 ? -.max : .max) : sum
  }
}
