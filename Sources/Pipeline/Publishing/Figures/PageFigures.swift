/// Everything the dashboard tells, as read from one moment of the warehouse.
///
/// Lists are in the order in which the page shows them. The page is a function of these figures and
/// of the chart script alone: it reads no clock.
struct PageFigures: Hashable, Sendable {
  /// The newest run.
  var run: RunFigures
  /// The values that the page's filters add up.
  var dashboard = DashboardFigures()
  /// Money by currency, the commonest currency first.
  var currencies: [CurrencyFigures] = []
  /// The same in the reporting currency; `nil` if the pipeline names none.
  var converted: ConvertedFigures?
  /// The share of known amounts, by purchase day, oldest first; only for the days that are shown.
  var coverageDays: [CoverageFigures] = []
  /// The same by month, all of it.
  var coverageMonths: [CoverageFigures] = []
  /// The number of rows that each rule decided, the greatest first.
  var rules: [RuleFigures] = []
  /// The results of free trials and of paid introductory offers, by month, kind and product.
  var cohorts: [CohortFigures] = []
  /// The results of each offer.
  var offers: [OfferFigures] = []
  /// Money given back, by the month in which it was.
  var refunds: [RefundFigures] = []
  /// Refunded among paid rows, by month of purchase and product.
  var refundRates: [RefundRateFigures] = []
  /// The changes of published figures, newest run first.
  var restatements: [RestatementFigures] = []
  /// The data tests of the newest run, failed ones first.
  var tests: [TestFigures] = []
  /// Unusable records by reason, the commonest first.
  var rejects: [CountFigures] = []
  /// Purchases left out of revenue by reason.
  var excluded: [CountFigures] = []
  /// Price reports by verdict.
  var verdicts: [CountFigures] = []
  /// The accuracy of the rules on rows with a signed price, the rule with most rows first.
  var backtest: [BacktestFigures] = []
  /// Gates that found something in the newest run.
  var gates: [GateFigures] = []
  /// Differences between Apple's own reports and the facts; empty where no report was read.
  var reconciliation: [ReconciliationFigures] = []
  /// Input files that do not count, by name.
  var unusedFiles: [FileFigures] = []

  /// Figures of a run and nothing else yet.
  init(run: RunFigures) { self.run = run }
}

/// The run that the facts come from, from `audit_run`.
struct RunFigures: Hashable, Sendable {
  /// Its number.
  var runID: Int64
  /// `run`, `backfill`, `erase` or `full_refresh`.
  var kind: String
  /// The moment the facts are told for, ISO 8601 in UTC.
  var asOf: String
  /// The end of the run, ISO 8601 in UTC.
  var finishedAt: String
  /// The last purchase day that the exports wholly cover; `nil` if none is known to be.
  var completeThrough: String?
  /// The versions of program and rules.
  var versions: String
  /// Input files.
  var files: Int64
  /// The records they hold.
  var records: Int64
  /// Those that could not be used.
  var rejected: Int64
  /// The hash of all facts, in hexadecimal digits.
  var contentDigest: String

  /// Describes a run.
  init(
    runID: Int64, kind: String, asOf: String, finishedAt: String, completeThrough: String?,
    versions: String, files: Int64, records: Int64, rejected: Int64, contentDigest: String
  ) {
    self.runID = runID
    self.kind = kind
    self.asOf = asOf
    self.finishedAt = finishedAt
    self.completeThrough = completeThrough
    self.versions = versions
    self.files = files
    self.records = records
    self.rejected = rejected
    self.contentDigest = contentDigest
  }
}
