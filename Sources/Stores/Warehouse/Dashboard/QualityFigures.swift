package import Amounts

/// The number of rows of a day or a month, and of those with an amount.
package struct CoverageFigures: Hashable, Sendable {
  /// `2021-08-09` or `2021-08`.
  package var period: String
  /// Rows that are not free by rule.
  package var chargeable: Int64
  /// Rows with an amount.
  package var known: Int64
  /// Rows whose amount was reported with the purchase.
  package var exact: Int64
  /// Whether the exports wholly cover the period.
  package var isComplete: Bool
}

/// The number of rows that a rule decided, with one status.
package struct RuleFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  package var rule: String
  /// The status of the amounts it gave.
  package var status: String
  /// The number of rows.
  package var rows: Int64
  /// The condition under which it decides, from `meta_rule`.
  package var condition: String?
}

/// Refunded among paid rows.
package struct RefundRateFigures: Hashable, Sendable {
  /// `2021-08`, by the day of the purchase.
  package var month: String
  /// The product.
  package var productID: String
  /// Rows with an amount above 0.
  package var paid: Int64
  /// Paid rows that were refunded.
  package var refunded: Int64
  /// Whether late refunds are no longer to be expected.
  package var isComplete: Bool
}

/// A data test and its result.
package struct TestFigures: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// `warn` or `error`.
  package var severity: String
  /// The rows it objects to.
  package var failingRows: Int64
  /// The query that shows them.
  var sql: String
}

/// A word and the number of its occurrences.
package struct CountFigures: Hashable, Sendable {
  /// The word: a reason, a verdict.
  package var name: String
  /// The number of occurrences.
  package var count: Int64
}

/// An input file that does not count.
package struct FileFigures: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// `refused` or `held`.
  package var status: String
  /// The records it holds.
  package var records: Int64
}

/// The accuracy of a rule on rows with a price that Apple signed.
package struct BacktestFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  package var rule: String
  /// The amounts that it would have decided.
  package var right: Int64
  /// Amounts that would have been wrong.
  package var wrong: Int64
  /// Amounts that it would have left open, with bounds that hold the signed price.
  package var boundsHold: Int64
  /// The same with bounds that miss it.
  package var boundsMiss: Int64
}

/// A gate that found something.
package struct GateFigures: Hashable, Sendable {
  /// Its name.
  package var gate: String
  /// `warn`, `stop` or `accepted`.
  package var severity: String
  /// The file, day or setting that it is about.
  package var subject: String
  /// The found value.
  package var found: String
  /// The expected value.
  package var expected: String
}

/// A cause of differences between Apple's reports and the facts, in one month and currency.
package struct ReconciliationFigures: Hashable, Sendable {
  /// `2021-08`.
  package var month: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The cause, as in `audit_reconciliation`.
  package var cause: String
  /// The amount in Apple's reports.
  package var apple: Milliunits
  /// The amount in the facts.
  package var ours: Milliunits
}
