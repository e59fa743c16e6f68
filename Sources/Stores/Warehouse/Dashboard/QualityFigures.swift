package import Amounts

/// The numbers of chargeable rows and of rows with a known amount, in a day or month.
package struct CoverageFigures: Hashable, Sendable {
  /// The day `2021-08-09` or the month `2021-08`.
  package var period: String
  /// The number of chargeable rows: rows that are not free.
  package var chargeable: Int64
  /// The number of rows with an amount.
  package var known: Int64
  /// The number of rows with the status `exact`.
  ///
  /// Their amount was signed by Apple, or reported with the purchase and confirmed by other
  /// customers.
  package var exact: Int64
  /// Whether the exports cover the whole period.
  package var isComplete: Bool
}

/// The number of rows that a rule decided with one status.
package struct RuleFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  package var rule: String
  /// The status of the rows' amounts, such as `exact` or `derived`.
  package var status: String
  package var rows: Int64
  /// The condition under which the rule decides, from `meta_rule`.
  package var condition: String?
}

/// The numbers of paid rows and of refunded rows in a month of purchase.
package struct RefundRateFigures: Hashable, Sendable {
  /// The month `2021-08` of the purchase.
  package var month: String
  package var productID: String
  /// The number of rows with an amount above 0.
  package var paid: Int64
  /// The number of paid rows that were refunded.
  package var refunded: Int64
  /// Whether the numbers are final, because no more refunds are expected.
  package var isComplete: Bool
}

/// A data test and its result.
package struct TestFigures: Hashable, Sendable {
  package var name: String
  /// The severity: `warn` or `error`.
  package var severity: String
  /// The number of rows that break the test.
  package var failingRows: Int64
}

/// The number of table rows that have one value, such as a reject reason or a verdict.
package struct CountFigures: Hashable, Sendable {
  /// The value that the rows have, such as `believed`.
  package var name: String
  package var count: Int64
}

/// An input file that is not used.
package struct FileFigures: Hashable, Sendable {
  package var name: String
  /// The status: `refused` or `ignored`.
  ///
  /// A run that holds a file publishes nothing, so a held file is one of a past run.
  package var status: String
  /// The number of records in the file.
  package var records: Int64
}

/// The accuracy of a rule, measured on rows with a price that Apple signed.
package struct BacktestFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  package var rule: String
  /// The number of rows for which the rule's amount equals the signed price.
  package var right: Int64
  /// The number of rows for which the rule's amount differs from the signed price.
  package var wrong: Int64
  /// The number of rows for which the rule gives only bounds, and the signed price is within them.
  package var boundsHold: Int64
  /// The number of rows for which the rule gives only bounds, and the signed price is outside them.
  package var boundsMiss: Int64
}

/// The money of one cause, as a hosted service books it and as it was paid.
package struct ServiceFigures: Hashable, Sendable {
  /// The name of the service, as in `service_comparison`.
  package var service: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The cause, as in `service_comparison`.
  package var cause: String
  /// The number of purchases.
  package var purchases: Int64
  /// The amount that the service books.
  package var booked: Milliunits
  /// The amount that was paid; `nil` if it is not known.
  package var paid: Milliunits?
}

/// A gate with a finding.
package struct GateFigures: Hashable, Sendable {
  package var gate: String
  /// The severity: `warn`, `stop` or `accepted`.
  package var severity: String
  /// The file, day or setting of the finding.
  package var subject: String
  /// The value that was found.
  package var found: String
  /// The value that was expected.
  package var expected: String
}

/// The amounts in Apple's reports and in the facts for one cause, in one month and currency.
///
/// The cause is `equal`, or the cause of a difference.
package struct ReconciliationFigures: Hashable, Sendable {
  /// The month, such as `2021-08`.
  package var month: String
  /// The currency; `nil` if unknown.
  package var currency: Currency?
  /// The cause, as in `audit_reconciliation`.
  package var cause: String
  /// The amount in Apple's reports: charges minus refunds.
  package var apple: Milliunits
  /// The amount in the facts: charges minus refunds.
  package var ours: Milliunits
}
