public import CivilTime
internal import GRDB

/// A run that has published or is about to publish: a row of `audit_run`.
public struct PublishedRun: Hashable, Sendable {
  /// The number of the run, as in `run_id`.
  public var runID: Int64
  /// The kind of the run.
  public var kind: RunKind
  /// The as-of time, for which statuses are computed, UTC.
  public var asOf: Instant
  /// The start of the run, UTC.
  public var startedAt: Instant
  /// The end of the run, UTC; measured in the publishing stage.
  public var finishedAt: Instant
  /// The last purchase day (UTC) that the exports cover completely; `nil` if unknown.
  public var completeThrough: CivilDay?
  /// The version of the program.
  public var programVersion: String
  /// The version of the rules that decide amounts, for example `3`.
  ///
  /// After a change of this version, a run decides all amounts again.
  public var rulesVersion: String
  /// The number of input files in use.
  public var files = 0
  /// The number of records in the files in use, including unusable records.
  public var records = 0
  /// The number of unusable records in the files in use.
  public var rejected = 0
  /// The proportion of chargeable rows with a known amount, in hundredths of a percent.
  ///
  /// `nil` if no row is chargeable.
  public var coverage: Int?
  /// The proportion of chargeable rows with an exact amount, in hundredths of a percent.
  ///
  /// `nil` if no row is chargeable.
  public var exact: Int?
  /// The hash of all facts, `content_digest`.
  public var contentDigest = ""
  /// The generation of state.db that the facts were computed from.
  public var stateGeneration: Int64
  /// The hash of the settings that affect the facts.
  public var settingsSHA256: String
  /// The hash of the catalogue; `nil` if an older version of the program published.
  public var catalogueSHA256: String?
  /// The hash of the exchange rates; `nil` without rates.
  public var ratesSHA256: String?
  /// The code of the reporting currency; `nil` if the pipeline has none.
  public var reportingCurrency: String?

  /// Creates a run; its numbers of records and its digest are set after the facts are written.
  public init(
    runID: Int64, kind: RunKind, asOf: Instant, startedAt: Instant, finishedAt: Instant,
    programVersion: String, rulesVersion: String, settingsSHA256: String, stateGeneration: Int64
  ) {
    self.runID = runID
    self.kind = kind
    self.asOf = asOf
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.programVersion = programVersion
    self.rulesVersion = rulesVersion
    self.settingsSHA256 = settingsSHA256
    self.stateGeneration = stateGeneration
  }
}

/// The kind of a run: `audit_run.kind`.
public enum RunKind: String, Hashable, Sendable, CaseIterable {
  /// A run that is started by a schedule or by hand.
  case run
  /// A run for a range of export days.
  case backfill
  /// A run that erases customers.
  case erase
  /// A run that writes all facts again, including unchanged facts.
  case fullRefresh = "full_refresh"
}
