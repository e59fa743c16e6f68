public import SharedTables
public import CivilTime
internal import Diagnostics

/// Everything a run publishes: the input of ``WarehouseDatabase/publish(_:)``.
public struct WarehouseContent: Sendable {
  /// The rows of all facts, or of those in the scope.
  public var facts: FactStore
  /// The published rows that the facts replace; `nil` for all.
  public var scope: FactScope?
  /// The sums over all rows, if the facts are only some of them.
  public var totals: FactTotals?
  /// The moment of the run's `asOf` if the operator gave it; `nil` for that of the newest snapshot.
  public var givenAsOf: Instant?
  /// The records that could not be used.
  public var rejects: [StoredReject] = []
  /// The input files.
  public var files: [StoredFile] = []
  /// The owner's corrections.
  public var corrections: [CorrectionRecord] = []
  /// The rules' results for purchases that the owner corrected, by purchase key.
  public var uncorrected: [Int64: UncorrectedAmount] = [:]
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
  /// The run that publishes.
  public var run: PublishedRun

  /// Gathers the content of a publication; files and rejects begin empty.
  public init(facts: FactStore, run: PublishedRun) {
    self.facts = facts
    self.run = run
  }

  /// The last purchase day that the exports wholly cover; `nil` without dated exports.
  var completeThrough: CivilDay? {
    CoveringDays.completeThrough(files, after: completeAfterDays, asOf: givenAsOf)
  }

  /// The run with the figures that `audit_run` keeps of it.
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
