internal import SQLiteFiles
internal import Diagnostics
internal import GRDB
internal import PurchaseModel

/// The files whose content is loaded, with their numbers of records and rows.
struct LoadedFiles: Sendable {
  /// The files, sorted by hash, then kind.
  private(set) var files: [InputFile] = []
  /// The number of receipt records of each file in ``files``.
  private(set) var recordCounts: [Int] = []
  private(set) var rowCount = 0
  /// The position of each file in ``files``, indexed by the file's number in state.db.
  ///
  /// -1 for a file that is not loaded.
  private var positions: [Int32] = []

  /// Reads the list of files from state.db: only files in use, or with `ofAnyStatus` all files.
  ///
  /// The files whose numbers are in `without` are left out.
  init(_ db: Database, ofAnyStatus: Bool = false, without: Set<Int64> = []) throws {
    let rows = try RawStatement(
      "read used files",
      """
      SELECT file_id, name, sha256, kind, receipt_records, receipt_rows
      FROM input_file WHERE status = 'used' OR ?1 ORDER BY sha256, kind
      """, on: db)
    rows.bind(ofAnyStatus ? 1 : 0 as Int64, at: 1)
    while try rows.next() {
      let id = Int(rows.int64(0))
      guard !without.contains(rows.int64(0)) else { continue }
      while positions.count <= id { positions.append(-1) }
      positions[id] = Int32(files.count)
      files.append(
        InputFile(
          id: rows.int64(0), name: rows.text(1), sha256: rows.text(2),
          kind: InputFile.Kind(rawValue: rows.text(3)) ?? .receipts))
      recordCounts.append(Int(rows.int64(4)))
      rowCount += Int(rows.int64(5))
    }
  }

  /// The position of a file in ``files``, or -1 if it is not loaded.
  @inline(__always)
  func position(ofFile id: Int64) -> Int32 {
    id < Int64(positions.count) ? positions[Int(id)] : -1
  }
}

extension RunFailure {
  /// The failure for a stored value that no version of this program writes, such as truncated
  /// bytes.
  ///
  /// `what` names the value in the message.
  static func damaged(_ what: String, path: String) -> RunFailure {
    RunFailure(
      .inputOutput,
      "\(path): \(what) cannot be decoded, so the file is damaged. "
        + "Restore it from a copy, or move it away and run the pipeline with all exports.")
  }
  /// The failure for two different price reports with the same evidence id, which is a hash.
  static func twoReports(under evidenceID: Int64) -> RunFailure {
    RunFailure(
      .invariantBroken,
      "Two different price reports have evidence id \(evidenceID). "
        + "This is a bug; please report it.")
  }
}
