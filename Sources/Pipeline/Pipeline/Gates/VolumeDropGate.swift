internal import SharedTables
internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The gate `volume_drop`: an export day has far fewer records than trend and weekday predict.
///
/// The number of records must be below a ratio of the expected number, and too low to be explained
/// by chance (``VolumeExpectation``). Records are counted per **export day**, because one run may
/// read the exports of one day or of a thousand days.
///
/// The gate checks two kinds of days: days newer than every published day, and days that had not
/// ended when they were published. A day that has not ended yet is not checked, because its export
/// may grow.
struct VolumeDropGate: Hashable {
  /// An export day with too few records.
  struct Drop: Hashable {
    var kind: InputFile.Kind
    var day: CivilDay
    var records: Int
    /// The expected number of records, rounded down.
    var expected: Int
    /// The number of earlier days on which the expectation is based.
    var days: Int
  }

  /// The smallest accepted ratio of the records to the expected records, in millionths.
  let perMillion: Int
  /// The probability below which a low count is a drop: one in a thousand.
  static let significance = 0.001

  /// The last publication: the number of its run, and the day on which the run began.
  struct Publication: Hashable {
    /// The number of the newest run that published; files of later runs have not been published.
    var runID: Int64
    /// The day on which the run began.
    var day: CivilDay
  }

  /// Finds the days with too few records of a kind.
  ///
  /// - Parameters:
  ///   - published: The last publication; `nil` if there is none. Then no day is compared.
  /// - Returns: The days, receipts first, oldest first.
  func drops(in files: [StoredFile], published: Publication?, today: CivilDay) -> [Drop] {
    guard let published else { return [] }
    return [InputFile.Kind.receipts, .prices].flatMap { kind in
      let dated = files.filter {
        $0.kind == kind && ($0.status == .used || $0.status == .held) && $0.exportDate != nil
      }
      let before = dated.filter { $0.firstRunID <= published.runID }
      guard let newest = before.compactMap(\.exportDate).max() else { return [Drop]() }
      var records: [CivilDay: Int] = [:]
      for file in dated {
        if let day = file.exportDate { records[day, default: 0] += file.tally.records }
      }
      let counts = records.map { DailyCount(day: $0.key, records: $0.value) }
        .sorted { $0.day < $1.day }
      return counts.indices.compactMap { index in
        let day = counts[index].day
        let isNew = day > newest || day >= published.day
        let isOver = day < today || index + 1 < counts.count
        guard isNew, isOver else { return nil }
        return drop(of: counts[index], after: counts[..<index], kind: kind)
      }
    }
  }

  private func drop(
    of checked: DailyCount, after earlier: ArraySlice<DailyCount>, kind: InputFile.Kind
  ) -> Drop? {
    // Days without records are reported by another gate.
    guard checked.records > 0,
      let expectation = VolumeExpectation(of: checked.day, after: earlier)
    else { return nil }
    let least = expectation.records * Double(perMillion) / 1_000_000
    guard Double(checked.records) < least,
      expectation.chance(ofAtMost: checked.records) < Self.significance
    else { return nil }
    return Drop(
      kind: kind, day: checked.day, records: checked.records, expected: Int(expectation.records),
      days: expectation.days)
  }

  /// Creates the finding for the operator; `nil` without drops.
  func finding(_ drops: [Drop], statePath: String) -> GateFinding? {
    guard let first = drops.first else { return nil }
    let items = drops.map { drop in
      GateFinding.Item(
        subject: "\(drop.kind.rawValue) \(drop.day.text)",
        found: Count.text(drop.records, "record"), expected: "about \(drop.expected) records")
    }
    let lines = drops.prefix(10).map { drop in
      "  \(drop.kind.rawValue) of \(drop.day.text): \(Count.text(drop.records, "record")), about "
        + "\(drop.expected) expected from the \(drop.days) export days before"
    }
    let more = drops.count > 10 ? ["  and \(drops.count - 10) more"] : []
    var finding = GateFinding(
      .volumeDrop, items,
      message: """
        \(Count.text(drops.count, "export day")) with less than \
        \(Share.percent(Int64(perMillion), 1_000_000)) of the records that trend and weekday \
        predict; chance does not explain the drop:
        \((lines + more).joined(separator: "\n"))
        """)
    finding.remedy = "Complete or replace these exports."
    finding.query = GateQuery(
      database: statePath,
      sql: StateQuery.records(of: first.kind, days: VolumeExpectation.window + 1))
    finding.page = .gates
    return finding
  }
}
