internal import Amounts
internal import AppleReports
internal import CivilTime
internal import Foundation
internal import GRDB
internal import Reconciling
internal import Warehouse

/// The matches of the comparison with Apple's reports beside those of the best assignment.
struct ComparedAssignments {
  private var given: [BestAssignment.Match: Int] = [:]
  private var best: [BestAssignment.Match: Int] = [:]
  /// The rows whose match differs, by month and product; late payments are left out.
  private var different = 0
  /// Whether the sums of all causes are exactly those of Apple's lines and of the rows.
  let isExact: Bool

  /// Reads the published facts and reports of a store, and compares them again.
  init(_ db: Database) throws {
    let appleReports = try PublishedAppleReports.read(db)
    let entries = try PublishedEntries.read(db, near: appleReports)
    let result = reconcile(entries, with: appleReports)
    let rows = entries.filter { BestAssignment.isCompared($0, appleReports) }
    let causes = Dictionary(
      result.rows.filter { !$0.isRefund }.map { ($0.purchaseKey, $0.cause) },
      uniquingKeysWith: { first, _ in first })
    var counts: [BestAssignment.Cell: [BestAssignment.Match: Int]] = [:]
    for row in rows {
      let cell = BestAssignment.Cell(productID: row.productID, month: row.day.monthText)
      counts[cell, default: [:]][causes[row.purchaseKey].map { .init($0) } ?? .none, default: 0] +=
        1
    }
    let assignment = BestAssignment(entries, with: appleReports)
    for match in BestAssignment.Match.allCases {
      given[match] = counts.values.reduce(0) { $0 + ($1[match] ?? 0) }
      best[match] = assignment.counts.values.reduce(0) { $0 + ($1[match] ?? 0) }
      guard match != .late else { continue }
      for (cell, found) in counts {
        different += max(0, (found[match] ?? 0) - (assignment.counts[cell]?[match] ?? 0))
      }
    }
    let sums = result.sums.values.flatMap(\.values)
    let lines = appleReports.lines.filter {
      appleReports.covers($0.line.day, isSubscription: $0.line.isSubscription ?? true)
    }
    isExact =
      sums.reduce(0) { $0 + $1.appleMilli } == lines.reduce(0) { $0 + $1.line.amount.rawValue }
  }

  /// The table of rows by match, and the share of rows whose match is that of the best assignment.
  var markdown: String {
    let rows = given.values.reduce(0, +) - max(given[.late] ?? 0, best[.late] ?? 0)
    let share = rows == 0 ? 100 : Double(rows - different) * 100 / Double(rows)
    let lines = BestAssignment.Match.allCases.map {
      "| \($0.rawValue) | \(given[$0] ?? 0) | \(best[$0] ?? 0) |"
    }
    return """
      | match of a row | given | best assignment |
      |---|---:|---:|
      \(lines.joined(separator: "\n"))

      \(String(format: "%.2f", share)) % of the rows outside of late payments have the match of the \
      best assignment. The sums are \(isExact ? "exact" : "NOT exact").
      """
  }
}
