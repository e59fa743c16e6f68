internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
public import PurchaseModel

/// A file whose content was removed from state.db on request.
public struct ForgottenFile: Hashable, Sendable {
  /// The SHA-256 of the file's bytes; lower-case hex.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The path at which the file was last read.
  public var name: String
  /// The day in the file's name; `nil` if there is none.
  public var exportDate: CivilDay?
  /// The size on disk, in bytes.
  public var bytes: Int64
  /// The time at which its content was removed, UTC.
  public var forgottenAt: Instant

  /// Creates a file from its fields.
  public init(
    sha256: String, kind: InputFile.Kind, name: String, exportDate: CivilDay?, bytes: Int64,
    forgottenAt: Instant
  ) {
    self.sha256 = sha256
    self.kind = kind
    self.name = name
    self.exportDate = exportDate
    self.bytes = bytes
    self.forgottenAt = forgottenAt
  }
}

extension StateDatabase {
  /// Removes the content of files from state.db, and records that these files must not be read
  /// again.
  ///
  /// Texts that only these files contained are removed too. The old content may remain in freed
  /// pages until ``scrub()``, and in the published facts until the next publication.
  /// ``needsScrub()`` is true until both are removed.
  ///
  /// - Throws: ``RunFailure`` when writing fails; then nothing has changed.
  public func forget(files ids: [Int64], at time: Instant) throws(RunFailure) {
    let path = file.path
    try file.write(.filesForgotten) { db in
      for id in ids {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO forgotten_file
              (sha256, kind, name, export_date, bytes, forgotten_at)
            SELECT sha256, kind, name, export_date, bytes, ? FROM input_file WHERE file_id = ?
            """, arguments: [time.milliseconds, id])
        try Self.removeRows(ofFile: id, on: db)
      }
      try Self.removeUnusedSymbols(on: db, path: path)
      try Self.requireScrub(on: db)
      try Self.incrementRemovals(on: db)
      _ = try Self.incrementGeneration(on: db)
    }
  }

  /// Removes the content of files whose path now has other content, which is the whole table.
  ///
  /// Unlike forgotten content, it is read again if it is found again.
  public func removeReplaced(files ids: [Int64]) throws(RunFailure) {
    guard !ids.isEmpty else { return }
    try file.write(.filesSuperseded) { db in
      for id in ids { try Self.removeRows(ofFile: id, on: db) }
      _ = try Self.incrementGeneration(on: db)
    }
  }

  /// Removes all rows of a file.
  private static func removeRows(ofFile id: Int64, on db: Database) throws {
    for table in [
      "chain_part", "price_report", "apple_report", "apple_number", "reject", "signed_token",
      "file_keys", "input_file",
    ] {
      try db.execute(sql: "DELETE FROM \(table) WHERE file_id = ?", arguments: [id])
    }
  }

  /// The forgotten files, sorted by hash, then kind.
  public func forgottenFiles() throws(RunFailure) -> [ForgottenFile] {
    try file.read { db in
      try StoredRow.fetchAll(
        db,
        sql: """
          SELECT sha256, kind, name, export_date, bytes, forgotten_at FROM forgotten_file
          ORDER BY sha256, kind
          """
      ).map { row in
        ForgottenFile(
          sha256: row[0], kind: InputFile.Kind(rawValue: row[1]) ?? .receipts, name: row[2],
          exportDate: (row[3] as String?).flatMap { CivilDay(text: $0) }, bytes: row[4],
          forgottenAt: Instant(milliseconds: row[5]))
      }
    }
  }

  /// Removes the texts that no stored file contains.
  ///
  /// Decodes the stored content of all files to find the texts in use.
  private static func removeUnusedSymbols(on db: Database, path: String) throws {
    let stored = try RawStatement("read symbol ids", "SELECT symbol_id FROM symbol", on: db)
    var symbols = StoredSymbols()
    var ids: [Int64] = []
    while try stored.next() {
      ids.append(stored.int64(0))
      symbols.set(Int(stored.int64(0)), to: Symbol(rawValue: UInt32(stored.int64(0))))
    }
    let files = try LoadedFiles(db, ofAnyStatus: true)
    let reader = PartitionReader(
      empty: Observations(), files: files, symbols: symbols, asOf: Instant(milliseconds: .max),
      plan: PartitionPlan(files: files, rowsPerPartition: 8192), path: path, loneFiles: [],
      onReports: nil)
    var used = UsedSymbols(count: Int(ids.max() ?? 0) + 1)
    let read = try reader.read(db) { _, set in used.note(set) }
    for part in read.reports {
      var set = Observations()
      (set.reports, set.offers) = (part.reports, part.offers)
      used.note(set)
    }
    let delete = try RawStatement(
      "delete symbol", "DELETE FROM symbol WHERE symbol_id = ?1", on: db)
    for id in ids where !used.customers[Int(id)] && !used.others[Int(id)] {
      delete.bind(id, at: 1)
      try delete.run()
    }
  }
}
