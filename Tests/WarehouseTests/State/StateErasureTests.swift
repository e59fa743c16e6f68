import SharedTables
import SQLiteFiles
@testable import StateStore
import CivilTime
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import Testing

@Suite struct `Erased customers` {
  private static let id = "canary-4711@example.com"

  /// A file with one record of a customer.
  private func file(seed: UInt64 = 1, customer: String = id) -> IncomingFile {
    var file = SampleContent.file(seed: seed, records: 0)
    file.tally.used = 1
    let name = file.content.symbols.intern(customer)
    file.content.records = [
      ReceiptRecord(
        source: SourceLine(file: 0, line: 1), ordinal: 0, snapshotAt: .epoch,
        customer: CustomerID(name),
        storefront: nil, bundle: nil, isSandbox: false)
    ]
    return file
  }

  private func holds(_ text: String, in folder: StateFolder) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
      try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
        .range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `leave no trace, and stay one customer`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([file(), SampleContent.file(seed: 2)])
    #expect(try holds(Self.id, in: folder))
    let generation = try state.generation()
    let summary = try state.erase(customers: [Self.id, "nobody"], at: .epoch)
    #expect(summary.erased == 1)
    #expect(summary.unknown == 1)
    #expect(try state.generation() == generation + 1)
    #expect(try state.needsScrub())
    #expect(try state.scrub())
    #expect(try !holds(Self.id, in: folder))
    let set = try state.load()
    #expect(set.customers.erased.count == 1)
    let customer = try #require(
      set.records.compactMap(\.customer).first { set.customers.isErased($0) })
    #expect(set.symbols.text(customer.symbol).hasPrefix("erased:"))
  }

  @Test func `are not brought back by files read later, known or unknown before`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([file()])
    try state.erase(customers: [Self.id, "someone-later"], at: .epoch)
    #expect(try state.scrub())
    try state.store([file(seed: 3), file(seed: 4, customer: "someone-later")])
    #expect(try !holds(Self.id, in: folder))
    #expect(try !holds("someone-later", in: folder))
    let set = try state.load()
    #expect(set.customers.erased.count == 2)
    // Both files of the first customer have the same customer.
    #expect(Set(set.records.compactMap(\.customer)).count == 2)
  }

  @Test func `are counted once, however often they are given`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([file()])
    #expect(try state.planErasure(of: [Self.id]).erased == 1)
    try state.erase(customers: [Self.id], at: .epoch)
    let generation = try state.generation()
    #expect(try state.planErasure(of: [Self.id, "nobody"]).known == 1)
    #expect(try state.erase(customers: [Self.id], at: .epoch).known == 1)
    #expect(try state.generation() == generation)
    #expect(try state.load().customers.erased.count == 1)
  }

  @Test func `are not named by a rebuild that takes the list over`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([file()])
    try state.erase(customers: [Self.id], at: .epoch)
    let other = try StateFolder()
    let rebuilt = try other.open()
    try rebuilt.adopt(try state.removals(), at: .epoch)
    try rebuilt.store([file()])
    #expect(try !holds(Self.id, in: other))
    let (before, after) = (try state.load(), try rebuilt.load())
    #expect(
      Set(before.customers.erased.map { before.symbols.text($0.symbol) })
        == Set(after.customers.erased.map { after.symbols.text($0.symbol) }))
  }

  @Test func `cannot be cleaned from a log that a reader holds, and that is said`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([file()])
    let reader = try DatabaseQueue(path: folder.statePath)
    try reader.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(1) FROM symbol")
      try state.erase(customers: [Self.id], at: .epoch)
      #expect(try !state.scrub())
    }
    #expect(try state.scrub())
    #expect(try !holds(Self.id, in: folder))
  }
}

@Suite struct `Forgotten files` {
  @Test func `leave the state that never read them, and no text of theirs`() throws {
    let (first, second) = (SampleContent.file(seed: 1), SampleContent.file(seed: 2))
    let whole = try StateFolder()
    let state = try whole.open()
    try state.store([first, second])
    let id = try #require(try state.files().first { $0.sha256 == second.sha256 }).id
    try state.forget(files: [id], at: .epoch)

    let part = try StateFolder()
    let never = try part.open()
    try never.store([first])
    #expect(try SetText(state.load()) == SetText(never.load()))
    func texts(_ state: StateDatabase) throws -> [String] {
      try state.file.read {
        try String.fetchAll($0, sql: "SELECT text FROM symbol ORDER BY is_customer, text")
      }
    }
    #expect(try texts(state) == texts(never))
    #expect(try state.forgottenFiles().map(\.sha256) == [second.sha256])
    #expect(try state.files().map(\.sha256) == [first.sha256])
    #expect(try state.needsScrub())
  }

  @Test func `come back when they are read again on purpose`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    try state.store([SampleContent.file(seed: 1), SampleContent.file(seed: 2)])
    let before = try SetText(state.load())
    let ids = try state.files().map(\.id)
    try state.forget(files: ids, at: .epoch)
    #expect(try state.files().isEmpty)
    try state.store([SampleContent.file(seed: 1), SampleContent.file(seed: 2)])
    #expect(try state.forgottenFiles().isEmpty)
    #expect(try SetText(state.load()) == before)
  }
}

@Suite struct `File stamps` {
  private let stamp = FileStamp(
    device: 1, inode: .max, bytes: 10, modified: 1_000_000_000, changed: 2_000_000_000)

  @Test(arguments: [(3_999, false), (4_000, false), (4_001, true)])
  func `settle two seconds after the last change`(milliseconds: Int64, isSettled: Bool) {
    // Changed at 2 s. At exactly 4 s a file system with steps of two seconds may still hide another
    // change.
    #expect(stamp.isSettled(at: Instant(milliseconds: milliseconds)) == isSettled)
  }

  @Test func `are kept with the commit that learned them, and dropped when outdated`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    var changes = FileStampChanges()
    changes.learned = [stamp: "aa"]
    func commit(_ seed: UInt64) throws {
      let run = try state.beginRun(.sample)
      let batch = try state.beginIngest()
      _ = try batch.add(SampleContent.file(seed: seed))
      try state.commit(batch, run: run, noting: changes)
    }
    try commit(1)
    #expect(try state.fileStamps() == [stamp: "aa"])
    changes = FileStampChanges()
    changes.outdated = [stamp]
    try commit(2)
    #expect(try state.fileStamps().isEmpty)
  }
}
