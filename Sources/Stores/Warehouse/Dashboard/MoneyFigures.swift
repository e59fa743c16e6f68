package import Amounts

/// The money of one currency, or of all rows whose currency is unknown.
package struct CurrencyFigures: Hashable, Sendable {
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The revenue of all purchases, over all products and all time.
  package var total: RevenueFigures
  /// The sum of all refunds in the ledger; negative or 0.
  package var refunds: Milliunits
  /// The revenue by purchase month and product, oldest first.
  ///
  /// Only the most frequent currencies have figures by month and day.
  package var months: [RevenueFigures]
  /// The revenue of the displayed days by purchase day and product, oldest first.
  package var days: [RevenueFigures]
  /// The first day of ``days``, if earlier days are left out; else `nil`.
  package var daysFrom: String?
}

/// Revenue in one currency, with bounds for unknown amounts.
///
/// The revenue is that of one product in a day or month, or of all products and all time.
package struct RevenueFigures: Hashable, Sendable {
  /// The day `2021-08-09` or the month `2021-08`; empty for all time.
  package var period: String
  /// The product; empty for all products.
  package var productID: String
  /// The sum of the known amounts.
  package var gross: Milliunits
  /// The sum of the known amounts and the lower bounds of unresolved rows.
  package var low: Milliunits
  /// The sum of the known amounts and the upper bounds of unresolved rows.
  ///
  /// `nil` if a row has no upper bound.
  package var high: Milliunits?
  /// ``gross`` minus all refunds of these rows, even refunds after the period.
  package var net: Milliunits
  /// The number of rows without a known amount.
  package var unresolvedRows: Int64
  /// Whether the exports cover the whole period.
  package var isComplete: Bool

  /// Adds the revenue of another day or product of the same currency.
  mutating func add(_ other: RevenueFigures) throws(AmountError) {
    gross = try gross.adding(other.gross)
    low = try low.adding(other.low)
    if let ours = high, let theirs = other.high {
      high = try ours.adding(theirs)
    } else {
      high = nil
    }
    net = try net.adding(other.net)
    unresolvedRows += other.unresolvedRows
    isComplete = isComplete && other.isComplete
  }
}

/// Revenue of all currencies in the reporting currency, at the rates of the purchase days.
package struct ConvertedFigures: Hashable, Sendable {
  /// The pipeline's reporting currency.
  package var currency: Currency
  /// The revenue by month and product, oldest first.
  package var months: [Line]

  /// Converted revenue of one product in one month.
  package struct Line: Hashable, Sendable {
    /// The month `2021-08` of the purchase day.
    package var month: String
    package var productID: String
    /// The sum of the amounts that have an exchange rate, in millionths of the reporting currency.
    package var grossMicros: Int64
    /// ``grossMicros`` minus all refunds of these rows, even refunds after the month.
    package var netMicros: Int64
    /// The number of rows with an amount but without an exchange rate.
    package var unconvertedRows: Int64
    /// The number of rows without an amount.
    package var unresolvedRows: Int64
    /// Whether the exports cover the whole month.
    package var isComplete: Bool

    /// Adds the converted revenue of one day, from rows of one currency.
    mutating func add(gross: Int64, net: Int64, unconverted: Int64, unresolved: Int64)
      throws(AmountError)
    {
      let (grossSum, grossOverflow) = grossMicros.addingReportingOverflow(gross)
      let (netSum, netOverflow) = netMicros.addingReportingOverflow(net)
      guard !grossOverflow, !netOverflow else { throw .overflow }
      (grossMicros, netMicros) = (grossSum, netSum)
      unconvertedRows += unconverted
      unresolvedRows += unresolved
    }
  }
}

/// The refunds of one product in one currency, in one month.
package struct RefundFigures: Hashable, Sendable {
  /// The month `2021-08` of the refund.
  package var month: String
  package var productID: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The number of refunds in the ledger; a row with refunded items may have several.
  package var rows: Int64
  /// The refunded amount; negative or 0.
  package var amount: Milliunits
}

/// The changes that a run made to one published figure by one cause, summed over the changed days.
package struct RestatementFigures: Hashable, Sendable {
  /// The number of the run that changed the figure.
  package var runID: Int64
  /// The figure: `gross`, `net` or `unresolved_rows`.
  package var metric: String
  /// The currency; `nil` if the rows' currency is unknown.
  package var currency: Currency?
  package var cause: String
  /// The number of changed days.
  package var days: Int64
  /// The first day whose figure changed, such as `2021-08-09`.
  package var firstDay: String
  /// The last day whose figure changed.
  package var lastDay: String
  /// The sum of the changes, in thousandths of the currency.
  ///
  /// For `unresolved_rows`, the change in the number of rows.
  package var change: Int64
}
