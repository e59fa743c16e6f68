package import CivilTime
package import Diagnostics
package import ExchangeRates
internal import GRDB
internal import Parallel
internal import SQLiteFiles

/// Reads the dashboard's figures from the warehouse.
package enum FigureReading {
  /// The parts of the figures, which take about the same time.
  private enum Part: CaseIterable {
    case money, counts, tables
  }

  /// Reads the figures of the newest run; `nil` if no run has published.
  ///
  /// The parts are read side by side, each in one transaction.
  ///
  /// - Parameters:
  ///   - zone: The time zone of the charts by day; `nil` for UTC.
  ///   - rates: Returns the pipeline's exchange rates, for currencies that only Apple's reports
  ///     have.
  package static func read(
    zone: TimeZoneRules?, rates: @Sendable () -> ReportingCurrency?,
    opening open: @Sendable () throws(RunFailure) -> PublishedWarehouse
  ) throws(RunFailure) -> PageFigures? {
    let parts = Part.allCases
    var read = try inParallel(parts.count, workers: parts.count) { number throws(RunFailure) in
      try open().read { try Self.read(parts[number], zone: zone, rates: rates, on: $0) }
    }
    // Another pipeline may have published to this warehouse in between.
    if Set(read.map { $0?.run.runID }).count > 1 {
      read = try open().read { db in
        try parts.map { try Self.read($0, zone: zone, rates: rates, on: db) }
      }
    }
    guard var figures = read[2], let money = read[0], let counts = read[1] else { return nil }
    let compared = figures.dashboard
    figures.dashboard = money.dashboard
    figures.dashboard.add(counts.dashboard)
    figures.dashboard.add(compared)
    return figures
  }

  private static func read(
    _ part: Part, zone: TimeZoneRules?, rates: () -> ReportingCurrency?, on db: Database
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
    switch part {
    case .money: figures.dashboard = try DashboardReading.money(window, products, on: db)
    case .counts: figures.dashboard = try DashboardReading.counts(window, products, on: db)
    case .tables:
      (figures.currencies, figures.converted) = try RevenueReading.read(window, products, on: db)
      (figures.coverageDays, figures.coverageMonths) = try CoverageReading.read(window, on: db)
      figures.cohorts = try OfferReading.cohorts(window, products, on: db)
      figures.offers = try OfferReading.offers(products, on: db)
      figures.refunds = try RefundReading.refunds(products, on: db)
      figures.refundRates = try RefundReading.rates(window, products, on: db)
      figures.restatements = try RefundReading.restatements(on: db)
      try QualityReading.read(into: &figures, rates: rates, on: db)
      figures.missing = try MissingEvidence.read(db)
    }
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
