internal import SQLiteFiles
internal import CivilTime
internal import Diagnostics
internal import GRDB
internal import PurchaseModel
internal import SharedTables

/// Writes `audit_file` (the input files with their statuses) and `rejected_record` (unusable
/// records).
enum AuditRows {
  /// Writes one row per input file.
  static func write(_ files: [StoredFile], on db: Database) throws {
    try db.execute(sql: "DELETE FROM audit_file")
    let statement = try RawStatement(
      "audit_file", "INSERT INTO audit_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", on: db)
    for file in files.sorted(by: { $0.id < $1.id }) {
      try statement.run(
        file.id, file.name, file.sha256, file.kind.rawValue, file.status.rawValue,
        file.exportDate?.text, file.bytes, file.tally.records, file.tally.used,
        file.tally.duplicates, file.tally.rejected, file.firstRunID, file.assumedProduction)
    }
  }

  /// Writes one row per unusable record and reason.
  ///
  /// If a record has several rejects with the same reason, the row has the detail of the first
  /// reject, and the number of rejects after the first: `(and 2 more)`.
  static func write(_ rejects: [StoredReject], on db: Database) throws {
    try db.execute(sql: "DELETE FROM rejected_record")
    let ordered = rejects.sorted {
      ($0.fileID, $0.line, $0.reasonCode, $0.detail)
        < ($1.fileID, $1.line, $1.reasonCode, $1.detail)
    }
    var rows: [(reject: StoredReject, more: Int)] = []
    for reject in ordered {
      if let last = rows.last, last.reject.isSamePlace(as: reject) {
        rows[rows.count - 1].more += 1
      } else {
        rows.append((reject, 0))
      }
    }
    let statement = try RawStatement(
      "rejected_record", "INSERT INTO rejected_record VALUES (?, ?, ?, ?)", on: db)
    for (reject, more) in rows {
      statement.bind(reject.fileID, at: 1)
      statement.bind(reject.line, at: 2)
      statement.bind(reject.reasonCode, at: 3)
      statement.bind(more == 0 ? reject.detail : "\(reject.detail) (and \(more) more)", at: 4)
      try statement.run()
    }
  }
}

extension StoredReject {
  fileprivate func isSamePlace(as other: StoredReject) -> Bool {
    fileID == other.fileID && line == other.line && reasonCode == other.reasonCode
  }
}
