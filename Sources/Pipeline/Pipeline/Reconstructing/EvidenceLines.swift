internal import PaidAmounts
internal import Parallel
package import PurchaseModel

/// The file and line of each price report, keyed by evidence id.
package struct EvidenceLines: Sendable {
  private var evidenceIDs: [Int64]
  private var sources: [SourceLine]

  init(count: Int) {
    evidenceIDs = Array(repeating: 0, count: count)
    sources = Array(repeating: SourceLine(file: 0, line: 0), count: count)
  }

  /// Adds the reports of the batch's households, and the batch's reports without a household.
  mutating func add(_ batch: HouseholdBatches.Batch) {
    for (place, member) in batch.members.enumerated() where member.isOwn {
      let report = batch.batch.reports[place].report
      evidenceIDs[member.position.index] = report.evidenceID
      sources[member.position.index] = report.source
    }
  }

  /// The position of a report among all reports, and its file and line.
  ///
  /// - Precondition: All batches were added, and one of them has the report.
  package subscript(evidenceID: Int64) -> (position: ReportPosition, line: SourceLine) {
    let place = evidenceIDs.firstPosition { $0 >= evidenceID }
    precondition(evidenceIDs[place] == evidenceID, "the report is used")
    return (ReportPosition(place), sources[place])
  }
}
