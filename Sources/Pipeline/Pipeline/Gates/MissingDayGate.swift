internal import SharedTables
package import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The gate `missing_export_day`: days without an export between days with exports.
///
/// Exports are daily if at least four in five days within two weeks of a gap have an export. This
/// decides which days of the gap are missing:
/// - If exports are daily, every day of the gap is missing, unless its weekday usually has no
///   export.
/// - If exports are not daily, a day is missing if its weekday usually has an export. A Tuesday is
///   missing if at least three in four of the Tuesdays up to four weeks before and after it have an
///   export.
///
/// So weekly exports and exports on work days cause no finding. Once an export is at least
/// `complete_after_days` newer than a missing day, the day is treated as complete.
///
/// Example: with exports of February 1, 2, 4 and 5, the 3rd is missing. Once the export of February
/// 10 is read, the 3rd is treated as complete.
package enum MissingDayGate {
  /// The number of days before and after a gap that show whether exports are daily.
  private static let neighborhood: Int64 = 14
  /// The number of weeks before and after a day in which days with its weekday are examined.
  private static let weeks: Int64 = 4
  /// The smallest numbers of days with the same weekday from which a conclusion is drawn.
  ///
  /// `never`: the weekday has no exports, so a day without an export is not missing. `always`: the
  /// weekday has exports, so a day without an export is missing.
  private static let fewest = (never: 2, always: 3)

  /// Finds the ranges of missing days, oldest first.
  static func gaps(in days: Set<CivilDay>) -> [ClosedRange<CivilDay>] {
    guard let first = days.min(), let last = days.max() else { return [] }
    let all = first.daysSinceEpoch...last.daysSinceEpoch
    let exports = Set(days.map(\.daysSinceEpoch))
    var gaps: [ClosedRange<CivilDay>] = []
    for hole in DayGaps.between(Array(days)) {
      let hole = hole.lowerBound.daysSinceEpoch...hole.upperBound.daysSinceEpoch
      let around = (hole.lowerBound - neighborhood...hole.upperBound + neighborhood)
        .filter { all.contains($0) && !hole.contains($0) }
      let isDaily = around.count { exports.contains($0) } * 5 >= around.count * 4
      for number in hole {
        let same = (-weeks...weeks).map { number + 7 * $0 }
          .filter { all.contains($0) && !hole.contains($0) }
        let there = same.count { exports.contains($0) }
        let isMissed =
          isDaily
          ? same.count < fewest.never || there * 4 > same.count
          : same.count >= fewest.always && there * 4 >= same.count * 3
        guard isMissed else { continue }
        let day = CivilDay(daysSinceEpoch: number)
        if let gap = gaps.last, gap.upperBound.advanced(by: 1) == day {
          gaps[gaps.count - 1] = gap.lowerBound...day
        } else {
          gaps.append(day...day)
        }
      }
    }
    return gaps
  }

  /// Finds all missing days, oldest first.
  package static func days(in days: Set<CivilDay>) -> [CivilDay] {
    gaps(in: days).flatMap { gap in
      (gap.lowerBound.daysSinceEpoch...gap.upperBound.daysSinceEpoch)
        .map(CivilDay.init(daysSinceEpoch:))
    }
  }

  /// Returns one finding per gap in the exports in use.
  ///
  /// - Parameters:
  ///   - completeAfterDays: A day is complete once the newest export is this many days newer.
  /// - Returns: The findings, receipts first, oldest first.
  static func findings(_ files: [StoredFile], completeAfterDays: Int) -> [GateFinding] {
    // Signed transactions have no daily exports; they arrive when they are fetched or sent.
    [InputFile.Kind.receipts, .prices].flatMap { kind in
      let days = Set(
        files.filter { $0.kind == kind && $0.status == .used }.compactMap(\.exportDate))
      guard let newest = days.max() else { return [GateFinding]() }
      return gaps(in: days).map { gap in
        finding(gap, of: kind, newest: newest, completeAfterDays: completeAfterDays)
      }
    }
  }

  private static func finding(
    _ gap: ClosedRange<CivilDay>, of kind: InputFile.Kind, newest: CivilDay,
    completeAfterDays: Int
  ) -> GateFinding {
    let range = DayGaps.text([gap])
    let complete = gap.upperBound.advanced(by: Int64(completeAfterDays))
    let isOver = complete <= newest
    var finding = GateFinding(
      .missingExportDay,
      [
        GateFinding.Item(
          subject: "\(kind.rawValue) \(range)", found: "no export", expected: "one export per day")
      ],
      message: "no \(kind.words) for \(range), though there are exports before and after.")
    finding.remedy =
      kind == .prices
      ? "Add the missing exports, or continue without them."
      : "Add the missing exports, or wait: a missing day is treated as complete once an export "
        + "at least \(Count.text(completeAfterDays, "day")) newer has been read."
    finding.entry = range
    finding.trips = !isOver
    finding.duration = .onceForAll
    finding.page = .gates
    return finding
  }
}
