internal import Amounts
internal import Deciding
internal import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases

/// The sums that the gates check, over the facts of all tasks.
///
/// A row `tally` has the name of a sum, a product, a currency, and a number.
struct TallyRows {
  static let tag = "tally"

  /// The name of a sum, as written in its row.
  private enum Count: String {
    case purchases, revenue, customers, chargeable, exact, missing, unconverted, placeholderIDs =
      "nobodies", reports,
      ambiguous
  }

  /// The sums that the gates check on a single machine too.
  private(set) var tally = FactTally()
  /// The number of rows with an exact amount.
  private(set) var exact = 0
  /// The number of placeholder customer ids.
  ///
  /// Every task writes this number. So the sum over all tasks is too large; it shows only whether
  /// there are any.
  private(set) var placeholderIDs = 0
  /// The number of price reports in the rows of all households.
  ///
  /// A report that two households need is included twice.
  private(set) var reports = 0

  /// The number of price reports without an app, for each product id that several apps sell.
  private(set) var ambiguous: [ProductID: Int] = [:]

  /// Adds the facts of some households, and the number of reports in their rows.
  mutating func add(_ decided: DecidedHouseholds, reports: Int) {
    tally.add(decided)
    exact += decided.amounts.amounts.count { $0.status == .exact }
    self.reports += reports
  }

  /// Adds the number of reports without an app, for product ids that several apps sell.
  ///
  /// - Parameters:
  ///   - sold: All products that were sold, with the app if several apps sell the id.
  mutating func add(reported: some Sequence<ProductID>, sold: some Sequence<ProductID>) {
    let shared = Set(sold.lazy.filter { $0.app != nil }.map(\.symbol))
    for product in reported where product.app == nil && shared.contains(product.symbol) {
      ambiguous[product, default: 0] += 1
    }
  }

  /// Writes one row `tally` for each sum.
  func write(_ symbols: SymbolTable, to output: FilterOutput) throws(RunFailure) {
    func row(
      _ what: String, _ count: Int, product: ProductID? = nil, currency: Currency? = nil
    ) throws(RunFailure) {
      try output.row(
        Self.tag, .word(what), .text(product.map { Array(symbols.utf8($0.symbol)) }),
        .word(currency?.code ?? "\\N"), .number(Int64(count)))
    }
    let sums: [(Count, Int)] = [
      (.purchases, tally.purchases), (.revenue, tally.revenue),
      (.customers, tally.namesCustomer ? 1 : 0), (.chargeable, tally.chargeable),
      (.exact, exact), (.placeholderIDs, placeholderIDs), (.reports, reports),
    ]
    for (what, count) in sums { try row(what.rawValue, count) }
    for reason in ExclusionReason.allCases {
      if let count = tally.excluded[reason] { try row(reason.rawValue, count) }
    }
    for (series, count) in tally.missing {
      try row(
        Count.missing.rawValue, count, product: series.productID, currency: series.currency)
    }
    for (product, count) in ambiguous {
      try row(Count.ambiguous.rawValue, count, product: product)
    }
    for (currency, count) in tally.unconverted {
      try row(Count.unconverted.rawValue, count, currency: currency)
    }
  }

  /// Adds the number in a row `tally` to its sum.
  mutating func read(_ row: inout FilterRow, into symbols: inout SymbolTable) throws(RunFailure) {
    let what = try row.word()
    let product = try row.text().map { ProductID(symbols.intern($0.span)) }
    let currency = try row.text().flatMap { Currency(String(decoding: $0, as: UTF8.self)) }
    let count = Int(try row.number())
    if let reason = ExclusionReason(rawValue: what) {
      tally.excluded[reason, default: 0] += count
      return
    }
    switch (Count(rawValue: what), product, currency) {
    case (.purchases, _, _): tally.purchases += count
    case (.revenue, _, _): tally.revenue += count
    case (.customers, _, _): tally.namesCustomer = tally.namesCustomer || count > 0
    case (.chargeable, _, _): tally.chargeable += count
    case (.exact, _, _): exact += count
    case (.placeholderIDs, _, _): placeholderIDs += count
    case (.reports, _, _): reports += count
    case (.missing, let product?, _):
      tally.missing[FactTally.Series(productID: product, currency: currency), default: 0] += count
    case (.ambiguous, let product?, _): ambiguous[product, default: 0] += count
    case (.unconverted, _, let currency?): tally.unconverted[currency, default: 0] += count
    default: throw row.failure("the name of a sum that this version writes")
    }
  }

  /// Converts a number of rows to a percentage of the chargeable rows, in hundredths of a percent.
  ///
  /// Returns `nil` without chargeable rows.
  func basisPoints(_ rows: Int) -> Int64? {
    tally.chargeable > 0 ? Int64(10_000 * rows / tally.chargeable) : nil
  }

  /// The number of chargeable rows with an amount.
  var known: Int { tally.chargeable - tally.unknown }
}
