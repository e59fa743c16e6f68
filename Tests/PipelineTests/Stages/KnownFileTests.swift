import SharedTables
@testable internal import Pipeline
internal import StateStore
internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Files that are recognised without reading.
struct KnownFileTests {
  private let folder: TemporaryFolder
  private let state: StateDatabase

  init() throws {
    folder = try TemporaryFolder()
    state = try StateDatabase.open(path: folder.path("state.db"), create: true)
  }

  private func found(_ name: String) throws -> FoundInput {
    let path = folder.path(name)
    let status = try PathStatus(at: path)
    return FoundInput(
      path: path, resolvedPath: path, kind: .prices, exportDay: nil, size: status.size,
      stamp: status.stamp)
  }

  private static func report(_ price: String) -> String {
    """
    {"reported_at":"2021-04-28T19:42:01Z","customer_id":"c","product_id":"pro","currency":"USD",\
    "price":"\(price)"}

    """
  }

  /// Sets a file's modification time far enough in the past.
  private func age(_ name: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: folder.path(name))
    // The system records the time of that change, and no program can set it. Wait until it is old
    // enough.
    usleep(2_100_000)
  }

  private func take(
    _ inputs: [FoundInput], _ reprocess: Reprocess = .missing,
    fieldMapping: FieldMapping = .standard
  ) async throws -> Intake {
    let intake = InputIntake(
      state: state, spoolFolder: folder.path, jobs: 1, allowEmpty: false,
      fieldMapping: fieldMapping, reprocess: reprocess)
    let run = try state.beginRun(
      RunRecord(kind: "run", startedAt: .epoch, programVersion: "1", rulesVersion: "1"))
    return try await intake.take(
      inputs, run: { () throws(RunFailure) in run }, admitting: { _ in .used })
  }

  @Test func `a file is recognised by its stamp, unread`() async throws {
    try folder.write("a.ndjson", Self.report("9.99"))
    try age("a.ndjson")
    let input = try found("a.ndjson")
    let first = try await take([input])
    #expect(first.storedFiles == 1)
    let learned = try state.fileStamps()
    #expect(learned.keys.first == input.stamp)
    // A path without a file cannot have been read.
    var moved = input
    moved.resolvedPath = folder.path("nowhere")
    let second = try await take([moved])
    #expect(second.outcomes.first?.identity == first.outcomes.first?.identity)
    #expect(second.storedFiles == 0)
    // If reading again is requested, the file is read although it is known.
    await #expect(throws: RunFailure.self) { try await take([moved], .all) }
    var changed = input
    changed.stamp?.changed += 1
    changed.resolvedPath = folder.path("nowhere")
    let another = changed
    await #expect(throws: RunFailure.self) { try await take([another]) }
  }

  @Test func `a file that was changed a moment ago is not trusted`() async throws {
    try folder.write("a.ndjson", Self.report("9.99"))
    _ = try await take([found("a.ndjson")])
    #expect(try state.fileStamps().isEmpty)
  }

  @Test func `a file is read again under other key names, and once only`() async throws {
    try folder.write("a.ndjson", Self.report("9.99"))
    let input = try found("a.ndjson")
    #expect(try await take([input]).storedFiles == 1)
    let fieldMapping = FieldMapping(receiptKeys: [:], priceKeys: [:], priceUnit: .thousandth)
    let again = try await take([input], fieldMapping: fieldMapping)
    #expect(again.storedFiles == 1)
    #expect(again.tally.rejected == 1, "9.99 thousandths are no whole number of them")
    #expect(try state.files().count == 1)
    #expect(try await take([input], fieldMapping: fieldMapping).storedFiles == 0)
  }

  @Test func `a held file is read again by a newer reader, a used one is not`() throws {
    try folder.write("n", "")
    let input = try found("n")
    func file(_ status: FileStatus, used: Int, rejected: Int) -> StoredFile {
      var tally = RecordTally()
      (tally.used, tally.rejected) = (used, rejected)
      return StoredFile(
        id: 1, sha256: "a", kind: .receipts, name: input.path,
        status: status, refusal: status == .refused ? "torn" : nil, exportDate: nil, bytes: 7,
        tally: tally, newestSnapshotAt: nil, reading: FileReading(), firstRunID: 1)
    }
    func isKnown(_ file: StoredFile, _ reprocess: Reprocess = .missing) -> Bool {
      KnownFiles(
        stored: [file], forgotten: [], reading: { _ in FileReading(readerVersion: 2) },
        reprocess: reprocess
      ).contains(file.identity, in: input)
    }
    #expect(isKnown(file(.used, used: 9, rejected: 1)))
    #expect(!isKnown(file(.used, used: 0, rejected: 1)), "accepted, and perhaps of use now")
    #expect(!isKnown(file(.held, used: 9, rejected: 5)))
    #expect(isKnown(file(.refused, used: 0, rejected: 0)))
    #expect(!isKnown(file(.refused, used: 0, rejected: 0), .failed))
    #expect(!isKnown(file(.used, used: 9, rejected: 1), .all))
  }

  @Test func `another content of equal size and time is read`() async throws {
    try folder.write("a.ndjson", Self.report("9.99"))
    try age("a.ndjson")
    let before = try found("a.ndjson")
    _ = try await take([before])
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("a.ndjson")))
    try handle.write(contentsOf: Data(Self.report("8.88").utf8))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: folder.path("a.ndjson"))
    let after = try found("a.ndjson")
    #expect(after.stamp?.inode == before.stamp?.inode)
    #expect(after.stamp?.modified == before.stamp?.modified)
    #expect(after.size == before.size)
    #expect(try await take([after]).storedFiles == 1)
    // The old stamp is removed. The new stamp is too recent to be stored.
    #expect(try state.fileStamps().isEmpty)
  }
}

struct DayGapsTests {
  private func day(_ text: String) throws -> CivilDay { try #require(CivilDay(text: text)) }

  @Test func `gaps are the missing days between the first and the last`() throws {
    let days = try ["2021-03-03", "2021-02-26", "2021-02-28", "2021-02-26"].map(day)
    // Missing: the 27th of February; the 1st and 2nd of March.
    #expect(DayGaps.text(DayGaps.between(days)) == "2021-02-27, 2021-03-01 to 2021-03-02")
    #expect(DayGaps.between([]).isEmpty)
    #expect(try DayGaps.between([day("2021-02-28"), day("2021-03-01")]).isEmpty)
    let odd = (0..<30).map { CivilDay(daysSinceEpoch: Int64($0 * 2)) }
    #expect(DayGaps.text(DayGaps.between(odd), atMost: 2).hasSuffix(" and 27 more gaps"))
  }
}
