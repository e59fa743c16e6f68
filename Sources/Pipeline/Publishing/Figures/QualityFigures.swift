internal import Amounts

/// The number of rows of a day or a month, and of those with an amount.
struct CoverageFigures: Hashable, Sendable {
  /// `2021-08-09` or `2021-08`.
  var period: String
  /// Rows that are not free by rule.
  var chargeable: Int64
  /// Those with an amount.
  var known: Int64
  /// Those whose amount was reported with the purchase.
  var exact: Int64
  /// Whether the exports wholly cover the period.
  var isComplete: Bool

  /// Describes the coverage of a period.
  init(
    period: String, chargeable: Int64, known: Int64, exact: Int64, isComplete: Bool
  ) {
    self.period = period
    self.chargeable = chargeable
    self.known = known
    self.exact = exact
    self.isComplete = isComplete
  }
}

/// The number of rows that a rule decided, with one status.
struct RuleFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  var rule: String
  /// The status of the amounts it gave.
  var status: String
  /// The number of rows.
  var rows: Int64
  /// The condition under which it decides, from `meta_rule`.
  var condition: String?

  /// Describes the decisions of a rule.
  init(rule: String, status: String, rows: Int64, condition: String?) {
    self.rule = rule
    self.status = status
    self.rows = rows
    self.condition = condition
  }
}

/// Refunded among paid rows.
struct RefundRateFigures: Hashable, Sendable {
  /// `2021-08`, by the day of the purchase.
  var month: String
  /// The product.
  var productID: String
  /// Rows with an amount above 0.
  var paid: Int64
  /// Those of them that were refunded.
  var refunded: Int64
  /// Whether late refunds are no longer to be expected.
  var isComplete: Bool

  /// Describes the refunds of a month's purchases.
  init(
    month: String, productID: String, paid: Int64, refunded: Int64, isComplete: Bool
  ) {
    self.month = month
    self.productID = productID
    self.paid = paid
    self.refunded = refunded
    self.isComplete = isComplete
  }
}

/// A data test and its result.
struct TestFigures: Hashable, Sendable {
  /// Its name.
  var name: String
  /// `warn` or `error`.
  var severity: String
  /// The rows it objects to.
  var failingRows: Int64
  /// The query that shows them.
  var sql: String

  /// Describes the result of a test.
  init(name: String, severity: String, failingRows: Int64, sql: String) {
    self.name = name
    self.severity = severity
    self.failingRows = failingRows
    self.sql = sql
  }
}

/// A word and the number of its occurrences.
struct CountFigures: Hashable, Sendable {
  /// The word: a reason, a verdict.
  var name: String
  /// The number of occurrences.
  var count: Int64

  /// Describes a count.
  init(name: String, count: Int64) {
    self.name = name
    self.count = count
  }
}

/// An input file that does not count.
struct FileFigures: Hashable, Sendable {
  /// Its name.
  var name: String
  /// `refused` or `held`.
  var status: String
  /// The records it holds.
  var records: Int64

  /// Describes a file.
  init(name: String, status: String, records: Int64) {
    self.name = name
    self.status = status
    self.records = records
  }
}

/// The accuracy of a rule on rows with a price that Apple signed.
struct BacktestFigures: Hashable, Sendable {
  /// The rule, as in `meta_rule`.
  var rule: String
  /// The amounts that it would have decided.
  var right: Int64
  /// Those that would have been wrong.
  var wrong: Int64
  /// Amounts that it would have left open, with bounds that hold the signed price.
  var boundsHold: Int64
  /// The same with bounds that miss it.
  var boundsMiss: Int64

  /// Describes how a rule does.
  init(rule: String, right: Int64, wrong: Int64, boundsHold: Int64, boundsMiss: Int64) {
    self.rule = rule
    self.right = right
    self.wrong = wrong
    self.boundsHold = boundsHold
    self.boundsMiss = boundsMiss
  }
}

/// A gate that found something.
struct GateFigures: Hashable, Sendable {
  /// Its name.
  var gate: String
  /// `warn`, `stop` or `accepted`.
  var severity: String
  /// The file, day or setting that it is about.
  var subject: String
  /// The found value.
  var found: String
  /// The expected value.
  var expected: String

  /// Describes a finding.
  init(gate: String, severity: String, subject: String, found: String, expected: String) {
    self.gate = gate
    self.severity = severity
    self.subject = subject
    self.found = found
    self.expected = expected
  }
}

/// A cause of differences between Apple's reports and the facts, in one month and currency.
struct ReconciliationFigures: Hashable, Sendable {
  /// `2021-08`.
  var month: String
  /// The currency; `nil` if nothing tells it.
  var currency: Currency?
  /// The cause, as in `audit_reconciliation`.
  var cause: String
  /// The amount in Apple's reports.
  var apple: Milliunits
  /// The amount in the facts.
  var ours: Milliunits

  /// Describes a cause.
  init(
    month: String, currency: Currency?, cause: String, apple: Milliunits, ours: Milliunits
  ) {
    self.month = month
    self.currency = currency
    self.cause = cause
    self.apple = apple
    self.ours = ours
  }
}
