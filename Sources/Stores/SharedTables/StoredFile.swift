public import CivilTime
public import Diagnostics
public import PurchaseModel

/// The status of an input file.
public enum FileStatus: String, Hashable, Sendable, CaseIterable {
  /// The content is part of the facts.
  case used
  /// The file could not be read completely; nothing of it is stored.
  case refused
  /// The content is stored, but excluded from the facts until the operator admits the file.
  case held
  /// The file was refused or held, or is a report of Apple's, and its path now has other content.
  case superseded
  /// The file is not an export, such as a README or a manifest.
  case ignored

  /// The statuses of files that still exist on disk: all except `superseded`.
  public static let standing = allCases.filter { $0 != .superseded }
}

/// The field mapping and the version of the reader with which a file was read.
public struct FileReading: Hashable, Sendable {
  /// A hash of the pipeline's key names and price unit; empty for the default.
  public var fieldMapping: String
  /// The version of the reader; a newer version may accept more files.
  public var readerVersion: Int64

  /// Creates the reading of a file; by default with standard key names and reader version 1.
  public init(fieldMapping: String = "", readerVersion: Int64 = 1) {
    self.fieldMapping = fieldMapping
    self.readerVersion = readerVersion
  }
}

/// The metadata of an input file, as stored in state.db and in the warehouse.
public struct StoredFile: Hashable, Sendable {
  /// The number of the file in state.db and `audit_file`.
  public var id: Int64
  /// The SHA-256 of the file's bytes; lower-case hex.
  ///
  /// If a report of Apple's does not state its day, the hash includes the day in the file's name.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The path at the last reading; of several files with this content, the alphabetically first
  /// path.
  public var name: String
  /// The current status of the file.
  public var status: FileStatus
  /// The reason why the file was refused, or the kind of an ignored file; `nil` for any other file.
  public var refusal: String?
  /// The number of rows without an environment; they are treated as production.
  public var assumedProduction: Int64 = 0
  /// The day in the file's name; `nil` if there is none.
  public var exportDate: CivilDay?
  /// The size on disk, in bytes.
  public var bytes: Int64
  /// The tally of the file's records.
  public var tally: RecordTally
  /// The time of the newest snapshot in its receipt records, UTC; `nil` without receipt records.
  public var newestSnapshotAt: Instant?
  /// The latest time that a snapshot in the file may have: two days after the file was read.
  ///
  /// Later snapshots were rejected. `nil` for any time.
  public var latestSnapshot: Instant?
  /// The field mapping and reader version of the last reading.
  public var reading = FileReading()
  /// The run that first read the file.
  public var firstRunID: Int64
  /// The run that counted the file's signed transactions.
  ///
  /// `nil` if the file has no signed transactions, or was read by an older version of the program.
  public var tokenRunID: Int64?

  /// Creates a stored file from its fields.
  public init(
    id: Int64, sha256: String, kind: InputFile.Kind, name: String, status: FileStatus,
    refusal: String?, exportDate: CivilDay?, bytes: Int64, tally: RecordTally,
    newestSnapshotAt: Instant?, reading: FileReading = FileReading(), firstRunID: Int64,
    tokenRunID: Int64? = nil
  ) {
    self.id = id
    self.sha256 = sha256
    self.kind = kind
    self.name = name
    self.status = status
    self.refusal = refusal
    self.exportDate = exportDate
    self.bytes = bytes
    self.tally = tally
    self.newestSnapshotAt = newestSnapshotAt
    self.reading = reading
    self.firstRunID = firstRunID
    self.tokenRunID = tokenRunID
  }
}

/// An unusable record or row in a file: a row of `rejected_record`.
public struct StoredReject: Hashable, Sendable {
  /// The file's number in state.db.
  public var fileID: Int64
  /// The line on which the record begins; 1-based.
  public var line: Int64
  /// The code of the reason: a raw value of ``RejectReason``.
  public var reasonCode: String
  /// The expected and the found value, without personal data.
  public var detail: String

  /// Creates a reject of one line.
  public init(fileID: Int64, line: Int64, reasonCode: String, detail: String) {
    self.fileID = fileID
    self.line = line
    self.reasonCode = reasonCode
    self.detail = detail
  }
}
