internal import Amounts
internal import CivilTime
internal import Warehouse

/// The lines of the revenue table: the last twelve months, all months before them, and totals.
///
/// The earlier months and the totals have one line per currency, because amounts of different
/// currencies are never added.
struct RevenueMonths {
  private typealias Line = RevenueSummary.Line

  /// The number of months with lines of their own.
  private static let months = 12

  /// The lines to show, in their order.
  let shown: [RevenueSummary.Line]

  init(_ lines: [RevenueSummary.Line]) {
    let first = lines.last.flatMap { Self.first(ofMonthsEndingWith: $0.month) } ?? ""
    let recent = lines.filter { $0.month >= first }
    let earlier = lines.filter { $0.month < first }
    let before = earlier.isEmpty ? [] : Self.sums(earlier, as: "before")
    shown = before + recent + (lines.isEmpty ? [] : Self.sums(lines, as: "total"))
  }

  /// Returns the first of the months that end with a given one: `2024-06` → `2023-07`.
  private static func first(ofMonthsEndingWith last: String) -> String? {
    guard let day = CivilDay(text: last + "-01") else { return nil }
    let (year, month, _) = day.date
    let months = 12 * year + month - Self.months
    return CivilDay(year: months / 12, month: months % 12 + 1, day: 1)
      .map { String($0.text.prefix(7)) }
  }

  /// Returns one line per currency with the sums of all products, sorted by currency.
  ///
  /// A currency whose sum is too large for a number has none.
  private static func sums(_ lines: [Line], as name: String) -> [Line] {
    let currencies = Dictionary(grouping: lines) { $0.currency?.code ?? "unknown" }
    return currencies.sorted { $0.key < $1.key }.compactMap { _, lines in
      guard var sum = lines.first else { return nil }
      (sum.month, sum.productID) = (name, "all")
      for line in lines.dropFirst() {
        do {
          sum.gross = try known(sum.gross, plus: line.gross)
          sum.refunds = try known(sum.refunds, plus: line.refunds)
        } catch {
          return nil
        }
        sum.unresolvedRows += line.unresolvedRows
      }
      return sum
    }
  }

  /// Returns the sum of what is known; `nil` if neither amount is.
  private static func known(
    _ amount: Milliunits?, plus other: Milliunits?
  ) throws(AmountError) -> Milliunits? {
    guard let amount, let other else { return amount ?? other }
    return try amount.adding(other)
  }
}
