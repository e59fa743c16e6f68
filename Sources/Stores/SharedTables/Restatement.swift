public import CivilTime

/// A daily figure that a run may restate: `audit_restatement.metric`.
public enum RestatedMetric: String, Hashable, Sendable, CaseIterable {
  /// The sum of the known amounts of a purchase day: `revenue_daily.gross_milli`.
  case gross
  /// The sum of the known amounts of a purchase day, minus amounts that were refunded later.
  ///
  /// The column is `revenue_daily.net_cohort_milli`.
  case net
  /// The number of rows without an amount: `revenue_daily.unresolved_rows`.
  case unresolvedRows = "unresolved_rows"
}

/// The change of one figure of a published day, by one cause: a row of `audit_restatement`.
public struct Restatement: Hashable, Sendable {
  /// The run that changed the figure.
  public var runID: Int64
  /// The figure that changed.
  public var metric: RestatedMetric
  /// The purchase day, UTC.
  public var day: CivilDay
  /// The currency's code; empty if unknown.
  public var currency: String
  /// The cause of the change.
  public var cause: RestatementCause
  /// The figure before the change: an amount in thousandths of the currency, or a number for
  /// ``RestatedMetric/unresolvedRows``.
  public var old: Int64
  /// The figure after the change: an amount in thousandths of the currency, or a number for
  /// ``RestatedMetric/unresolvedRows``.
  public var new: Int64
  /// The number of rows that changed by this cause.
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
  /// A refund was added, or an earlier refund was undone.
  case refund
  /// A row was added, removed or changed by a receipt that the run read for the first time.
  case lateReceipt = "late_receipt"
  /// The run read a price report of the row or its customer for the first time.
  case latePrice = "late_price"
  /// Price reports of other customers have changed, and with them price levels, verdicts or
  /// currencies.
  case priceHistory = "price_history"
  /// The catalogue has changed.
  case catalogue
  /// The exchange rates have changed.
  case rates
  /// The pipeline's settings, the secret for customer keys or the as-of time have changed.
  ///
  /// An amount that the owner corrected has this cause too.
  case settings
  /// The program or its rules have another version than in the previous publication.
  case ruleChange = "rule_change"
  /// A contradiction between observations is new, or has been resolved.
  case conflict
  /// Only time has passed; no input has changed.
  case maturity
}
