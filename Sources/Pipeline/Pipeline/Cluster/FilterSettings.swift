internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import SharedTables

/// The exports of a run, read from the rows `file` that `gather` wrote.
struct FilterFiles {
  /// The tag of the rows that `gather` writes about exports.
  static let tags: Set<String> = ["file"]

  /// The exports, sorted by hash, then kind; the id of an export is its position, from 1.
  private(set) var accounts: [StoredFile] = []
  /// The time of the newest snapshot in all exports; `nil` without a record.
  private(set) var newestSnapshot: Instant?
  private var positions: [[UInt8]: Int32] = [:]

  init(rows: [FilterRow]) throws(RunFailure) {
    var known: [String: StoredFile] = [:]
    for var row in rows {
      let found = try row.read(FileRow.self)
      let (key, file) = (found.key, found.file)
      if let newest = file.newestSnapshotAt {
        newestSnapshot = max(newestSnapshot ?? .distantPast, newest)
      }
      if known[key].map({ file.name < $0.name }) ?? true { known[key] = file }
    }
    for (number, entry) in known.sorted(by: { $0.key < $1.key }).enumerated() {
      positions[Array(entry.key.utf8)] = Int32(number)
      var file = entry.value
      file.id = Int64(number) + 1
      accounts.append(file)
    }
  }

  /// The exports with their ids, in the form that the facts need.
  var files: [InputFile] {
    accounts.map { InputFile(id: $0.id, name: $0.name, sha256: $0.sha256, kind: $0.kind) }
  }

  /// The position in ``accounts`` of the export with a hash and kind, as in the field `file` of
  /// `row`.
  func position(of file: [UInt8], in row: FilterRow) throws(RunFailure) -> Int32 {
    guard let position = positions[file] else {
      throw row.failure("one of the files in the rows \"file\"")
    }
    return position
  }
}

/// An export.
struct FileRow: CodedRow {
  static let tag = "file"
  var file = StoredFile(
    id: 0, sha256: "", kind: .receipts, name: "", status: .used, refusal: nil, exportDate: nil,
    bytes: 0, tally: RecordTally(), newestSnapshotAt: nil, firstRunID: 1)

  /// The hash and the kind of the export, by which other rows name it.
  var key: String { "\(file.sha256).\(file.kind.rawValue)" }

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    var key = key
    try coder.code("file", &key)
    let parts = key.split(separator: ".").map(String.init)
    guard parts.count == 2, let kind = InputFile.Kind(rawValue: parts[1]) else {
      throw coder.failure("the hash and the kind of a file")
    }
    (file.sha256, file.kind) = (parts[0], kind)
    try coder.code("path", &file.name)
    try coder.code("export_date", &file.exportDate)
    try coder.code("bytes", &file.bytes)
    try coder.code("records", number: &file.tally.used)
    try coder.code("duplicate_records", number: &file.tally.duplicates)
    try coder.code("rejected_records", number: &file.tally.rejected)
    try coder.code("newest_snapshot_at", &file.newestSnapshotAt)
    try coder.code("rows", number: &file.tally.rows.used)
    try coder.code("rejected_rows", number: &file.tally.rows.rejected)
    try coder.code("assumed_production", &file.assumedProduction)
  }
}

/// A rejected record or row of an export.
struct RejectRow: CodedRow {
  static let tag = "reject"
  var file: [UInt8] = []
  var line: Int64 = 0
  /// The code of a reason; see ``RejectReason``.
  var reason = ""
  var detail = ""

  mutating func coded<Coder: RowCoder>(by coder: inout Coder) throws(Coder.Failure) {
    try coder.code("file", bytes: &file)
    try coder.code("line", &line)
    try coder.code("reason", &reason)
    try coder.code("detail", &detail)
  }
}

/// Runs a filter so that the cluster's engine reports the failure of the filter, not a broken pipe.
///
/// A broken pipe would be the error of the program that writes the input of the failed filter.
package enum FilterWork {
  /// Runs the work of a filter.
  ///
  /// If the work fails, writes its message, and reads standard input to its end, so that the
  /// process before it in the pipe does not fail too.
  ///
  /// - Parameters:
  ///   - name: The filter, such as `paidline-reconstruct merge`.
  /// - Throws: A failure with the exit status of the work, but without the message, which has been
  ///   written already.
  package static func run(_ name: String, _ work: () throws(RunFailure) -> Void) throws(RunFailure)
  {
    do throws(RunFailure) {
      try work()
    } catch {
      guard !error.message.isEmpty else { throw error }
      StandardError.write(RunLog.prefix(name, hasTime: !Terminal.isError) + error.message + "\n")
      FilterInput.drain()
      throw RunFailure(error.status, "")
    }
  }
}
