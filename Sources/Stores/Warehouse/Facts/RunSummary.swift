internal import SharedTables
internal import Amounts
public import CivilTime
internal import PurchaseModel

extension AuditFile {
  /// The last purchase day that exports wholly cover; `nil` without dated exports.
  ///
  /// - Parameters:
  ///   - files: The files of a run.
  ///   - patience: After how many further export days a day counts as complete.
  ///   - asOf: The moment that the facts are told for, if it was given.
  /// - Returns: The day before the newest export day that no gap precedes.
  public static func completeThrough(
    _ files: [AuditFile], after patience: Int, asOf: Instant?
  ) -> CivilDay? {
    RunSummary.completeThrough(files, after: patience, asOf: asOf)
  }
}

/// The figures of a run that `audit_run` keeps.
struct RunSummary {
  /// Files whose records count.
  var files = 0
  /// Records read.
  var records: Int64 = 0
  /// Records that could not be used.
  var rejected: Int64 = 0
  /// The share of chargeable rows with a known amount, in hundredths of a percent.
  var coverage: Int64?
  /// The share of chargeable rows with an exact amount, in hundredths of a percent.
  var exact: Int64?
  /// The last purchase day that the exports wholly cover.
  var completeThrough: CivilDay?

  /// Computes the figures.
  init(_ content: WarehouseContent) {
    for file in content.files where file.status != .superseded {
      records += file.records
      rejected += file.rejected
      if file.status == .used { files += 1 }
    }
    let totals = content.totals ?? content.facts.totals
    if totals.chargeable > 0 {
      coverage = Int64(10_000 * totals.known / totals.chargeable)
      exact = Int64(10_000 * totals.exact / totals.chargeable)
    }
    completeThrough = content.completeThrough
  }

  /// The day before the newest export day that no gap precedes; `nil` without dated exports.
  ///
  /// A missing day is no longer a gap once the newest export is so many days later, so that one
  /// lost export does not hold up all days after it. Only exports that were used and hold purchases
  /// count (``CoveringDays``): a price report completes no purchase day. With a given moment, later
  /// exports tell nothing and complete nothing.
  ///
  /// Example: exports of 1, 2, 4 and 5 February are complete through the 1st; with one of the 10th
  /// and those between, through the 9th.
  static func completeThrough(
    _ files: [AuditFile], after patience: Int, asOf: Instant?
  ) -> CivilDay? {
    func days(_ kind: InputFile.Kind) -> [CivilDay] {
      files.filter { $0.kind == kind && $0.status == .used }.compactMap(\.exportDate)
        .filter { day in asOf.map { day <= $0.day } ?? true }
    }
    let days = CoveringDays.days(
      receipts: days(.receipts), signed: days(.signed), patience: patience)
    guard var complete = days.first, let newest = days.last else { return nil }
    for day in days.dropFirst() {
      let firstMissing = complete.advanced(by: 1)
      let lastMissing = day.advanced(by: -1)
      let isGap = firstMissing <= lastMissing
      guard !isGap || lastMissing.advanced(by: Int64(patience)) <= newest else { break }
      complete = day
    }
    return complete.advanced(by: -1)
  }

  /// The run's row of `audit_run`.
  func publishedRun(_ content: WarehouseContent, digest: ContentDigest) -> PublishedRun {
    let run = content.run
    return PublishedRun(
      runID: run.runID, kind: run.kind, asOf: content.asOf, startedAt: run.startedAt,
      finishedAt: run.finishedAt, completeThrough: completeThrough,
      programVersion: run.programVersion, rulesVersion: run.rulesVersion, files: files,
      records: Int(records), rejected: Int(rejected), coverage: coverage.map { Int($0) },
      exact: exact.map { Int($0) }, contentDigest: digest.hexadecimal,
      stateGeneration: run.stateGeneration, settingsSHA256: run.settingsSHA256,
      catalogueSHA256: run.catalogueSHA256, ratesSHA256: run.ratesSHA256,
      reportingCurrency: content.reportingCurrency?.code)
  }
}
