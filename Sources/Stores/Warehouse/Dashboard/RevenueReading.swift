internal import Amounts
internal import GRDB
internal import SQLiteFiles

/// Reads revenue by currency, month, day and product.
enum RevenueReading {
  /// Reads the figures of each currency, and the newest months in the reporting currency.
  ///
  /// The most frequent currency is first, and the unknown currency is last. `converted` is `nil`
  /// without a reporting currency.
  static func read(_ window: PageWindow, _ products: ProductNames, on db: Database) throws
    -> (currencies: [CurrencyFigures], converted: ConvertedFigures?)
  {
    var gathered: [Currency?: Gathered] = [:]
    var months: [ConvertedMonth: ConvertedFigures.Line] = [:]
    let rows = try StoredRow.fetchCursor(db, sql: query(products))
    while let row = try rows.next() {
      let code: String? = row[0]
      let high: Int64? = row[5]
      let line = RevenueFigures(
        period: row[1], productID: row[2], gross: Milliunits(row[3]), low: Milliunits(row[4]),
        high: high.map(Milliunits.init), net: Milliunits(row[6]), unresolvedRows: row[7],
        isComplete: row[8])
      try gathered[code.flatMap { Currency($0) }, default: Gathered()].add(line, window)
      let month = ConvertedMonth(month: String(line.period.prefix(7)), productID: line.productID)
      let sums: (gross: Int64?, net: Int64?) = (row[9], row[10])
      try months[month, default: month.empty(window)].add(
        gross: sums.gross ?? 0, net: sums.net ?? 0, unconverted: row[11],
        unresolved: line.unresolvedRows)
    }
    for row in try StoredRow.fetchAll(db, sql: refundQuery) {
      let code: String? = row[0]
      gathered[code.flatMap { Currency($0) }, default: Gathered()].refunds = Milliunits(row[1])
    }
    let sorted = gathered.sorted { left, right in
      switch (left.key, right.key) {
      case (nil, _): false
      case (_, nil): true
      case (let one?, let other?):
        (right.value.rows, one) < (left.value.rows, other)
      }
    }
    let currencies = sorted.enumerated().map { index, entry in
      entry.value.figures(entry.key, isShown: index < PageWindow.currencies)
    }
    let converted = try ReportingSummary.currency(on: db).map { currency in
      let lines = months.values.sorted { ($0.month, $0.productID) < ($1.month, $1.productID) }
      return ConvertedFigures(currency: currency, months: lines.suffix(PageWindow.rows))
    }
    return (currencies, converted)
  }

  /// The key of converted figures: a month and a product.
  private struct ConvertedMonth: Hashable {
    var month: String
    var productID: String

    func empty(_ window: PageWindow) -> ConvertedFigures.Line {
      ConvertedFigures.Line(
        month: month, productID: productID, grossMicros: 0, netMicros: 0, unconvertedRows: 0,
        unresolvedRows: 0, isComplete: window.isComplete(month: month))
    }
  }

  /// The figures of one currency, collected line by line.
  private struct Gathered {
    var rows = 0
    var total: RevenueFigures?
    var refunds = Milliunits.zero
    var months: [RevenueFigures] = []
    var days: [RevenueFigures] = []

    /// Adds the next line; lines are sorted by day and product.
    mutating func add(_ line: RevenueFigures, _ window: PageWindow) throws {
      rows += 1
      if line.period >= window.firstDay { days.append(line) }
      if total == nil {
        total = line
        total?.period = ""
        total?.productID = ""
      } else {
        try total?.add(line)
      }
      var month = line
      month.period = String(line.period.prefix(7))
      month.isComplete = window.isComplete(month: month.period)
      let start = months.lastIndex { $0.period != month.period }.map { $0 + 1 } ?? 0
      if let index = months[start...].firstIndex(where: { $0.productID == month.productID }) {
        try months[index].add(month)
      } else {
        months.append(month)
      }
    }

    func figures(_ currency: Currency?, isShown: Bool) -> CurrencyFigures {
      let none = RevenueFigures(
        period: "", productID: "", gross: .zero, low: .zero, high: .zero, net: .zero,
        unresolvedRows: 0, isComplete: false)
      let isWhole = total.map { _ in days.count == rows && rows <= PageWindow.rows } ?? true
      // A day is displayed only with all of its rows.
      var shown = days.suffix(PageWindow.rows)
      if let first = shown.first, shown.count < days.count {
        shown = shown.drop { $0.period == first.period }
      }
      let sortedMonths = months.sorted { ($0.period, $0.productID) < ($1.period, $1.productID) }
      return CurrencyFigures(
        currency: currency, total: total ?? none, refunds: refunds,
        months: isShown ? Array(sortedMonths.suffix(PageWindow.rows)) : [],
        days: isShown ? Array(shown) : [], daysFrom: isWhole ? nil : shown.first?.period)
    }
  }

  private static func query(_ products: ProductNames) -> String {
    """
    SELECT currency, date_day, \(products.sql()), COALESCE(SUM(gross_milli), 0),
      SUM(gross_low_milli),
      CASE WHEN count(gross_high_milli) = count(1) THEN SUM(gross_high_milli) END,
      COALESCE(SUM(net_cohort_milli), 0), SUM(unresolved_rows), MIN(is_complete), SUM(gross_reporting_micros),
      SUM(net_cohort_reporting_micros), SUM(unconverted_rows)
    FROM revenue_daily GROUP BY 1, 2, 3 ORDER BY 2, 3, 1
    """
  }

  private static let refundQuery = """
    SELECT currency, SUM(amount_milli) FROM fct_revenue_entry WHERE entry_kind = 'refund'
    GROUP BY currency
    """
}
