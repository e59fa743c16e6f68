public import CivilTime

/// A daily figure: `audit_restatement.metric`.
public enum RestatedMetric: String, Hashable, Sendable, CaseIterable {
  /// The known amounts of a purchase day: `revenue_daily.gross_milli`.
  case gross
  /// The same without what was refunded since: `revenue_daily.net_cohort_milli`.
  case net
  /// The rows without an amount: `revenue_daily.unresolved_rows`, counted, not in thousandths.
  case unresolvedRows = "unresolved_rows"
}

/// How much of a published day's figure changed for one cause: a row of `audit_restatement`.
public struct Restatement: Hashable, Sendable {
  /// The run that changed it.
  public var runID: Int64
  /// Which figure.
  public var metric: RestatedMetric
  /// The purchase day.
  public var day: CivilDay
  /// The currency's code; empty where none is known.
  public var currency: String
  /// Why.
  public var cause: RestatementCause
  /// What the rows concerned contributed before, in thousandths of the currency, or rows.
  public var old: Int64
  /// What they contribute now.
  public var new: Int64
  /// How many rows.
  public var rows: Int64

  /// Describes it.
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

/// Why a published figure changed: `audit_restatement.cause`.
public enum RestatementCause: String, Hashable, Sendable, CaseIterable {
  /// Money came back, or a refund was taken back.
  case refund
  /// A receipt that was read now: a row came, went or became another.
  case lateReceipt = "late_receipt"
  /// A price report that was read now names the row or its customer.
  case latePrice = "late_price"
  /// What others reported: levels, verdicts and currencies follow from all reports.
  case priceHistory = "price_history"
  /// The catalogue was changed.
  case catalogue
  /// The rates were changed.
  case rates
  /// The pipeline's settings, key or as-of moment were changed.
  case settings
  /// The program decides otherwise than the one before.
  case ruleChange = "rule_change"
  /// Sightings contradict each other, or do so no more.
  case conflict
  /// Time passed.
  case maturity
}
