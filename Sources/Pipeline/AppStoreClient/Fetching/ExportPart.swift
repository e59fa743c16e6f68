internal import Diagnostics
internal import ExportReading
internal import Pipeline
internal import TemporaryFiles

/// The kind of records in an export of `paidline-fetch`.
enum FetchKind: String, Hashable, Sendable, CaseIterable {
  /// Responses of Get Transaction History.
  case history
  /// Responses of Get Notification History.
  case notifications
  /// Responses of App Store Connect about prices.
  case prices
}

/// A gzip export that becomes visible when it is complete.
///
/// If a run is interrupted, the next run continues the export.
///
/// The export is written in its final folder, under a temporary name that no input pattern matches.
/// Each commit appends a gzip member and flushes the file to the disk; then the journal records the
/// new length. Bytes that a killed run wrote after its last commit are removed. The export receives
/// its final name when it is full, or when the run ends.
final class ExportPart {
  /// The progress of an unfinished export, as recorded in the journal.
  struct Account: Hashable {
    /// The path of the finished export.
    var path: String
    /// The number of bytes that have been flushed to the disk.
    var length: Int64
    /// The number of records in the flushed bytes.
    var records: Int

    /// The values in the export's journal line; the path is last, because it may contain blanks.
    var words: String { "\(length) \(records) \(path)" }

    init(path: String, length: Int64 = 0, records: Int = 0) {
      self.path = path
      self.length = length
      self.records = records
    }

    /// Reads a line of the journal, such as `part history 48213 20 exports/….gz`.
    ///
    /// `nil` for any other line.
    init?(line: String) {
      let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
      guard words.count == 5, let length = Int64(words[2]), let records = Int(words[3]) else {
        return nil
      }
      self.init(path: String(words[4]), length: length, records: records)
    }
  }

  /// The progress of the export at its last commit.
  private(set) var account: Account
  private let file: NewFile
  private var member: [UInt8] = []
  private var waiting = 0

  /// Begins an export, or continues an unfinished export of an earlier run.
  ///
  /// - Throws: ``RunFailure`` with status 66 if the file is shorter than the journal records, and
  ///   73, 74 or 77 for an error of the system.
  init(_ account: Account) throws(RunFailure) {
    self.account = account
    try OutputFolder.create(FilePaths.folder(of: account.path))
    let draft = NewFile.draft(of: account.path)
    let size = (try? PathStatus(at: draft).size) ?? 0
    guard size >= account.length else {
      throw RunFailure(
        .inputMissing,
        """
        \(OneLine.text(draft)): expected \(account.length) bytes of an unfinished export, found \
        \(size); restore the file, or remove the folder that holds fetch.journal to fetch \
        everything again
        """)
    }
    // Removes bytes that the journal does not record.
    file = try NewFile(continuing: account.path, .export, at: account.length)
  }

  /// Returns true if the export has its final name, although the journal lists it as unfinished.
  ///
  /// This happens if a run is killed right after it renamed the export.
  static func isInPlace(_ account: Account) -> Bool {
    !PathStatus.exists(NewFile.draft(of: account.path))
      && (try? PathStatus(at: account.path))?.size == account.length
  }

  /// The path of the unfinished file.
  var draft: String { NewFile.draft(of: account.path) }

  /// The number of bytes of records that are not synced yet, before compression.
  var unsafeBytes: Int { member.count }

  func append(_ line: [UInt8]) {
    member += line
    waiting += 1
  }

  /// Syncs the added records to the disk, as one gzip member.
  func commit() throws(RunFailure) {
    guard waiting > 0 else { return }
    let bytes = try GzipDeflater.member(of: member)
    try file.write(bytes)
    try file.sync()
    account.length += Int64(bytes.count)
    account.records += waiting
    member.removeAll(keepingCapacity: true)
    waiting = 0
  }

  /// Renames the export to its final name; all records must have been committed before.
  func publish() throws(RunFailure) { try file.publish() }
}
