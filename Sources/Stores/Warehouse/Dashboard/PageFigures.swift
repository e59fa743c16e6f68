/// Everything on the dashboard, read in one transaction of the warehouse.
///
/// Lists are in the order in which the page shows them. The page is a function of these figures
/// and of the chart script only: it reads no clock.
package struct PageFigures: Hashable, Sendable {
  /// The newest run.
  package var run: RunFigures
  /// The values that the page's filters add up.
  package var dashboard = DashboardFigures()
  /// Money by currency, the commonest currency first.
  package var currencies: [CurrencyFigures] = []
  /// The amounts in the reporting currency; `nil` if the pipeline names none.
  package var converted: ConvertedFigures?
  /// The share of known amounts, by purchase day, oldest first; only for the days that are shown.
  package var coverageDays: [CoverageFigures] = []
  /// The same by month, all of it.
  package var coverageMonths: [CoverageFigures] = []
  /// The number of rows that each rule decided, the greatest first.
  package var rules: [RuleFigures] = []
  /// The results of free trials and of paid introductory offers, by month, kind and product.
  package var cohorts: [CohortFigures] = []
  /// The results of each offer.
  package var offers: [OfferFigures] = []
  /// Money given back, by the month in which it was.
  package var refunds: [RefundFigures] = []
  /// Refunded among paid rows, by month of purchase and product.
  package var refundRates: [RefundRateFigures] = []
  /// The changes of published figures, newest run first.
  package var restatements: [RestatementFigures] = []
  /// The data tests of the newest run, failed ones first.
  package var tests: [TestFigures] = []
  /// Unusable records by reason, the most frequent first.
  package var rejects: [CountFigures] = []
  /// Purchases left out of revenue by reason.
  package var excluded: [CountFigures] = []
  /// Price reports by verdict.
  package var verdicts: [CountFigures] = []
  /// The accuracy of the rules on rows with a signed price, the rule with most rows first.
  package var backtest: [BacktestFigures] = []
  /// Gates that found something in the newest run.
  package var gates: [GateFigures] = []
  /// Differences between Apple's own reports and the facts; empty where no report was read.
  package var reconciliation: [ReconciliationFigures] = []
  /// The facts beside Apple's reports in a few numbers; `nil` where no report was read.
  package var comparison: ComparisonFigures?
  /// Input files that are not used, by name.
  package var unusedFiles: [FileFigures] = []
  /// The rows without an amount, by the evidence that they lack.
  package var missing = MissingEvidence()
  /// Whether the pipeline fetches the owner's price list.
  package var fetchesPrices = false

  /// Figures of a run and nothing else yet.
  init(run: RunFigures) { self.run = run }
}

/// The run that the facts come from, from `audit_run`.
package struct RunFigures: Hashable, Sendable {
  /// Its number.
  package var runID: Int64
  /// `run`, `backfill`, `erase` or `full_refresh`.
  package var kind: String
  /// The as-of time of the facts, ISO 8601 in UTC.
  package var asOf: String
  /// The end of the run, ISO 8601 in UTC.
  package var finishedAt: String
  /// The last purchase day that the exports wholly cover; `nil` if none is known to be.
  package var completeThrough: String?
  /// The versions of program and rules.
  package var versions: String
  /// Input files.
  package var files: Int64
  /// The records they hold.
  package var records: Int64
  /// Records that could not be used.
  package var rejected: Int64
  /// The hash of all facts, in hexadecimal digits.
  package var contentDigest: String
}
