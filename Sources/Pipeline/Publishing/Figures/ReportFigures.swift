/// Everything the report tells, as read from one moment of the warehouse.
///
/// Lists are in the order in which the page shows them. The page is a function of these figures and
/// of the chart script alone: it reads no clock.
public struct ReportFigures: Hashable, Sendable {
  /// The newest run.
  public var run: RunFigures
  /// The values that the page's filters add up.
  public var dashboard = DashboardFigures()
  /// Money by currency, the commonest currency first.
  public var currencies: [CurrencyFigures] = []
  /// The same in the reporting currency; `nil` if the pipeline names none.
  public var converted: ConvertedFigures?
  /// The share of known amounts, by purchase day, oldest first; only for the days that are shown.
  public var coverageDays: [CoverageFigures] = []
  /// The same by month, all of it.
  public var coverageMonths: [CoverageFigures] = []
  /// The number of rows that each rule decided, the greatest first.
  public var rules: [RuleFigures] = []
  /// The results of free trials and of paid introductory offers, by month, kind and product.
  public var cohorts: [CohortFigures] = []
  /// The results of each offer.
  public var offers: [OfferFigures] = []
  /// Money given back, by the month in which it was.
  public var refunds: [RefundFigures] = []
  /// Refunded among paid rows, by month of purchase and product.
  public var refundRates: [RefundRateFigures] = []
  /// The changes of published figures, newest run first.
  public var restatements: [RestatementFigures] = []
  /// The data tests of the newest run, failed ones first.
  public var tests: [TestFigures] = []
  /// Unusable records by reason, the commonest first.
  public var rejects: [CountFigures] = []
  /// Purchases left out of revenue by reason.
  public var excluded: [CountFigures] = []
  /// Price reports by verdict.
  public var verdicts: [CountFigures] = []
  /// The accuracy of the rules on rows with a signed price, the rule with most rows first.
  public var backtest: [BacktestFigures] = []
  /// Gates that found something in the newest run.
  public var gates: [GateFigures] = []
  /// Differences between Apple's own reports and the facts; empty where no report was read.
  public var reconciliation: [ReconciliationFigures] = []
  /// Input files that do not count, by name.
  public var unusedFiles: [FileFigures] = []

  /// Figures of a run and nothing else yet.
  public init(run: RunFigures) { self.run = run }
}

/// The run that the facts come from, from `audit_run`.
public struct RunFigures: Hashable, Sendable {
  /// Its number.
  public var runID: Int64
  /// `run`, `backfill`, `erase` or `full_refresh`.
  public var kind: String
  /// The moment the facts are told for, ISO 8601 in UTC.
  public var asOf: String
  /// The end of the run, ISO 8601 in UTC.
  public var finishedAt: String
  /// The last purchase day that the exports wholly cover; `nil` if none is known to be.
  public var completeThrough: String?
  /// The versions of program and rules.
  public var versions: String
  /// Input files.
  public var files: Int64
  /// The records they hold.
  public var records: Int64
  /// Those that could not be used.
  public var rejected: Int64
  /// The hash of all facts, in hexadecimal digits.
  public var contentDigest: String

  /// Describes a run.
  public init(
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
