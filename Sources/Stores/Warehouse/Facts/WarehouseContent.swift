public import SharedTables
public import CivilTime
internal import Diagnostics

/// The facts and metadata that a run publishes: the input of ``WarehouseDatabase/publish(_:)``.
public struct WarehouseContent: Sendable {
  /// The rows of facts: all rows, or only the rows in ``scope``.
  public var facts: FactStore
  /// The published rows to replace; `nil` to replace all rows.
  public var scope: FactScope?
  /// The totals of all rows, if ``facts`` has only the rows in ``scope``; else `nil`.
  public var totals: FactTotals?
  /// The as-of time that the operator set; `nil` to use the time of the newest snapshot.
  public var givenAsOf: Instant?
  /// The unusable records of the inputs.
  public var rejects: [StoredReject] = []
  /// The input files with their statuses.
  public var files: [StoredFile] = []
  /// The corrections by the owner.
  public var corrections: [CorrectionRecord] = []
  /// The amounts that the rules would decide without corrections, keyed by `purchase_key`.
  ///
  /// An incremental run has only the amounts of the corrected purchases that it decides.
  public var uncorrected: [Int64: UncorrectedAmount] = [:]
  /// The earlier runs and their restatements, in case the warehouse has lost them.
  public var history = PublicationHistory()
  /// The findings of gates in all runs of state.db.
  public var gates: [RunGate] = []
  /// The number of days after which a missing export day is ignored.
  public var completeAfterDays = 7
  /// Apple's reports; `nil` if there are none.
  public var appleReports: AppleReportSource?
  /// The customers in the exports; `nil` to include only customers with a purchase.
  public var customers: ExportedCustomers?
  /// The run that publishes.
  public var run: PublishedRun

  /// Creates the content of a publication, without files and rejects.
  public init(facts: FactStore, run: PublishedRun) {
    self.facts = facts
    self.run = run
  }

  /// The last purchase day that the exports cover completely; `nil` without dated exports.
  var completeThrough: CivilDay? {
    CoveringDays.completeThrough(files, after: completeAfterDays, asOf: givenAsOf)
  }

  /// The run, with its figures for `audit_run` filled in.
  func finishedRun(_ digest: ContentDigest) -> PublishedRun {
    var run = run
    for file in files where file.status != .superseded {
      run.records += file.tally.records
      run.rejected += file.tally.rejected
      if file.status == .used { run.files += 1 }
    }
    let totals = totals ?? facts.totals
    if totals.chargeable > 0 {
      run.coverage = 10_000 * totals.known / totals.chargeable
      run.exact = 10_000 * totals.exact / totals.chargeable
    }
    run.completeThrough = completeThrough
    run.contentDigest = digest.hexadecimal
    return run
  }
}
