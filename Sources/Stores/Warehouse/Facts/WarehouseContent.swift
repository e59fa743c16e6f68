public import SharedTables
public import CivilTime
public import Diagnostics

/// The facts and metadata that a run publishes: the input of ``WarehouseDatabase/publish(_:)``.
public struct WarehouseContent: Sendable {
  /// The rows of facts: all rows, or only the rows in ``scope``.
  public var facts: FactStore
  /// The published rows to replace; `nil` to replace all rows.
  public var scope: FactScope?
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
  /// A run has only the amounts of the corrected purchases that it decides.
  public var uncorrected: [Int64: UncorrectedAmount] = [:]
  /// The earlier runs and their restatements, in case the warehouse has lost them.
  public var history = PublicationHistory()
  /// The findings of gates in all runs of state.db, without the gates that ``evaluateGates``
  /// evaluates.
  public var gates: [RunGate] = []
  /// The ids in state.db of the files that no earlier publication has checked.
  public var newFiles: Set<Int64> = []
  /// Evaluates the gates on the written facts before they become visible; an error stops the
  /// publication.
  ///
  /// The results are recorded in `audit_gate`.
  public var evaluateGates:
    @Sendable (FactSums, PriceUnitSums) throws(RunFailure) -> [GateOutcome] = {
      (_, _) throws(RunFailure) in []
    }
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
  func finishedRun(_ digest: ContentDigest, _ sums: FactSums) -> PublishedRun {
    var run = run
    for file in files where file.status != .superseded {
      run.records += file.tally.records
      run.rejected += file.tally.rejected
      if file.status == .used { run.files += 1 }
    }
    (run.coverage, run.exact) = (sums.coverage, sums.exact)
    run.completeThrough = completeThrough
    run.contentDigest = digest.hexadecimal
    return run
  }
}
