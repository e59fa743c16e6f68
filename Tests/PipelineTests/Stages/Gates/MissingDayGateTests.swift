import SharedTables
@testable internal import Pipeline
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Testing

@Suite struct `The gate of missing days` {
  /// Receipt files of some days of February 2021; 1 is February 1.
  private func files(_ days: [Int]) -> [StoredFile] {
    days.map { day in
      StoredFile(
        id: Int64(day), sha256: "\(day)", kind: .receipts, name: "n", status: .used, refusal: nil,
        exportDate: CivilDay(year: 2021, month: 2, day: 1)?.advanced(by: Int64(day - 1)), bytes: 1,
        tally: RecordTally(),
        newestSnapshotAt: nil, firstRunID: 1)
    }
  }

  private func findings(_ days: [Int]) -> [GateFinding] {
    MissingDayGate.findings(files(days), completeAfterDays: 7)
  }

  @Test func `finds a day between days with an export`() {
    let found = findings([1, 2, 4, 5])
    #expect(found.map { $0.items.map(\.subject) } == [["receipts 2021-02-03"]])
    #expect(found[0].trips)
    #expect(found[0].duration == .onceForAll)
    #expect(
      found[0].text(isStop: false) == """
        no receipts for 2021-02-03, though there are exports before and after.
        Add the missing exports, or wait: a missing day is treated as complete once an export \
        at least 7 days newer has been read.
        More: Docs/gates.md.
        """)
  }

  @Test func `trips no more once the day counts as complete`() {
    #expect(findings([1, 2, 4, 5, 6, 7, 8, 9]).map(\.trips) == [true])
    #expect(findings([1, 2, 4, 5, 6, 7, 8, 9, 10]).map(\.trips) == [false])
  }

  @Test(arguments: [
    // Weekly, every second day, and on work days (1 February 2021 is a Monday).
    [1, 8, 15, 22], [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27], [2, 4, 6, 8],
    [1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 22, 23], [1, 2], [1], [],
    // Never on Sundays.
    (1...42).filter { $0 % 7 != 0 },
  ])
  func `exports that are not daily miss no day`(days: [Int]) {
    #expect(findings(days).isEmpty)
  }

  @Test func `a long gap among daily exports is one`() {
    let gap = findings(Array(1...8) + Array(19...28))
    #expect(gap.map { $0.items[0].subject } == ["receipts 2021-02-09 to 2021-02-18"])
  }

  @Test func `a weekday that always has an export misses it, whatever the other days`() {
    let mondays = [1, 8, 15, 22, 29, 43, 50, 57]
    #expect(findings(mondays).map { $0.items[0].subject } == ["receipts 2021-03-08"])
    let workDays = (0..<6).flatMap { week in (1...5).map { week * 7 + $0 } }.filter { $0 != 17 }
    #expect(findings(workDays).map { $0.items[0].subject } == ["receipts 2021-02-17"])
  }
}
