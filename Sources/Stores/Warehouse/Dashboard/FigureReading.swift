internal import Amounts
package import CivilTime
package import ExchangeRates
package import GRDB
internal import SQLiteFiles

/// Reads the dashboard's figures from the warehouse in one transaction.
package enum FigureReading {
  /// Reads the figures of the newest run; `nil` if no run has published.
  ///
  /// - Parameters:
  ///   - rates: Returns the pipeline's exchange rates, for currencies that only Apple's reports
  ///     have.
  ///   - zone: The time zone of the charts by day; `nil` for UTC.
  package static func read(
    on db: Database, zone: TimeZoneRules?, rates: () -> ReportingCurrency?
  ) throws -> PageFigures? {
    guard let row = try StoredRow.fetchOne(db, sql: runQuery) else { return nil }
    var run = RunFigures(
      runID: row[0], kind: row[1], asOf: row[2], finishedAt: row[3], completeThrough: row[4],
      versions: row[5], files: row[6], records: row[7], rejected: row[8], contentDigest: row[9])
    if let seen = try Row.fetchOne(db, sql: seenQuery) {
      (run.notSeen, run.running) = (seen[0], seen[1])
    }
    var figures = PageFigures(run: run)
    figures.timeZone = zone?.name
    let window = try PageWindow(run, zone: zone, on: db)
    let products = try ProductNames(on: db)
    figures.dashboard = try DashboardReading.read(window, products, on: db)
    (figures.currencies, figures.converted) = try RevenueReading.read(
      window, products, on: db)
    (figures.coverageDays, figures.coverageMonths) = try CoverageReading.read(window, on: db)
    figures.cohorts = try OfferReading.cohorts(window, products, on: db)
    figures.offers = try OfferReading.offers(products, on: db)
    figures.refunds = try RefundReading.refunds(products, on: db)
    figures.refundRates = try RefundReading.rates(window, products, on: db)
    figures.restatements = try RefundReading.restatements(on: db)
    try QualityReading.read(into: &figures, rates: rates, on: db)
    figures.missing = try MissingEvidence.read(db)
    return figures
  }

  private static let seenQuery = """
    SELECT not_seen_subscriptions, running_subscriptions FROM completeness_daily
    WHERE date_day = (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1)
    """

  private static let runQuery = """
    SELECT run_id, kind, as_of, finished_at, complete_through_date,
      program_version || ', rules ' || rules_version, files, records, rejected, content_digest
    FROM audit_run ORDER BY run_id DESC LIMIT 1
    """
}
