public import CivilTime
public import Diagnostics
internal import GRDB

/// A run that published, as the warehouse remembers it.
public struct PublishedRun: Hashable, Sendable {
  /// The run's number.
  public var runID: Int64
  /// How it came about.
  public var kind: RunKind
  /// The moment statuses and maturity are told for.
  public var asOf: Instant
  /// When it began.
  public var startedAt: Instant
  /// When it published.
  public var finishedAt: Instant
  /// The last purchase day that the exports wholly cover.
  public var completeThrough: CivilDay?
  /// The program's version.
  public var programVersion: String
  /// The version of the rules.
  public var rulesVersion: String
  /// Input files whose records count.
  public var files: Int
  /// Records read.
  public var records: Int
  /// Records that could not be used.
  public var rejected: Int
  /// Known amounts among chargeable rows, in hundredths of a percent.
  public var coverage: Int?
  /// Exact amounts among chargeable rows, in hundredths of a percent.
  public var exact: Int?
  /// The hash of the facts' content.
  public var contentDigest: String
  /// The generation of state.db it was computed from.
  public var stateGeneration: Int64
  /// The hash of the settings that decided the facts.
  public var settingsSHA256: String
  /// The hash of what the catalogue says; `nil` where an older program published.
  public var catalogueSHA256: String?
  /// The hash of the rates; `nil` for none.
  public var ratesSHA256: String?
  /// The code of the reporting currency; `nil` where the pipeline named none.
  public var reportingCurrency: String?
}

extension WarehouseDatabase {
  /// The newest run that published.
  public func lastRun() throws(RunFailure) -> PublishedRun? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM audit_run ORDER BY run_id DESC LIMIT 1")
        .map(PublishedRun.init)
    }
  }
}
