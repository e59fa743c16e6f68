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
  private var positions: [String: Int32] = [:]

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
      throw row.failure("the hash and the kind of a file")
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

  /// The exports with their ids, in the form that the facts need.
  var files: [InputFile] {
    accounts.map { InputFile(id: $0.id, name: $0.name, sha256: $0.sha256, kind: $0.kind) }
  }

  /// Reads the next field of a row, which is the hash and kind of an export; returns the export's
  /// position in ``accounts``.
  func position(in row: inout FilterRow) throws(RunFailure) -> Int32 {
    guard let position = positions[try row.word()] else {
      throw row.failure("one of the files in the rows \"file\"")
    }
    return position
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
