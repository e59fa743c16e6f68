import SharedTables
import SQLiteFiles
@testable import StateStore
import CivilTime
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import Testing

@Suite struct `A run's files enter state.db together` {
  @Test func `a file is listed with its content, its tally and its day`() throws {
    let folder = try StateFolder()
    let file = SampleContent.file(seed: 5)
    #expect(try folder.store([file]) == 1)
    #expect(try folder.open().generation() == 1)
    let stored = try #require(try folder.open().files().first)
    #expect(stored.sha256 == file.sha256)
    #expect(stored.kind == .receipts)
    #expect(stored.name == "export-5.ndjson.gz")
    #expect(stored.status == .used)
    #expect(stored.refusal == nil)
    #expect(stored.exportDate == CivilDay(year: 2024, month: 5, day: 6))
    #expect(stored.bytes == 105)
    #expect(stored.tally == file.tally)
    #expect(stored.newestSnapshotAt == file.content.records.map(\.snapshotAt).max())
    #expect(stored.firstRunID == 1)
  }

  @Test func `the same content again, under another name too, changes nothing`() throws {
    let folder = try StateFolder()
    let file = SampleContent.file(seed: 5)
    try folder.store([file])
    let state = try folder.open()
    let before = try state.load()
    var copy = file
    copy.name = "copy.ndjson.gz"
    let batch = try state.beginIngest()
    #expect(try batch.add(copy) == .known)
    #expect(batch.isEmpty)
    #expect(try state.commit(batch, run: 1) == 0)
    #expect(try state.generation() == 1)
    #expect(SetText(try state.load()) == SetText(before))
    #expect(try state.files().map(\.name) == ["export-5.ndjson.gz"])
  }

  @Test func `two copies in one run are one file with the smaller name`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    let run = try state.beginRun(.sample)
    let batch = try state.beginIngest()
    var file = SampleContent.file(seed: 5)
    file.name = "b"
    #expect(try batch.add(file) == .added)
    file.name = "a"
    #expect(try batch.add(file) == .known)
    file.name = "c"
    #expect(try batch.add(file) == .known)
    #expect(try state.commit(batch, run: run) == 1)
    #expect(try state.files().map(\.name) == ["a"])
  }

  @Test func `one content as receipts and as prices is two files`() throws {
    let folder = try StateFolder()
    var prices = SampleContent.file(seed: 5)
    prices.kind = .prices
    try folder.store([SampleContent.file(seed: 5), prices])
    #expect(try folder.open().load().files.map(\.kind) == [.prices, .receipts])
  }

  @Test func `workers add files at once and get what one worker gets`() async throws {
    let files = (1...16).map { SampleContent.file(seed: $0) }
    let alone = try StateFolder()
    try alone.store(files)
    let together = try StateFolder()
    let state = try together.open()
    let run = try state.beginRun(.sample)
    let batch = try state.beginIngest()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for file in files {
        group.addTask { @concurrent in _ = try batch.add(file) }
      }
      try await group.waitForAll()
    }
    try state.commit(batch, run: run)
    #expect(SetText(try state.load()) == SetText(try alone.open().load()))
  }

  @Test func `a batch that is not committed, or fails half-way, leaves nothing`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let before = try dump(state)
    let dropped = try state.beginIngest()
    _ = try dropped.add(SampleContent.file(seed: 2))
    #expect(try dump(state) == before)

    // The commit fails because its run does not exist.
    let failing = try state.beginIngest()
    _ = try failing.add(SampleContent.file(seed: 2))
    #expect(failure { try state.commit(failing, run: 77) }?.status == .invariantBroken)
    #expect(try dump(state) == before)
    #expect(try state.generation() == 1)

    // After that, the same files can be stored normally.
    try state.store([SampleContent.file(seed: 2)])
    #expect(try state.load().files.count == 2)
  }

  @Test func `a batch begun before another run's commit is told to try again`() throws {
    let folder = try StateFolder()
    let state = try folder.open()
    let batch = try state.beginIngest()
    _ = try batch.add(SampleContent.file(seed: 1))
    try state.store([SampleContent.file(seed: 2)])
    #expect(failure { try state.commit(batch, run: 1) }?.status == .tryAgain)
  }

  @Test func `a refused file is noted, contributes nothing, and is tried again`() throws {
    let folder = try StateFolder()
    let file = SampleContent.file(seed: 9)
    let refused = IncomingFile(
      refused: file.sha256, kind: .receipts, name: "broken.gz", exportDate: nil, bytes: 20,
      refusal: "the archive ends too early")
    try folder.store([refused])
    let state = try folder.open()
    let stored = try #require(try state.files().first)
    #expect(stored.status == .refused)
    #expect(stored.refusal == "the archive ends too early")
    #expect(stored.tally.records == 0)
    #expect(try state.load().files.isEmpty)
    #expect(try state.setStatus(ofFiles: [stored.id], to: .used) == 0)

    // It is refused again for the same reason, so nothing changes.
    #expect(try state.store([refused]) == 0)
    #expect(try state.generation() == 1)

    // The disk was the cause: when read again, the file is complete.
    try state.store([file])
    let again = try #require(try state.files().first)
    #expect(again.status == .used)
    #expect(again.refusal == nil)
    #expect(again.id == stored.id)
    #expect(again.firstRunID == stored.firstRunID)
    #expect(try state.load().records.count == 12)
  }

  @Test func `held files stay out until they are admitted`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let before = try state.load()
    try state.store([SampleContent.file(seed: 2)], admitting: .held)
    #expect(SetText(try state.load()) == SetText(before))
    let held = try state.files().filter { $0.status == .held }.map(\.id)
    #expect(held.count == 1)
    #expect(try state.rejects(ofFiles: .held).count == 2)
    #expect(try state.rejects(ofFiles: .used).count == 2)
    #expect(try state.rejects().count == 4)
    #expect(try state.generation() == 2)
    #expect(try state.setStatus(ofFiles: held, to: .used) == 1)
    #expect(try state.setStatus(ofFiles: held, to: .used) == 0)
    #expect(try state.generation() == 3)
    #expect(try state.load().files.count == 2)
  }

  @Test func `a file that is read again takes its own place`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1), SampleContent.file(seed: 2)])
    let state = try folder.open()
    var again = SampleContent.file(seed: 1, records: 4)
    again.rejects = []
    let run = try state.beginRun(.sample)
    let batch = try state.beginIngest()
    #expect(try batch.add(again) == .known)
    #expect(try batch.add(again, replacing: true) == .added)
    try state.commit(batch, run: run)
    let set = try state.load()
    let sizes = Dictionary(grouping: set.records) { set.files[Int($0.source.file)].sha256 }
      .mapValues(\.count)
    #expect(sizes == [again.sha256: 4, SampleContent.hash(2): 12])
    #expect(try state.rejects().count == 2)
  }

  @Test func `rejects by file, line and reason, the first detail of equals`() throws {
    let folder = try StateFolder()
    var file = SampleContent.file(seed: 1)
    file.rejects = [
      Reject(line: 9, reason: .invalidUTF8, detail: "b"),
      Reject(line: 2, reason: .rowInvalidFlag, detail: "z"),
      Reject(line: 2, reason: .rowInvalidFlag, detail: "a"),
      Reject(line: 2, reason: .rowInvalidDate, detail: "c"),
    ]
    try folder.store([file])
    let rejects = try folder.open().rejects()
    #expect(rejects.map(\.line) == [2, 2, 9])
    #expect(rejects.map(\.reasonCode) == ["row_invalid_date", "row_invalid_flag", "invalid_utf8"])
    #expect(rejects.map(\.detail) == ["c", "a", "b"])
  }

  @Test func `a reader sees a whole generation while a run writes`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let reader = try StateDatabase.openToRead(path: folder.statePath)
    let before = try reader.load()
    let writer = try folder.open()
    try writer.file.write { db in
      try db.execute(sql: "DELETE FROM chain_part")
      #expect(SetText(try reader.load()) == SetText(before))
      try db.execute(sql: "UPDATE generation SET generation = 9")
    }
    #expect(try reader.load().observations.isEmpty)
    #expect(try reader.generation() == 9)
    #expect(failure { try reader.set("1", for: "key") }?.status == .noPermission)
  }

  /// Everything in every table, as text.
  private func dump(_ state: StateDatabase) throws -> [String] {
    try state.file.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      return try tables.flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map {
          "\(table) \($0.databaseValues)"
        }
      }
    }
  }
}
