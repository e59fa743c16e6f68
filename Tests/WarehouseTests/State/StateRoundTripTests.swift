import StateStore
import CivilTime
import PurchaseModel
import TestSupport
import Testing

@testable import Warehouse

@Suite struct `The content of state.db` {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `keeps every field of every type`(seed: UInt64) throws {
    let folder = try StateFolder()
    let file = SampleContent.file(seed: seed, records: Int(seed % 20))
    try folder.store([file])
    let set = try folder.open().load()
    #expect(set.files.map(\.sha256) == [file.sha256], "seed \(seed)")
    let expected = SetText(together: [(file.content, set.files[0])])
    let found = SetText(set)
    #expect(firstDifference(found.records, expected.records) == nil, "seed \(seed)")
    #expect(firstDifference(found.rows, expected.rows) == nil, "seed \(seed)")
    #expect(firstDifference(found.renewals, expected.renewals) == nil, "seed \(seed)")
    #expect(firstDifference(found.reports, expected.reports) == nil, "seed \(seed)")
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `is the same for any order of files and runs`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let files = (1...6).map { SampleContent.file(seed: seed * 100 + $0) }
    let atOnce = try StateFolder()
    try atOnce.store(files)
    let expected = try atOnce.open().load()
    #expect(
      SetText(expected)
        == SetText(
          together: expected.files.map { known in
            (files.first { $0.sha256 == known.sha256 }?.content ?? Observations(), known)
          }), "seed \(seed)")

    let separate = try StateFolder()
    var rest = files.shuffled(using: &generator)
    while !rest.isEmpty {
      let count = min(rest.count, Int.random(in: 1...3, using: &generator))
      try separate.store(Array(rest.prefix(count)))
      rest.removeFirst(count)
    }
    let found = try separate.open().load()
    #expect(firstDifference(found.records, expected.records) == nil, "seed \(seed)")
    #expect(firstDifference(found.observations, expected.observations) == nil, "seed \(seed)")
    #expect(firstDifference(found.renewals, expected.renewals) == nil, "seed \(seed)")
    #expect(firstDifference(found.reports, expected.reports) == nil, "seed \(seed)")
    #expect(firstDifference(found.offers, expected.offers) == nil, "seed \(seed)")
    #expect(found.files.map(\.sha256) == expected.files.map(\.sha256), "seed \(seed)")
    #expect(texts(found) == texts(expected), "seed \(seed)")
  }

  @Test func `symbols are sorted, files by hash, records by place, reports by evidence`() throws {
    let folder = try StateFolder()
    try folder.store((1...5).map { SampleContent.file(seed: $0) })
    let set = try folder.open().load()
    #expect(texts(set) == texts(set).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(set.files.map(\.sha256) == set.files.map(\.sha256).sorted())
    #expect(set.records.map(\.source) == set.records.map(\.source).sorted())
    let evidence = set.reports.map(\.evidenceID)
    #expect(evidence == Array(Set(evidence)).sorted())
  }

  @Test func `an as-of moment leaves out later records and reports, and nothing else`() throws {
    let folder = try StateFolder()
    try folder.store((1...4).map { SampleContent.file(seed: $0) })
    let state = try folder.open()
    let whole = try state.load()
    let moment = Instant(milliseconds: 1_620_000_000_500)
    let set = try state.load(asOf: moment)
    let early = SetText(whole)
    var expected = whole
    expected.reports.removeAll { $0.reportedAt > moment }
    let kept = whole.records.map { $0.snapshotAt <= moment }
    expected.observations.removeAll { !kept[Int($0.record)] }
    expected.renewals.removeAll { !kept[Int($0.record)] }
    #expect(SetText(set).rows == SetText(expected).rows)
    #expect(SetText(set).renewals == SetText(expected).renewals)
    #expect(SetText(set).reports == SetText(expected).reports)
    #expect(set.records == whole.records.filter { $0.snapshotAt <= moment })
    #expect(SetText(set).rows.count < early.rows.count)
    #expect(set.reports.count < whole.reports.count)
    // The limit itself is included.
    let newest = try #require(whole.records.map(\.snapshotAt).max())
    #expect(try state.load(asOf: newest).records == whole.records)
  }

  @Test func `texts of a catalogue fall into place among the symbols and change nothing else`()
    throws
  {
    let folder = try StateFolder()
    try folder.store((1...3).map { SampleContent.file(seed: $0) })
    let state = try folder.open()
    let extra = ["", "product-1", "product-1a", "zz", "ÿ", "aa", "zz"]
    let plain = try state.load()
    let set = try state.load(extraTexts: extra)
    #expect(texts(set) == texts(set).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(Set(texts(set)) == Set(texts(plain)).union(extra))
    #expect(texts(set).count == Set(texts(set)).count)
    #expect(SetText(set) == SetText(plain))
  }

  @Test func `a row seen twice in one list is two sightings`() throws {
    var file = SampleContent.file(seed: 3, records: 1)
    file.content.observations = []
    file.content.renewals = []
    let id = AppleNumber(rawValue: 1_000_000)
    let row = TransactionObservation(
      record: 0, rank: .latest, transactionID: TransactionID(id),
      originalTransactionID: OriginalTransactionID(id),
      productID: ProductID(file.content.symbols.intern("pro")), purchasedAt: .epoch)
    file.content.observations = [row, row]
    let folder = try StateFolder()
    try folder.store([file])
    #expect(try folder.open().load().observations.count == 2)
  }

  /// The first difference between two lists, which is easier to read than both lists.
  private func firstDifference<Element: Equatable>(_ found: [Element], _ expected: [Element])
    -> String?
  {
    for index in 0..<max(found.count, expected.count) {
      let left = index < found.count ? found[index] : nil
      let right = index < expected.count ? expected[index] : nil
      if left != right {
        return "\(index): \(String(describing: left)), \(String(describing: right))"
      }
    }
    return nil
  }

  private func texts(_ set: Observations) -> [String] {
    (0..<set.symbols.count).map { set.symbols.text(Symbol(rawValue: UInt32($0))) }
  }
}
