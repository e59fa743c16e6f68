public import SharedTables
internal import SQLiteFiles
internal import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import TemporaryFiles

extension StateDatabase {
  /// Stores all files of a batch in one transaction.
  ///
  /// An empty batch writes nothing. The batch must not be used afterwards.
  ///
  /// - Parameters:
  ///   - status: ``FileStatus/used``, or ``FileStatus/held`` if a gate excludes the run's files
  ///     from the facts. Refused files stay refused. A used file that was read again stays in use,
  ///     unless this reading rejects more records or rows than the stored reading.
  ///   - replacements: The stored files whose place new files of the batch take. They are ignored
  ///     if the files are held, and for a new file without a usable record.
  /// - Returns: The number of stored files, including refused files.
  /// - Throws: ``RunFailure`` when writing fails; then nothing is stored.
  @discardableResult
  public func commit(
    _ batch: IngestBatch, run: Int64, admitting status: FileStatus = .used,
    noting stamps: FileStampChanges = FileStampChanges(),
    replacing replacements: [ContentReplacement] = []
  ) throws(RunFailure) -> Int {
    precondition(status == .used || status == .held, "a file that was read is used or held")
    var entries = try batch.sortedEntries()
    if status == .used { ContentReplacement.note(replacements, in: &entries) }
    guard !entries.isEmpty else { return 0 }
    let highest = try SymbolInterner.highestNumber(in: file)
    guard highest == batch.interner.highestStored else {
      throw RunFailure(.tryAgain, "\(file.path): another run has changed this file. Run again.")
    }
    try file.write(.filesStored) { db in
      let writer = try BatchWriter(db)
      try writer.insertSymbols(batch.interner.newTexts(of: entries.map(\.encoded)))
      let kept = try entries.map { try KeptParts(of: $0, on: db) }
      let ids = try writer.insertFiles(entries, run: run, status: status)
      try writer.insertParts(entries, ids: ids, kept: kept.map(\.chains), table: .chains)
      try writer.insertParts(entries, ids: ids, kept: kept.map(\.reports), table: .reports)
      try writer.insertKeys(entries, ids: ids)
      try EncodedReport.insert(entries, ids: ids, on: db)
      try writer.insertRejects(entries, ids: ids)
      try TokenLedger.insert(entries, ids: ids, run: run, on: db)
      try writer.removeFromForgotten(entries)
      try Self.write(stamps, on: db)
      try batch.store.requireWritten()
      _ = try Self.incrementGeneration(on: db)
    }
    try file.checkpoint()
    return entries.count
  }
}

/// Inserts the rows of a batch, in the order of each table's primary key.
///
/// Insertion in random order would be four to five times slower.
private struct BatchWriter {
  private let db: Database

  init(_ db: Database) throws {
    self.db = db
  }

  func insertSymbols(_ texts: [SymbolInterner.NewText]) throws {
    let insert = try RawStatement(
      "insert symbol", "INSERT INTO symbol (symbol_id, text, is_customer) VALUES (?1, ?2, ?3)",
      on: db)
    for text in texts {
      insert.bind(Int64(text.number), at: 1)
      insert.bind(text: text.text.span, at: 2)
      insert.bind(text.isCustomer, at: 3)
      try insert.run()
    }
  }

  /// Inserts the files and returns their ids.
  ///
  /// A file that was stored before keeps its id, and new content of a path that replaces has the id
  /// of the content before.
  func insertFiles(_ entries: [IngestBatch.Entry], run: Int64, status: FileStatus) throws
    -> [Int64]
  {
    let insert = try RawStatement(
      "insert file",
      """
      INSERT INTO input_file (file_id, sha256, kind, name, status, refusal, export_date, bytes,
        records, used, duplicates, rejected, receipt_records, receipt_rows, newest_snapshot_at,
        first_run_id, used_rows, duplicate_rows, rejected_rows, field_mapping, reader_version,
        assumed_production, latest_snapshot)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23)
      ON CONFLICT (file_id) DO UPDATE SET
        first_run_id = iif(sha256 = excluded.sha256, first_run_id, excluded.first_run_id),
        sha256 = excluded.sha256, name = excluded.name, status = excluded.status,
        refusal = excluded.refusal, export_date = excluded.export_date, bytes = excluded.bytes,
        records = excluded.records, used = excluded.used, duplicates = excluded.duplicates,
        rejected = excluded.rejected, receipt_records = excluded.receipt_records,
        receipt_rows = excluded.receipt_rows,
        newest_snapshot_at = excluded.newest_snapshot_at, used_rows = excluded.used_rows,
        duplicate_rows = excluded.duplicate_rows, rejected_rows = excluded.rejected_rows,
        field_mapping = excluded.field_mapping, reader_version = excluded.reader_version,
        assumed_production = excluded.assumed_production,
        latest_snapshot = excluded.latest_snapshot
      """, on: db)
    var next = (try Int64.fetchOne(db, sql: "SELECT max(file_id) FROM input_file") ?? 0) + 1
    var ids: [Int64] = []
    for entry in entries {
      if let replaced = entry.replaces { try removeAccount(ofFile: replaced) }
      let id = entry.replaces ?? next
      if id == next { next += 1 }
      ids.append(id)
      let file = entry.file
      let own: FileStatus? =
        file.refusal != nil ? .refused : file.otherKind != nil ? .ignored : nil
      try insert.run(
        id, file.sha256, file.kind.rawValue, file.name,
        (own ?? (entry.staysUsed ? .used : status)).rawValue, file.refusal ?? file.otherKind,
        (file.exportDate ?? entry.newestDay)?.text, file.bytes, file.tally.records, file.tally.used,
        file.tally.duplicates, file.tally.rejected, entry.encoded.receiptRecords,
        entry.encoded.receiptRows, entry.encoded.newestSnapshotAt?.milliseconds, run,
        file.tally.rows.used, file.tally.rows.duplicates, file.tally.rows.rejected,
        file.reading.fieldMapping, file.reading.readerVersion, file.assumedProduction,
        file.latestSnapshot?.milliseconds)
    }
    return ids
  }

  /// Removes the rows of a file, except its row in `input_file` and the parts of ``KeptParts``.
  func removeAccount(ofFile id: Int64) throws {
    for table in ["apple_report", "apple_number", "reject", "signed_token", "file_keys"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE file_id = ?", arguments: [id])
    }
  }

  /// Deletes the batch's files from the list of forgotten files, because they were read again.
  func removeFromForgotten(_ entries: [IngestBatch.Entry]) throws {
    let delete = try RawStatement(
      "unforget file", "DELETE FROM forgotten_file WHERE sha256 = ?1 AND kind = ?2", on: db)
    var unforgotten = 0
    for entry in entries {
      try delete.run(entry.file.sha256, entry.file.kind.rawValue)
      unforgotten += db.changesCount
    }
    if unforgotten > 0 { try StateDatabase.incrementRemovals(on: db) }
  }

  enum PartTable {
    case chains, reports
  }

  /// The key of an encoded chain part or price report, its file, and its position in the batch.
  private struct PlacedPart {
    var key: Int64
    var id: Int64
    var piece: Int32
    var entry: Int32
    var part: Int32
  }

  /// The number of rows that one statement inserts.
  ///
  /// The number is large, because starting a statement costs as much time as inserting a row.
  private static let partsAtOnce = 64

  /// Inserts the parts of the files, except the parts that are stored already (`kept`).
  func insertParts(
    _ entries: [IngestBatch.Entry], ids: [Int64], kept: [Set<Int>], table: PartTable
  ) throws {
    // A chain may be in several parts of a file; a report is in one part only.
    let (target, columns): (String, Int32) =
      switch table {
      case .chains: ("chain_part (chain_key, file_id, body, checksum, piece)", 5)
      case .reports: ("price_report (evidence_id, file_id, body, checksum)", 4)
      }
    let row = "(" + repeatElement("?", count: Int(columns)).joined(separator: ", ") + ")"
    func insertion(of count: Int) throws -> RawStatement {
      let rows = repeatElement(row, count: count).joined(separator: ", ")
      return try RawStatement("insert parts", "INSERT INTO \(target) VALUES \(rows)", on: db)
    }
    let (several, one) = (try insertion(of: Self.partsAtOnce), try insertion(of: 1))
    let parts = entries.map { table == .chains ? $0.encoded.chains : $0.encoded.reports }
    var order: [PlacedPart] = []
    order.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for entry in entries.indices {
      for (part, value) in parts[entry].enumerated() where !kept[entry].contains(part) {
        order.append(
          PlacedPart(
            key: value.key, id: ids[entry], piece: value.piece, entry: Int32(entry),
            part: Int32(part)))
      }
    }
    order.sort { ($0.key, $0.id, $0.piece) < ($1.key, $1.id, $1.piece) }
    let bodies = entries.map(\.encoded.bodies)
    var start = 0
    while start < order.count {
      let count = order.count - start < Self.partsAtOnce ? 1 : Self.partsAtOnce
      let insert = count == 1 ? one : several
      for (number, place) in order[start..<start + count].enumerated() {
        let parameter = columns * Int32(number)
        insert.bind(place.key, at: parameter + 1)
        insert.bind(place.id, at: parameter + 2)
        try bodies[Int(place.entry)].withBody(parts[Int(place.entry)][Int(place.part)]) { body in
          let keys = RowChecksum(place.key, place.id, table == .chains ? Int64(place.piece) : 0)
          insert.bind(blob: body, at: parameter + 3)
          insert.bind(keys.with(body), at: parameter + 4)
        }
        if table == .chains { insert.bind(Int64(place.piece), at: parameter + 5) }
      }
      try insert.run()
      start += count
    }
  }

  /// Stores the chain keys, evidence ids and customers of each file.
  func insertKeys(_ entries: [IngestBatch.Entry], ids: [Int64]) throws {
    // The number is random and identifies the reading. No fact depends on this number.
    let reading = try Int64.fetchOne(db, sql: "SELECT random() & 9223372036854775807") ?? 0
    let insert = try RawStatement(
      "insert keys", "INSERT INTO file_keys VALUES (?1, ?2, ?3, ?4, ?5, ?6)", on: db)
    for (entry, id) in zip(entries, ids) {
      insert.bind(id, at: 1)
      insert.bind(reading, at: 2)
      var checksum = RowChecksum(id, reading)
      for (column, blob) in [
        FileKeys.bytes(entry.encoded.chains.map(\.key)),
        FileKeys.bytes(entry.encoded.reports.map(\.key)), entry.encoded.customers,
      ].enumerated() {
        insert.bind(blob: blob.span, at: Int32(3 + column))
        unsafe blob.withUnsafeBytes { unsafe checksum.add($0) }
      }
      insert.bind(checksum.value, at: 6)
      try insert.run()
    }
  }

  /// Inserts the unusable records and rows of each file.
  ///
  /// Of several rejects with the same line and reason, only the first by detail is stored.
  func insertRejects(_ entries: [IngestBatch.Entry], ids: [Int64]) throws {
    let insert = try RawStatement(
      "insert reject",
      "INSERT OR IGNORE INTO reject (file_id, line, reason_code, detail) VALUES (?1, ?2, ?3, ?4)",
      on: db)
    for entry in entries.indices.sorted(by: { ids[$0] < ids[$1] }) {
      let rejects = entries[entry].file.rejects.sorted {
        ($0.line, $0.reason.rawValue, $0.detail) < ($1.line, $1.reason.rawValue, $1.detail)
      }
      for reject in rejects {
        insert.bind(ids[entry], at: 1)
        insert.bind(Int64(reject.line), at: 2)
        insert.bind(reject.reason.rawValue, at: 3)
        insert.bind(reject.detail, at: 4)
        try insert.run()
      }
    }
  }
}
