public import CivilTime
internal import Diagnostics
internal import GRDB

/// A run that publishes, or has published: a row of `audit_run`.
public struct PublishedRun: Hashable, Sendable {
  /// The run's number.
  public var runID: Int64
  /// The kind of the run.
  public var kind: RunKind
  /// The time for which statuses and maturity are computed.
  public var asOf: Instant
  /// The start of the run.
  public var startedAt: Instant
  /// The end of the run, as far as the publishing stage can know.
  public var finishedAt: Instant
  /// The last purchase day that the exports wholly cover.
  public var completeThrough: CivilDay?
  /// The program's version.
  public var programVersion: String
  /// The version of the rules.
  public var rulesVersion: String
  /// Input files whose records count.
  public var files = 0
  /// Records read.
  public var records = 0
  /// Records that could not be used.
  public var rejected = 0
  /// Known amounts among chargeable rows, in hundredths of a percent.
  public var coverage: Int?
  /// Exact amounts among chargeable rows, in hundredths of a percent.
  public var exact: Int?
  /// The hash of the facts' content.
  public var contentDigest = ""
  /// The generation of state.db it was computed from.
  public var stateGeneration: Int64
  /// The hash of the settings that decided the facts.
  public var settingsSHA256: String
  /// The hash of the catalogue's content; `nil` if an older program published.
  public var catalogueSHA256: String?
  /// The hash of the rates; `nil` for none.
  public var ratesSHA256: String?
  /// The code of the reporting currency; `nil` if the pipeline named none.
  public var reportingCurrency: String?

  /// Creates a run before its facts are written; counts and digest are set later.
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
  /// A nightly or manual run.
  case run
  /// A run over a window of export days.
  case backfill
  /// A run that erases customers.
  case erase
  /// A run that writes everything again, changed or not.
  case fullRefresh = "full_refresh"
}
