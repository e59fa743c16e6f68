internal import Amounts

/// The money of one currency; `nil` is the currency of rows that nothing tells the currency of.
struct CurrencyFigures: Hashable, Sendable {
  /// The currency; `nil` if nothing tells it.
  var currency: Currency?
  /// All its revenue.
  var total: RevenueFigures
  /// The refunds, by the day of the refund; never positive.
  var refunds: Milliunits
  /// By month and product, oldest first.
  var months: [RevenueFigures]
  /// By purchase day and product, oldest first; only the days that are shown.
  var days: [RevenueFigures]
  /// The first day that ``days`` shows; `nil` if it shows all.
  var daysFrom: String?

  /// Describes the money of one currency.
  init(
    currency: Currency?, total: RevenueFigures, refunds: Milliunits = .zero,
    months: [RevenueFigures], days: [RevenueFigures], daysFrom: String? = nil
  ) {
    self.currency = currency
    self.total = total
    self.refunds = refunds
    self.months = months
    self.days = days
    self.daysFrom = daysFrom
  }
}

/// Revenue of a product over a day or a month, in one currency, with its unknown part.
struct RevenueFigures: Hashable, Sendable {
  /// `2021-08-09` or `2021-08`; empty for all time.
  var period: String
  /// The product; empty for all products.
  var productID: String
  /// The sum of the known amounts.
  var gross: Milliunits
  /// The same with unresolved rows at their lower bound.
  var low: Milliunits
  /// The same with unresolved rows at their upper bound; `nil` if one of them is unbounded.
  var high: Milliunits?
  /// ``gross`` without rows that were refunded later.
  var net: Milliunits
  /// Rows without an amount.
  var unresolvedRows: Int64
  /// Whether the exports wholly cover the period.
  var isComplete: Bool

  /// Describes the revenue of a period and product.
  init(
    period: String, productID: String, gross: Milliunits, low: Milliunits, high: Milliunits?,
    net: Milliunits, unresolvedRows: Int64, isComplete: Bool
  ) {
    self.period = period
    self.productID = productID
    self.gross = gross
    self.low = low
    self.high = high
    self.net = net
    self.unresolvedRows = unresolvedRows
    self.isComplete = isComplete
  }

  /// Adds the revenue of another day or product of the same currency.
  ///
  /// - Throws: ``AmountError/overflow`` when a sum does not fit.
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

/// Revenue of all currencies in one, by the rates of the purchase days.
struct ConvertedFigures: Hashable, Sendable {
  /// The pipeline's reporting currency.
  var currency: Currency
  /// By month and product, oldest first.
  var months: [Line]

  /// Converted revenue of a product over a month.
  struct Line: Hashable, Sendable {
    /// `2021-08`, by the purchase day.
    var month: String
    /// The product.
    var productID: String
    /// Millionths of the reporting currency, of rows with an amount and a rate.
    var grossMicros: Int64
    /// The same without rows that were refunded later.
    var netMicros: Int64
    /// Rows with an amount and without a rate.
    var unconvertedRows: Int64
    /// Rows without an amount.
    var unresolvedRows: Int64
    /// Whether the exports wholly cover the month.
    var isComplete: Bool

    /// Describes the converted revenue of a month and product.
    init(
      month: String, productID: String, grossMicros: Int64, netMicros: Int64,
      unconvertedRows: Int64, unresolvedRows: Int64, isComplete: Bool
    ) {
      self.month = month
      self.productID = productID
      self.grossMicros = grossMicros
      self.netMicros = netMicros
      self.unconvertedRows = unconvertedRows
      self.unresolvedRows = unresolvedRows
      self.isComplete = isComplete
    }

    /// Adds the converted revenue of a day in one currency.
    ///
    /// - Throws: ``AmountError/overflow`` when a sum does not fit.
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

  /// Describes converted revenue.
  init(currency: Currency, months: [Line]) {
    self.currency = currency
    self.months = months
  }
}

/// Money given back in a month.
struct RefundFigures: Hashable, Sendable {
  /// `2021-08`, by the day of the refund.
  var month: String
  /// The product.
  var productID: String
  /// The currency; `nil` if nothing tells it.
  var currency: Currency?
  /// The number of refunded rows.
  var rows: Int64
  /// The refunded amount; never positive.
  var amount: Milliunits

  /// Describes the refunds of a month.
  init(
    month: String, productID: String, currency: Currency?, rows: Int64, amount: Milliunits
  ) {
    self.month = month
    self.productID = productID
    self.currency = currency
    self.rows = rows
    self.amount = amount
  }
}

/// The change of a published figure by a run.
struct RestatementFigures: Hashable, Sendable {
  /// The run that changed it.
  var runID: Int64
  /// `gross`, `net` or `unresolved_rows`.
  var metric: String
  /// The currency; `nil` if the rows' currency is unknown.
  var currency: Currency?
  /// The cause.
  var cause: String
  /// On how many days.
  var days: Int64
  /// The first of them.
  var firstDay: String
  /// The last of them.
  var lastDay: String
  /// By how much: thousandths of the currency, or rows.
  var change: Int64

  /// Describes a restatement.
  init(
    runID: Int64, metric: String, currency: Currency?, cause: String, days: Int64,
    firstDay: String, lastDay: String, change: Int64
  ) {
    self.runID = runID
    self.metric = metric
    self.currency = currency
    self.cause = cause
    self.days = days
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.change = change
  }
}
