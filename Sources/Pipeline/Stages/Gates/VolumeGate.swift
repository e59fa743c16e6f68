internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Warehouse

/// The gate `limits.volume_drop`: an export that holds far fewer records than is usual.
///
/// Volume is counted in records of an **export day**, because a night may bring one day and a
/// backfill a thousand. Judged are days that are newer than every published one, each against the
/// median of the 28 export days before it: a first load and a backfill of older days raise no
/// alarm, and a short day goes on stopping the run until it is completed, replaced or accepted. A
/// day falls through when it is low against that median, against its own weekday (so that a quiet
/// Sunday is no alarm), and by more than chance: three standard deviations of a count.
struct VolumeGate: Hashable {
  /// An export day with too few records.
  struct Drop: Hashable {
    var kind: InputFile.Kind
    var day: CivilDay
    var records: Int
    /// The median of the export days before it.
    var usual: Int
    /// How many days that is the median of.
    var days: Int
  }

  /// By which share, in millionths, a day may fall below the usual.
  let dropPerMillion: Int

  /// The least number of earlier days that tell what is usual.
  static let fewestDays = 7
  /// How many earlier days tell what is usual.
  static let mostDays = 28
  /// The least number of days of the same weekday that have a say, among the last eight.
  static let fewestWeekdays = 3

  /// The days that hold too few records, by kind and day.
  ///
  /// - Parameters:
  ///   - files: all input files.
  ///   - lastPublication: the newest run that published; files of later runs are not published yet.
  /// - Returns: the drops; empty where all is as usual.
  func drops(in files: [StoredFile], lastPublication: Int64) -> [Drop] {
    InputFile.Kind.allCases.flatMap { kind in
      let dated = files.filter { $0.kind == kind && $0.status != .refused && $0.exportDate != nil }
      let published = dated.lazy.filter { $0.firstRunID <= lastPublication }
      guard let newest = published.compactMap(\.exportDate).max() else { return [Drop]() }
      var records: [CivilDay: Int] = [:]
      for file in dated {
        if let day = file.exportDate { records[day, default: 0] += file.tally.records }
      }
      let days = records.map { (day: $0.key, records: $0.value) }.sorted { $0.day < $1.day }
      return days.indices.compactMap { index in
        guard days[index].day > newest else { return nil }
        return drop(of: days[index], after: days[..<index], kind: kind)
      }
    }
  }

  private func drop(
    of judged: (day: CivilDay, records: Int),
    after earlier: ArraySlice<(day: CivilDay, records: Int)>,
    kind: InputFile.Kind
  ) -> Drop? {
    // A day without any record was accepted as empty.
    guard judged.records > 0, earlier.count >= Self.fewestDays else { return nil }
    let usual = Self.median(earlier.suffix(Self.mostDays).map(\.records))
    let weekday = judged.day.weekday
    let alike = earlier.filter { $0.day.weekday == weekday }.suffix(8).map(\.records)
    guard isFarBelow(judged.records, usual) else { return nil }
    if alike.count >= Self.fewestWeekdays, !isFarBelow(judged.records, Self.median(alike)) {
      return nil
    }
    return Drop(
      kind: kind, day: judged.day, records: judged.records, usual: usual,
      days: min(earlier.count, Self.mostDays))
  }

  private func isFarBelow(_ records: Int, _ usual: Int) -> Bool {
    let missing = usual - records
    return records * 1_000_000 <= (1_000_000 - dropPerMillion) * usual && missing > 0
      && missing * missing > 9 * usual
  }

  /// The middle one; of two the lower.
  static func median(_ values: [Int]) -> Int {
    values.isEmpty ? 0 : values.sorted()[(values.count - 1) / 2]
  }
}

extension VolumeGate {
  /// What an operator is told; `nil` where all is as usual.
  func reason(_ drops: [Drop], statePath: String) -> String? {
    guard let first = drops.first else { return nil }
    let lines = drops.prefix(10).map { drop in
      "  \(drop.kind.rawValue) of \(drop.day.text): \(drop.records) records, usually \(drop.usual) "
        + "(median of \(drop.days) export days)"
    }
    let more = drops.count > 10 ? "\n  and \(drops.count - 10) more" : ""
    return """
      \(drops.count) export days hold far fewer records than is usual, and limits.volume_drop \
      allows a drop of less than \(RevenueSummary.percent(Int64(dropPerMillion), 1_000_000)):
      \(lines.joined(separator: "\n"))\(more)
      Complete or replace these exports, or, if so few are right, accept them with \
      --accept-volume. The days, in \(OneLine.text(statePath)):
        SELECT export_date, SUM(records) FROM input_file WHERE kind = '\(first.kind.rawValue)' \
      AND status <> 'refused' GROUP BY 1 ORDER BY 1 DESC LIMIT \(Self.mostDays + 1);
      """
  }
}
