internal import CivilTime
internal import PurchaseModel

/// `audit_file` and `rejected_record`: what became of the inputs.
enum AuditRows {
  /// One row per input file, by id.
  static func files(_ files: [AuditFile]) -> FactSource {
    let ordered = files.sorted { $0.sourceFileID < $1.sourceFileID }
    return FactSource(.unhashedTable("audit_file"), units: ordered.count) { places, table in
      for file in ordered[places] { write(file, to: &table) }
    }
  }

  private static func write(_ file: AuditFile, to table: inout RowEncoder) {
    table.unhashedKey("source_file_id", file.sourceFileID)
    table.text("name", file.name)
    table.text("sha256", file.sha256)
    table.text("kind", file.kind.rawValue)
    table.text("status", file.status.rawValue)
    table.day("export_date", file.exportDate)
    table.integer("bytes", file.bytes)
    table.integer("records", file.records)
    table.integer("used", file.used)
    table.integer("duplicates", file.duplicates)
    table.integer("rejected", file.rejected)
    table.unhashed("first_run_id", file.firstRunID)
    table.insert()
  }

  /// One row per unusable record and reason; further rows of one record are counted.
  static func rejects(_ rejects: [RejectedRecord]) -> FactSource {
    let ordered = rejects.sorted {
      ($0.sourceFileID, $0.sourceLine, $0.reasonCode, $0.detail)
        < ($1.sourceFileID, $1.sourceLine, $1.reasonCode, $1.detail)
    }
    var rows: [(reject: RejectedRecord, more: Int)] = []
    for reject in ordered {
      if let last = rows.last, last.reject.isSamePlace(as: reject) {
        rows[rows.count - 1].more += 1
      } else {
        rows.append((reject, 0))
      }
    }
    let merged = rows
    return FactSource(.unhashedTable("rejected_record"), units: merged.count) { places, table in
      for (reject, more) in merged[places] {
        table.unhashed("source_file_id", reject.sourceFileID)
        table.unhashed("source_line", reject.sourceLine)
        table.text("reason_code", reject.reasonCode)
        table.text("detail", more == 0 ? reject.detail : "\(reject.detail) (and \(more) more)")
        table.insert()
      }
    }
  }
}

extension RejectedRecord {
  fileprivate func isSamePlace(as other: RejectedRecord) -> Bool {
    sourceFileID == other.sourceFileID && sourceLine == other.sourceLine
      && reasonCode == other.reasonCode
  }
}
