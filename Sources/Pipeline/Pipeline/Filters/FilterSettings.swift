internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import SharedTables

/// The exports of a run, read from the rows `file` of all gathered files.
package struct FilterFiles {
  /// The tags of the side file.
  static let tags: Set<String> = ["file"]

  /// The files, sorted by hash, then kind; a file's id is its position, from 1.
  private(set) var accounts: [StoredFile] = []
  /// The time of the newest snapshot; `nil` without a record.
  private(set) var newestSnapshot: Instant?
  private var positions: [String: Int32] = [:]

  /// Reads a side file.
  package init(path: String) throws(RunFailure) {
    try self.init(rows: FilterInput.rows(ofFile: path, Self.tags))
  }

  /// Reads rows `file`.
  init(rows: [FilterRow]) throws(RunFailure) {
    var known: [String: StoredFile] = [:]
    for var row in rows {
      let key = try row.word()
      let file = try Self.account(key, &row)
      if let newest = file.newestSnapshotAt {
        newestSnapshot = max(newestSnapshot ?? .distantPast, newest)
      }
      if known[key].map({ file.name < $0.name }) ?? true { known[key] = file }
    }
    for (number, entry) in known.sorted(by: { $0.key < $1.key }).enumerated() {
      positions[entry.key] = Int32(number)
      var file = entry.value
      file.id = Int64(number) + 1
      accounts.append(file)
    }
  }

  private static func account(_ key: String, _ row: inout FilterRow) throws(RunFailure)
    -> StoredFile
  {
    let parts = key.split(separator: ".")
    guard parts.count == 2, let kind = InputFile.Kind(rawValue: String(parts[1])) else {
      throw row.failure("a hash and a kind")
    }
    guard let name = try row.name() else { throw row.failure("a text") }
    let (day, bytes) = (try row.optionalDay(), try row.number())
    var tally = RecordTally()
    tally.used = Int(try row.number())
    tally.duplicates = Int(try row.number())
    tally.rejected = Int(try row.number())
    let newest = try row.moment()
    tally.rows.used = Int(try row.number())
    tally.rows.rejected = Int(try row.number())
    var file = StoredFile(
      id: 0, sha256: String(parts[0]), kind: kind, name: name, status: .used, refusal: nil,
      exportDate: day, bytes: bytes, tally: tally, newestSnapshotAt: newest, firstRunID: 1)
    file.assumedProduction = try row.number()
    return file
  }

  /// The files with their ids, as input of the facts.
  var files: [InputFile] {
    accounts.map { InputFile(id: $0.id, name: $0.name, sha256: $0.sha256, kind: $0.kind) }
  }

  /// Reads the next field of a row as a file, and returns its position in ``files``.
  func position(in row: inout FilterRow) throws(RunFailure) -> Int32 {
    guard let position = positions[try row.word()] else {
      throw row.failure("a file that --files names")
    }
    return position
  }
}

/// Runs a filter.
///
/// If the filter fails, the program that writes to it reports the filter's failure, not a broken
/// pipe.
package enum FilterWork {
  /// Runs the work.
  ///
  /// If it fails, writes the message, reads standard input to its end, and rethrows.
  ///
  /// - Parameters:
  ///   - name: The filter, such as `paidline-reconstruct merge`.
  ///   - work: The work of the filter.
  /// - Throws: The error of the work, after its message was written.
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
