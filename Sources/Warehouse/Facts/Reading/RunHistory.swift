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
  public var contentSHA256: String
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

/// How often records were rejected for a reason.
public struct RejectCount: Hashable, Sendable {
  /// The stable code.
  public var reasonCode: String
  /// How many records or rows.
  public var rows: Int
}

extension WarehouseDatabase {
  /// The runs that published, newest first, at most so many.
  public func runs(limit: Int = 20) throws(RunFailure) -> [PublishedRun] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM audit_run ORDER BY run_id DESC LIMIT ?", arguments: [limit]
      ).map(PublishedRun.init)
    }
  }

  /// The newest run that published.
  public func lastRun() throws(RunFailure) -> PublishedRun? {
    try runs(limit: 1).first
  }

  /// Rejected records by reason, most frequent first.
  public func rejectsByReason() throws(RunFailure) -> [RejectCount] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT reason_code, count(1) FROM rejected_record
          GROUP BY reason_code ORDER BY count(1) DESC, reason_code
          """
      ).map { RejectCount(reasonCode: $0[0], rows: $0[1]) }
    }
  }

  /// The export days of the receipt files in use, oldest first: what gaps are told by.
  public func exportDays() throws(RunFailure) -> [CivilDay] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT export_date FROM audit_file
          WHERE kind = 'receipts' AND status = 'used' AND export_date IS NOT NULL
          ORDER BY export_date
          """
      ).compactMap { CivilDay(text: $0) }
    }
  }

  /// What the data tests found when the newest run published.
  public func lastTestResults() throws(RunFailure) -> [DataTestResult] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT test, severity, sql, failing_rows FROM data_test_result
          WHERE run_id = (SELECT MAX(run_id) FROM audit_run) ORDER BY test
          """
      ).map { row in
        DataTestResult(
          test: DataTest(
            name: row[0], severity: TestSeverity(rawValue: row[1]) ?? .error, sql: row[2]),
          failingRows: row[3])
      }
    }
  }
}
