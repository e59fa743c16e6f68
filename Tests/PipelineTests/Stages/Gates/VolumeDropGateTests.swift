import SharedTables
@testable internal import Pipeline
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import TestSupport
internal import Testing

struct `The volume gate` {
  private let gate = VolumeDropGate(perMillion: 500_000)
  /// Monday.
  private static let monday: Int64 = 18_687

  /// Files of consecutive days from 2021-03-01, a Monday.
  ///
  /// All files except the newest `fresh` were published by run 1.
  private func files(_ records: [Int], fresh: Int = 1, kind: InputFile.Kind = .receipts)
    -> [StoredFile]
  {
    records.enumerated().map { index, count in
      var tally = RecordTally()
      tally.used = count
      return StoredFile(
        id: Int64(index + 1), sha256: "\(index)", kind: kind, name: "n", status: .used,
        refusal: nil, exportDate: CivilDay(daysSinceEpoch: Self.monday + Int64(index)), bytes: 1,
        tally: tally, newestSnapshotAt: nil,
        firstRunID: index < records.count - fresh ? 1 : 2)
    }
  }

  private func drops(_ files: [StoredFile], today: Int64 = 20_000, published: Int64 = 20_000)
    -> [String]
  {
    gate.drops(
      in: files,
      published: VolumeDropGate.Publication(
        runID: 1, day: CivilDay(daysSinceEpoch: published)),
      today: CivilDay(daysSinceEpoch: today)
    ).map { "\($0.kind.rawValue) \($0.day.text) \($0.records) of \($0.expected)" }
  }

  private let week = [Int](repeating: 100, count: 7)

  @Test func `lets a day pass that holds half of what is expected`() {
    #expect(drops(files(week + [50])) == [])
    #expect(drops(files(week + [49])) == ["receipts 2021-03-08 49 of 100"])
    #expect(drops(files(week + [49], kind: .prices)) == ["prices 2021-03-08 49 of 100"])
  }

  @Test func `judges no day before it knows what is usual`() {
    #expect(drops(files([Int](repeating: 100, count: 6) + [1])) == [])
    #expect(drops(files(week + [1], fresh: 8)) == [], "a first load")
    #expect(drops(files(week + [0])) == [], "an empty day is another gate's")
    #expect(
      gate.drops(in: files(week + [1]), published: nil, today: CivilDay(daysSinceEpoch: 20_000))
        .isEmpty)
  }

  // With ten records per day for four weeks, 1 record has a probability of 0.0006, and 2 records
  // have 0.003. 5 records are not below half.
  @Test func `takes small numbers for what they are`() {
    let month = [Int](repeating: 10, count: 28)
    #expect(drops(files(month + [2])) == [])
    #expect(drops(files(month + [1])) == ["receipts 2021-03-29 1 of 10"])
    // With two records per day, a single record is not unlikely.
    #expect(drops(files([Int](repeating: 2, count: 28) + [1])) == [])
  }

  @Test func `knows weekends`() {
    // Six weeks with 30 records on Saturdays and Sundays, then Saturday 2021-04-17.
    let weeks = (0..<47).map { $0 % 7 >= 5 ? 30 : 100 }
    #expect(drops(files(weeks + [29])) == [])
    #expect(drops(files(weeks + [3])).count == 1)
    // A Monday with as few records as a Sunday is a drop.
    let monday = (0..<49).map { $0 % 7 >= 5 ? 30 : 100 }
    #expect(drops(files(monday + [30])).count == 1)
  }

  // The records shrink by a tenth per week: 1000, 900, 810 … 430 in the ninth week, 387 in the
  // tenth.
  @Test func `expects a shrinking app to shrink on`() {
    var records: [Int] = []
    var level = 1000.0
    for day in 0..<70 {
      records.append(Int(level))
      if day % 7 == 6 { level *= 0.9 }
    }
    for days in 8...70 {
      #expect(drops(files(Array(records.prefix(days)))) == [], "\(days) days")
    }
    // The records are halved every week, but no single day is far below its trend.
    var halved: [Int] = []
    var count = 4096.0
    for _ in 0..<42 {
      halved.append(Int(count))
      count *= 0.906  // The seventh root of a half.
    }
    for days in 29...42 {
      #expect(drops(files(Array(halved.prefix(days)))) == [], "\(days) days")
    }
    #expect(drops(files(records + [100])).count == 1, "and no further")
  }

  @Test func `calms down some days after a step`() {
    // 100 records per day, then always 30; each run checks the newest day.
    var alarms = 0
    for days in 1...10 {
      let records = [Int](repeating: 100, count: 28) + [Int](repeating: 30, count: days)
      alarms += drops(files(records)).count
    }
    #expect(alarms == 4)
  }

  @Test func `is moved by no spike and by no quiet day`() {
    var records = [Int](repeating: 100, count: 35)
    records[30] = 5000
    #expect(drops(files(records + [60])) == [])
    #expect(drops(files(records + [20])).count == 1)
    records[30] = 3
    #expect(drops(files(records + [20])).count == 1)
  }

  // The days vary between 20 and 100, so a day with 14 is not a surprise.
  @Test func `trusts no smooth line where days vary wildly`() {
    let wild = (0..<56).map { [20, 60, 25, 100, 30][$0 % 5] }
    #expect(drops(files(wild + [14])) == [])
  }

  @Test func `judges no older day of a backfill, and each of several new runs`() {
    var old = files([10] + week + [100], fresh: 1)
    old[0].firstRunID = 2
    #expect(drops(old) == [], "a day before the newest published one")
    #expect(
      drops(files(week + [20, 100, 30], fresh: 3)) == [
        "receipts 2021-03-08 20 of 100", "receipts 2021-03-10 30 of 100",
      ])
  }

  @Test func `judges a day once it is over, though a part of it was published`() {
    // The eighth day, 2021-03-08, is day 18,694. A run on that day has already published 40 of its
    // records.
    let day = Self.monday + 7
    let partial = files(week + [40], fresh: 0)
    #expect(drops(partial, today: day, published: day) == [], "it may grow")
    #expect(
      drops(partial, today: day + 1, published: day) == ["receipts 2021-03-08 40 of 100"])
    #expect(drops(partial, today: day + 2, published: day + 1) == [], "once")
  }

  @Test func `counts all files of a day, and none that is refused or superseded`() {
    var two = files(week + [30])
    var rest = two[7]
    rest.tally.used = 40
    #expect(drops(two + [rest]) == [], "30 and 40 are 70")
    for status in [FileStatus.refused, .superseded] {
      rest.status = status
      #expect(drops(two + [rest]).count == 1)
    }
    two[7].status = .refused
    #expect(drops(two) == [])
  }

  @Test func `tells the days, the query and the way to fix it`() throws {
    let found = gate.drops(
      in: files(week + [40]),
      published: VolumeDropGate.Publication(runID: 1, day: CivilDay(daysSinceEpoch: 20_000)),
      today: CivilDay(daysSinceEpoch: 20_000))
    let finding = try #require(gate.finding(found, statePath: "var/state.db"))
    #expect(finding.items.map(\.subject) == ["receipts 2021-03-08"])
    #expect(finding.items.map(\.found) == ["40 records"])
    #expect(
      finding.text(isStop: true).hasPrefix(
        """
        1 export day with less than 50.0 % of the records that trend and weekday predict; chance \
        does not explain the drop:
          receipts of 2021-03-08: 40 records, about 100 expected from the 7 export days before
        Complete or replace these exports. If these data are right, accept them for one run with \
        --accept volume_drop.
        To list the rows, in var/state.db:
          SELECT export_date, SUM(records) FROM input_file WHERE kind = 'receipts'
        """))
    #expect(gate.finding([], statePath: "") == nil)
  }

  /// Counts false alarms over many random stores; the promise is at most one per thousand days.
  @Test(arguments: LongTests.seeds(1, long: 4))
  func `raises no alarm over what chance does`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var judged = 0
    var alarms = 0
    for mean in [2, 5, 10, 20, 50] {
      var records: [Int] = []
      for _ in 0..<150 {
        // Independent records of a thousand customers, each with the same small probability.
        records.append((0..<1000).count { _ in Int.random(in: 0..<1000, using: &generator) < mean })
      }
      for days in 15...150 {
        judged += 1
        alarms += drops(files(Array(records.prefix(days)))).count
      }
    }
    #expect(alarms * 1000 <= judged * 3, "seed \(seed): \(alarms) alarms on \(judged) days")
  }
}

struct `The chance of a count` {
  // 20 throws of a die with at most one six: (5/6)^20 (1 + 20/5) = 0.0260841 * 5.
  @Test func `is that of the binomial distribution`() {
    let die = CountProbability.atMost(1, of: 20, probability: 1.0 / 6)
    #expect(abs(die - 0.130_420) < 0.000_001)
    // Four throws of a coin with at most two heads: 11 of 16.
    #expect(abs(CountProbability.atMost(2, of: 4, probability: 0.5) - 0.6875) < 1e-12)
    #expect(CountProbability.atMost(4, of: 4, probability: 0.5) == 1)
  }

  @Test func `does not underflow`() {
    let tiny = CountProbability.atMost(0, of: 1_000_000, probability: 0.5)
    #expect(tiny == 0 || tiny < 1e-300)
    let middle = CountProbability.atMost(500_000, of: 1_000_000, probability: 0.5)
    #expect(abs(middle - 0.5004) < 0.0001)
  }
}
