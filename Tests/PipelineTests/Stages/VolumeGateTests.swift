internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Testing

@testable import Pipeline
@testable import Warehouse

struct `The volume gate` {
  private let gate = VolumeGate(dropPerMillion: 500_000)

  /// Files of consecutive days from 2021-03-01, a Monday.
  ///
  /// Those before `fresh` days from the end were published by run 1.
  private func files(_ records: [Int], fresh: Int = 1, kind: InputFile.Kind = .receipts)
    -> [StoredFile]
  {
    records.enumerated().map { index, count in
      var tally = RecordTally()
      tally.used = count
      return StoredFile(
        id: Int64(index + 1), sha256: "\(index)", kind: kind, name: "n", status: .used,
        refusal: nil, exportDate: CivilDay(daysSinceEpoch: 18_687 + Int64(index)), bytes: 1,
        tally: tally, newestSnapshotAt: nil,
        firstRunID: index < records.count - fresh ? 1 : 2)
    }
  }

  private func drops(_ files: [StoredFile]) -> [String] {
    gate.drops(in: files, lastPublication: 1).map {
      "\($0.kind.rawValue) \($0.day.text) \($0.records) of \($0.usual), \($0.days) days"
    }
  }

  private let week = [Int](repeating: 100, count: 7)

  @Test func `lets a day pass that is no more than half below the usual`() {
    #expect(drops(files(week + [51])) == [])
    // Half of 100 are 50, and 50 missing are more than three times the root of 100.
    #expect(drops(files(week + [50])) == ["receipts 2021-03-08 50 of 100, 7 days"])
    #expect(drops(files(week + [50], kind: .prices)) == ["prices 2021-03-08 50 of 100, 7 days"])
  }

  @Test func `judges no day before it knows what is usual`() {
    #expect(drops(files([Int](repeating: 100, count: 6) + [1])) == [])
    #expect(drops(files(week + [1], fresh: 8)) == [], "a first load")
    #expect(drops(files(week + [0])) == [], "accepted as empty")
  }

  @Test func `takes small numbers for what they are`() {
    // 6 of 16: 10 missing, and chance explains up to 12. 40 of 100: 60 missing, chance explains 30.
    #expect(drops(files([Int](repeating: 16, count: 7) + [6])) == [])
    #expect(drops(files(week + [40])).count == 1)
  }

  @Test func `knows weekends`() {
    // Four weeks with 30 records on Saturdays and Sundays, then a Saturday, 2021-04-03.
    let four = (0..<33).map { $0 % 7 >= 5 ? 30 : 100 }
    #expect(drops(files(four + [29])) == [])
    #expect(drops(files(four + [9])) == ["receipts 2021-04-03 9 of 100, 28 days"])
  }

  @Test func `judges no older day of a backfill, and each of several new nights`() {
    var old = files([10] + week + [100], fresh: 1)
    old[0].firstRunID = 2
    #expect(drops(old) == [], "a day before the newest published one")
    #expect(
      drops(files(week + [20, 100, 30], fresh: 3)) == [
        "receipts 2021-03-08 20 of 100, 7 days", "receipts 2021-03-10 30 of 100, 9 days",
      ])
  }

  @Test func `counts all files of a day, and none that was refused`() {
    var two = files(week + [30])
    var rest = two[7]
    rest.tally.used = 40
    #expect(drops(two + [rest]) == [], "30 and 40 are 70")
    rest.status = .refused
    #expect(drops(two + [rest]).count == 1)
    two[7].status = .refused
    #expect(drops(two) == [])
  }

  @Test func `tells the days, the query and the way out`() throws {
    let found = gate.drops(in: files(week + [50]), lastPublication: 1)
    let reason = try #require(gate.reason(found, statePath: "var/state.db"))
    #expect(reason.contains("receipts of 2021-03-08: 50 records, usually 100"))
    #expect(reason.contains("--accept-volume"))
    #expect(reason.contains("SELECT export_date, SUM(records) FROM input_file"))
    #expect(gate.reason([], statePath: "") == nil)
  }
}
