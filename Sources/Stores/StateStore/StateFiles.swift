public import SharedTables
internal import SQLiteFiles
public import CivilTime
public import Diagnostics
internal import GRDB
internal import PurchaseModel

extension StateDatabase {
  /// All input files, sorted by hash, then kind.
  public func files() throws(RunFailure) -> [StoredFile] {
    try file.read { try Self.files(on: $0) }
  }

  static func files(on db: Database) throws -> [StoredFile] {
    let rows = try RawStatement(
      "read files",
      """
      SELECT file_id, sha256, kind, name, status, refusal, export_date, bytes, used, duplicates,
        input_file.rejected, newest_snapshot_at, first_run_id, used_rows, duplicate_rows,
        rejected_rows, field_mapping, reader_version, signed_token.run_id, verified, trusted,
        unsigned, signed_token.rejected, assumed_production, latest_snapshot
      FROM input_file LEFT JOIN signed_token USING (file_id) ORDER BY sha256, kind
      """, on: db)
    var files: [StoredFile] = []
    while try rows.next() {
      var tally = RecordTally()
      tally.used = Int(rows.int64(8))
      tally.duplicates = Int(rows.int64(9))
      tally.rejected = Int(rows.int64(10))
      tally.rows.used = Int(rows.int64(13))
      tally.rows.duplicates = Int(rows.int64(14))
      tally.rows.rejected = Int(rows.int64(15))
      let tokenRunID = rows.optionalInt64(18)
      if tokenRunID != nil {
        tally.tokens.verified = Int(rows.int64(19))
        tally.tokens.trusted = Int(rows.int64(20))
        tally.tokens.unsigned = Int(rows.int64(21))
        tally.tokens.rejected = Int(rows.int64(22))
      }
      var file = StoredFile(
        id: rows.int64(0), sha256: rows.text(1), kind: try known(rows.text(2)),
        name: rows.text(3), status: try known(rows.text(4)), refusal: rows.optionalText(5),
        exportDate: rows.optionalText(6).flatMap { CivilDay(text: $0) }, bytes: rows.int64(7),
        tally: tally,
        newestSnapshotAt: rows.optionalInt64(11).map(Instant.init(milliseconds:)),
        reading: FileReading(fieldMapping: rows.text(16), readerVersion: rows.int64(17)),
        firstRunID: rows.int64(12), tokenRunID: tokenRunID)
      file.assumedProduction = rows.int64(23)
      file.latestSnapshot = rows.optionalInt64(24).map(Instant.init(milliseconds:))
      files.append(file)
    }
    return files
  }

  /// The unusable records and rows of files with one status, sorted by file id, line and reason.
  ///
  /// - Parameter status: The status of the files; `nil` for all files except superseded files.
  public func rejects(ofFiles status: FileStatus? = nil) throws(RunFailure) -> [StoredReject] {
    try file.read { db in
      let rows = try RawStatement(
        "read rejects",
        """
        SELECT file_id, line, reason_code, detail FROM reject JOIN input_file USING (file_id)
        WHERE status = ?1 OR (?1 IS NULL AND status <> 'superseded')
        ORDER BY file_id, line, reason_code
        """, on: db)
      rows.bind(status?.rawValue, at: 1)
      var rejects: [StoredReject] = []
      while try rows.next() {
        rejects.append(
          StoredReject(
            fileID: rows.int64(0), line: rows.int64(1), reasonCode: rows.text(2),
            detail: rows.text(3)))
      }
      return rejects
    }
  }

  /// The unusable records and rows of some files, sorted by file id, line and reason.
  public func rejects(ofFiles ids: [Int64]) throws(RunFailure) -> [StoredReject] {
    try file.read { db in
      let rows = try RawStatement(
        "read rejects of a file",
        "SELECT line, reason_code, detail FROM reject WHERE file_id = ?1 ORDER BY line, "
          + "reason_code",
        on: db)
      var rejects: [StoredReject] = []
      for id in ids.sorted() {
        rows.bind(id, at: 1)
        while try rows.next() {
          rejects.append(
            StoredReject(
              fileID: id, line: rows.int64(0), reasonCode: rows.text(1), detail: rows.text(2)))
        }
        rows.reset()
      }
      return rejects
    }
  }

  /// The ids of held files with a snapshot that was in the future at their reading, and that is not
  /// later than the given time.
  public func heldFiles(withSnapshotThrough latest: Instant) throws(RunFailure) -> Set<Int64> {
    try file.read { db in
      let rows = try RawStatement(
        "read held files",
        """
        SELECT DISTINCT file_id FROM reject JOIN input_file USING (file_id)
        WHERE status = 'held' AND reason_code = ?1 AND detail <= ?2
        """, on: db)
      rows.bind(RejectReason.futureSnapshot.rawValue, at: 1)
      rows.bind(RejectReason.futureDetail(latest.text), at: 2)
      var ids: Set<Int64> = []
      while try rows.next() { ids.insert(rows.int64(0)) }
      return ids
    }
  }

  /// Returns true if any of the given files contains a price report.
  ///
  /// - Returns: Whether there is a report; false if `ids` is empty.
  public func holdsPriceReport(ofFiles ids: [Int64]) throws(RunFailure) -> Bool {
    try file.read { db in
      let rows = try RawStatement(
        "find price report",
        "SELECT length(evidence_ids) > 0 FROM file_keys WHERE file_id = ?1", on: db)
      for id in ids {
        rows.bind(id, at: 1)
        let isHere = try rows.next() && rows.int64(0) == 1
        rows.reset()
        if isHere { return true }
      }
      return false
    }
  }

  /// Of the given files, those with neither a row of a purchase nor a price report.
  public func bareFiles(among ids: [Int64]) throws(RunFailure) -> Set<Int64> {
    try file.read { db in
      let rows = try RawStatement(
        "find bare files",
        "SELECT length(chain_keys) + length(evidence_ids) > 0 FROM file_keys WHERE file_id = ?1",
        on: db)
      var bare: Set<Int64> = []
      for id in ids {
        rows.bind(id, at: 1)
        let hasContent = try rows.next() && rows.int64(0) == 1
        rows.reset()
        if !hasContent { bare.insert(id) }
      }
      return bare
    }
  }

  /// Changes held files to used, or used files to held.
  ///
  /// The facts change in the next run. Refused, superseded and ignored files keep their status.
  @discardableResult
  public func setStatus(ofFiles ids: [Int64], to status: FileStatus) throws(RunFailure) -> Int {
    precondition(status == .used || status == .held, "a file that was read is used or held")
    return try file.write(.filesAdmitted) { db in
      let update = try RawStatement(
        "set file status",
        """
        UPDATE input_file SET status = ?2
        WHERE file_id = ?1 AND status <> ?2 AND status NOT IN ('refused', 'superseded', 'ignored')
        """, on: db)
      var changed = 0
      for id in ids.sorted() {
        try update.run(id, status.rawValue)
        changed += db.changesCount
      }
      if changed > 0 { _ = try Self.incrementGeneration(on: db) }
      return changed
    }
  }

  /// Marks files as superseded, because their path now has other content, and restores superseded
  /// files whose content exists again.
  ///
  /// Only refused files, held files, and used reports of Apple are marked. A restored file becomes
  /// refused if it could not be read whole, otherwise held. The next evaluation of the gates may
  /// use a held file.
  public func supersede(files ids: [Int64], restoring back: [Int64]) throws(RunFailure) {
    guard !ids.isEmpty || !back.isEmpty else { return }
    try file.write(.filesSuperseded) { db in
      for id in ids {
        try db.execute(
          sql: """
            UPDATE input_file SET status = 'superseded'
            WHERE file_id = ?
              AND (status IN ('refused', 'held') OR (status = 'used' AND kind = 'apple_reports'))
            """, arguments: [id])
      }
      for id in back {
        try db.execute(
          sql: """
            UPDATE input_file SET status = CASE WHEN refusal IS NULL THEN 'held' ELSE 'refused' END
            WHERE file_id = ? AND status = 'superseded'
            """, arguments: [id])
      }
      _ = try Self.incrementGeneration(on: db)
    }
  }

  private static func known<Value: RawRepresentable>(_ text: String) throws -> Value
  where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
      throw RunFailure(
        .inputOutput,
        "state.db: the table input_file contains “\(text)”, which no version of Paidline writes; "
          + "restore state.db from a copy, or remove it and run the pipeline with all exports")
    }
    return value
  }
}
