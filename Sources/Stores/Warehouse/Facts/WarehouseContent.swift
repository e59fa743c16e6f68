public import SharedTables
public import Amounts
public import CivilTime
public import PurchaseModel

/// The record of the run that publishes: a row of `audit_run`.
public struct RunInfo: Hashable, Sendable {
  /// The run's number in the run ledger, rising.
  public var runID: Int64
  /// The kind of the run.
  public var kind: RunKind
  /// The start of the run.
  public var startedAt: Instant
  /// The end of the run, as far as the publishing stage can know.
  public var finishedAt: Instant
  /// The program's version.
  public var programVersion: String
  /// The version of the rules.
  public var rulesVersion: String
  /// Lower-case hex of a SHA-256 over the settings and catalogue that decide facts.
  public var settingsSHA256: String
  /// The generation of state.db the facts were computed from.
  public var stateGeneration: Int64
  /// Lower-case hex of a SHA-256 over the catalogue's content; `nil` if it was not told.
  public var catalogueSHA256: String?
  /// Lower-case hex of a SHA-256 over the rates; `nil` for none.
  public var ratesSHA256: String?

  /// Describes a run.
  public init(
    runID: Int64, kind: RunKind, startedAt: Instant, finishedAt: Instant, programVersion: String,
    rulesVersion: String, settingsSHA256: String, stateGeneration: Int64
  ) {
    self.runID = runID
    self.kind = kind
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.programVersion = programVersion
    self.rulesVersion = rulesVersion
    self.settingsSHA256 = settingsSHA256
    self.stateGeneration = stateGeneration
  }
}

/// The status of an input file: `audit_file.status`.
public enum AuditFileStatus: String, Hashable, Sendable, CaseIterable {
  /// Its records count.
  case used
  /// It could not be read whole; nothing of it counts.
  case refused
  /// Too much of it was rejected; nothing of it counts yet.
  case held
  /// It was refused or held, and another content has taken its place on disk.
  case superseded
  /// It is a file of another kind, such as a README; nothing of it counts.
  case ignored
}

/// The account of one input file: a row of `audit_file`.
public struct AuditFile: Hashable, Sendable {
  /// The file's id in state.db.
  public var sourceFileID: Int64
  /// Its path as the run found it.
  public var name: String
  /// Lower-case hex of the SHA-256 of its bytes.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The status.
  public var status: AuditFileStatus
  /// The export day its name tells.
  public var exportDate: CivilDay?
  /// Its size, compressed as it was.
  public var bytes: Int64
  /// Records that contributed.
  public var used: Int64
  /// Records equal to an earlier one.
  public var duplicates: Int64
  /// Records that could not be used.
  public var rejected: Int64
  /// The run that read it first.
  public var firstRunID: Int64
  /// The number of its rows of which nothing names the store, so that production is assumed.
  public var assumedProduction: Int64 = 0

  /// Describes a file's account.
  public init(
    sourceFileID: Int64, name: String, sha256: String, kind: InputFile.Kind,
    status: AuditFileStatus, exportDate: CivilDay?, bytes: Int64, used: Int64, duplicates: Int64,
    rejected: Int64, firstRunID: Int64
  ) {
    self.sourceFileID = sourceFileID
    self.name = name
    self.sha256 = sha256
    self.kind = kind
    self.status = status
    self.exportDate = exportDate
    self.bytes = bytes
    self.used = used
    self.duplicates = duplicates
    self.rejected = rejected
    self.firstRunID = firstRunID
  }

  /// All records read.
  public var records: Int64 { used + duplicates + rejected }
}

/// One unusable record or row: a row of `rejected_record`.
public struct RejectedRecord: Hashable, Sendable {
  /// The file's id in state.db.
  public var sourceFileID: Int64
  /// 1-based line of the inflated file.
  public var sourceLine: Int64
  /// The stable code of the reason.
  public var reasonCode: String
  /// The expected and the found value, without personal data.
  public var detail: String

  /// Describes an unusable record.
  public init(sourceFileID: Int64, sourceLine: Int64, reasonCode: String, detail: String) {
    self.sourceFileID = sourceFileID
    self.sourceLine = sourceLine
    self.reasonCode = reasonCode
    self.detail = detail
  }
}

/// The explanation of a rule in words: a row of `meta_rule`.
public struct RuleDescription: Hashable, Sendable {
  /// The rule's name.
  public var rule: String
  /// The condition under which it decides.
  public var condition: String
  /// The result that it decides.
  public var result: String
  /// The reason for the rule.
  public var why: String

  /// Describes a rule.
  public init(rule: String, condition: String, result: String, why: String) {
    self.rule = rule
    self.condition = condition
    self.result = result
    self.why = why
  }
}

/// Everything a run publishes: the input of ``WarehouseDatabase/publish(_:)``.
public struct WarehouseContent: Sendable {
  /// The rows of all facts, or of those in the scope.
  public var facts: FactStore
  /// The published rows that the facts replace; `nil` for all.
  public var scope: FactScope?
  /// The sums over all rows, if the facts are only some of them.
  public var totals: FactTotals?
  /// The moment statuses and maturity are told for.
  public var asOf: Instant
  /// The same moment if the operator gave it; `nil` for that of the newest snapshot.
  public var givenAsOf: Instant?
  /// The records that could not be used.
  public var rejects: [RejectedRecord] = []
  /// The input files.
  public var files: [AuditFile] = []
  /// The owner's corrections.
  public var corrections: [CorrectionRecord] = []
  /// The rules' results for purchases that the owner corrected, by purchase key.
  public var uncorrected: [Int64: UncorrectedAmount] = [:]
  /// The rules in words.
  public var rules: [RuleDescription] = []
  /// The publications of earlier runs, for a warehouse that has lost them.
  public var history = PublicationHistory()
  /// The findings of gates in all runs that state.db knows.
  public var gates: [RunGate] = []
  /// The number of further export days after which a day without an export of its own is complete.
  public var completeAfterDays = 7
  /// Apple's reports; `nil` if no file was read.
  public var appleReports: AppleReportSource?
  /// The customers that the exports name; `nil` includes only those who bought.
  public var customers: SeenCustomers?
  /// The reporting currency; `nil` if the pipeline names none.
  public var reportingCurrency: Currency?
  /// The run that publishes.
  public var run: RunInfo

  /// Gathers the content of a publication; files, rejects and rules begin empty.
  public init(facts: FactStore, asOf: Instant, run: RunInfo) {
    self.facts = facts
    self.asOf = asOf
    self.run = run
  }

  /// The last purchase day that the exports wholly cover; `nil` without dated exports.
  var completeThrough: CivilDay? {
    RunSummary.completeThrough(files, after: completeAfterDays, asOf: givenAsOf)
  }
}
