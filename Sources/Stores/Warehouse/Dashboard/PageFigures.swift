/// All figures of the dashboard, read in one transaction of the warehouse.
///
/// Lists are in the order of display. The page depends only on these figures and the chart script,
/// not on the clock.
package struct PageFigures: Hashable, Sendable {
  package var run: RunFigures
  /// The values that the page's script sums for the selected filters.
  package var dashboard = DashboardFigures()
  /// Money by currency, the most frequent currency first.
  package var currencies: [CurrencyFigures] = []
  /// The amounts in the reporting currency; `nil` if the pipeline has none.
  package var converted: ConvertedFigures?
  /// The numbers of chargeable rows and of known amounts on each displayed day, oldest first.
  package var coverageDays: [CoverageFigures] = []
  /// The numbers of chargeable rows and of known amounts in each month, oldest first.
  package var coverageMonths: [CoverageFigures] = []
  /// The number of rows that each rule decided with each status, the largest number first.
  package var rules: [RuleFigures] = []
  /// The results of free trials and paid introductory offers, by month, kind and product.
  package var cohorts: [CohortFigures] = []
  /// The results of each offer, the most frequent offer first.
  package var offers: [OfferFigures] = []
  /// Refunds by month of the refund, product and currency, newest month first.
  package var refunds: [RefundFigures] = []
  /// The numbers of paid and of refunded rows, by month of purchase and product.
  package var refundRates: [RefundRateFigures] = []
  /// The changes of published figures, newest run first.
  package var restatements: [RestatementFigures] = []
  /// The data tests of the newest run, failed ones first.
  package var tests: [TestFigures] = []
  /// The number of unusable records for each reason, the most frequent reason first.
  package var rejects: [CountFigures] = []
  /// The number of purchases that each reason excludes from revenue, the largest number first.
  package var excluded: [CountFigures] = []
  /// The number of price reports with each verdict, the most frequent verdict first.
  package var verdicts: [CountFigures] = []
  /// The accuracy of the rules on rows with a signed price, the rule with the most rows first.
  package var backtest: [BacktestFigures] = []
  /// The as-of time of the facts that ``backtest`` compares; `nil` without a backtest.
  package var backtestAsOf: String?
  /// What a hosted service books beside the facts, by service, currency and cause.
  ///
  /// Empty without a service's export.
  package var services: [ServiceFigures] = []
  /// The findings of gates in the newest run, sorted by gate and subject.
  package var gates: [GateFigures] = []
  /// The amounts in Apple's reports and in the facts, by month, currency and cause of difference.
  ///
  /// Empty if there are no reports of Apple.
  package var reconciliation: [ReconciliationFigures] = []
  /// The summary of the comparison with Apple's reports; `nil` without reports.
  package var comparison: ComparisonFigures?
  /// Input files that are not used, sorted by name.
  package var unusedFiles: [FileFigures] = []
  /// The rows without an amount, grouped by the evidence that they lack.
  package var missing = MissingEvidence()
  /// The name of the time zone of the charts by day; `nil` for UTC.
  package var timeZone: String?
  /// Whether the pipeline fetches the owner's price list.
  package var fetchesPrices = false
  /// The name of the pipeline file, for the commands that the page shows.
  package var pipelineName = "pipeline.yaml"
}

/// The newest run that published facts, from `audit_run`.
package struct RunFigures: Hashable, Sendable {
  package var runID: Int64
  /// The kind: `run`, `backfill`, `erase` or `full_refresh`.
  package var kind: String
  /// The as-of time of the facts, ISO 8601 in UTC.
  package var asOf: String
  /// The end of the run, ISO 8601 in UTC.
  package var finishedAt: String
  /// The last purchase day that the exports cover completely; `nil` if unknown.
  package var completeThrough: String?
  package var versions: String
  /// The number of input files in use.
  package var files: Int64
  /// The number of records in the input files.
  package var records: Int64
  /// The number of unusable records in the input files.
  package var rejected: Int64
  /// The hash of all facts; hexadecimal.
  package var contentDigest: String
  /// The subscriptions that had ended on the last complete day, and that nobody has seen since.
  package var notSeen: Int64 = 0
  /// The subscriptions that ran on the last complete day.
  package var running: Int64 = 0
}
