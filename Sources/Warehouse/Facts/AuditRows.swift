internal import CivilTime
internal import PurchaseModel

/// `audit_file` and `rejected_record`: what became of the inputs.
enum AuditRows {
  /// Writes one row per input file, by id.
  static func write(_ files: [AuditFile], to table: FactTable) throws {
    for file in files.sorted(by: { $0.sourceFileID < $1.sourceFileID }) {
      table.unhashed("source_file_id", file.sourceFileID)
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
      try table.insert()
    }
  }

  /// Writes one row per unusable record and reason; further rows of one record are counted.
  static func write(_ rejects: [RejectedRecord], to table: FactTable) throws {
    let ordered = rejects.sorted {
      ($0.sourceFileID, $0.sourceLine, $0.reasonCode, $0.detail)
        < ($1.sourceFileID, $1.sourceLine, $1.reasonCode, $1.detail)
    }
    var index = 0
    while index < ordered.count {
      let reject = ordered[index]
      var next = index + 1
      while next < ordered.count, reject.isSamePlace(as: ordered[next]) { next += 1 }
      let more = next - index - 1
      table.unhashed("source_file_id", reject.sourceFileID)
      table.unhashed("source_line", reject.sourceLine)
      table.text("reason_code", reject.reasonCode)
      table.text("detail", more == 0 ? reject.detail : "\(reject.detail) (and \(more) more)")
      try table.insert()
      index = next
    }
  }
}

extension RejectedRecord {
  fileprivate func isSamePlace(as other: RejectedRecord) -> Bool {
    sourceFileID == other.sourceFileID && sourceLine == other.sourceLine
      && reasonCode == other.reasonCode
  }
}
