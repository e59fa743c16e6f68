public import CivilTime

/// A daily figure: `audit_restatement.metric`.
public enum RestatedMetric: String, Hashable, Sendable, CaseIterable {
  /// The known amounts of a purchase day: `revenue_daily.gross_milli`.
  case gross
  /// The same without the amounts refunded since: `revenue_daily.net_cohort_milli`.
  case net
  /// The rows without an amount: `revenue_daily.unresolved_rows`, counted, not in thousandths.
  case unresolvedRows = "unresolved_rows"
}

/// The change of a published day's figure for one cause: a row of `audit_restatement`.
public struct Restatement: Hashable, Sendable {
  /// The run that changed it.
  public var runID: Int64
  /// The figure.
  public var metric: RestatedMetric
  /// The purchase day.
  public var day: CivilDay
  /// The currency's code; empty if unknown.
  public var currency: String
  /// The cause.
  public var cause: RestatementCause
  /// The former contribution of the rows concerned, in thousandths of the currency, or in rows.
  public var old: Int64
  /// Their contribution now.
  public var new: Int64
  /// The number of rows.
  public var rows: Int64

  /// Creates the change of a published figure of one day.
  package init(
    runID: Int64,
    metric: RestatedMetric,
    day: CivilDay,
    currency: String,
    cause: RestatementCause,
    old: Int64,
    new: Int64,
    rows: Int64
  ) {
    self.runID = runID
    self.metric = metric
    self.day = day
    self.currency = currency
    self.cause = cause
    self.old = old
    self.new = new
    self.rows = rows
  }
}

/// The cause of a change to a published figure: `audit_restatement.cause`.
public enum RestatementCause: String, Hashable, Sendable, CaseIterable {
  /// Money came back, or a refund was discarded.
  case refund
  /// A receipt that was read now: a row came, went or became another.
  case lateReceipt = "late_receipt"
  /// A price report that was read now names the row or its customer.
  case latePrice = "late_price"
  /// The reports of others: levels, verdicts and currencies follow from all reports.
  case priceHistory = "price_history"
  /// The catalogue was changed.
  case catalogue
  /// The rates were changed.
  case rates
  /// The pipeline's settings, key or as-of moment were changed.
  case settings
  /// The program decides otherwise than the one before.
  case ruleChange = "rule_change"
  /// Observations contradict each other, or do so no more.
  case conflict
  /// Time passed.
  case maturity
}
