public import CivilTime
public import Diagnostics
public import PurchaseModel

/// The status of an input file.
public enum FileStatus: String, Hashable, Sendable, CaseIterable {
  /// Its content is part of the facts.
  case used
  /// It could not be read whole; nothing of it is stored.
  case refused
  /// Its content is stored but stays out of the facts until it is admitted.
  case held
  /// It was refused or held, and another content has taken its place on disk.
  case superseded
  /// It is no export, but a file of another kind, such as a README or a manifest.
  case ignored

  /// The statuses of files that lie on disk: all but superseded.
  public static let standing = allCases.filter { $0 != .superseded }
}

/// Under which key names and by which version of the reader a file was read.
public struct FileReading: Hashable, Sendable {
  /// A hash of the pipeline's own key names and unit of prices; empty for the standard ones.
  public var fieldMapping: String
  /// The version of the reader; a later one may read files that an earlier one could not.
  public var readerVersion: Int64

  /// Creates the way a file was read; by default standard key names and reader version 1.
  public init(fieldMapping: String = "", readerVersion: Int64 = 1) {
    self.fieldMapping = fieldMapping
    self.readerVersion = readerVersion
  }
}

/// An input file as both databases keep it.
public struct StoredFile: Hashable, Sendable {
  /// Its number in state.db and `audit_file`.
  public var id: Int64
  /// Lower-case hex of the SHA-256 of its bytes.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The path when it was first read.
  public var name: String
  /// The status.
  public var status: FileStatus
  /// The reason for the refusal, for a refused file; the kind of file, for an ignored file.
  public var refusal: String?
  /// The number of rows of which nothing names the store, so that production is assumed.
  public var assumedProduction: Int64 = 0
  /// The day in its name; `nil` if there is none.
  public var exportDate: CivilDay?
  /// Its size on disk.
  public var bytes: Int64
  /// The account of its records.
  public var tally: RecordTally
  /// The newest snapshot among its receipt records.
  public var newestSnapshotAt: Instant?
  /// The way in which it was read.
  public var reading = FileReading()
  /// The run that read it first.
  public var firstRunID: Int64
  /// The run that counted its tokens; `nil` if it has none, or an earlier version read it.
  public var tokenRunID: Int64?

  /// Creates a stored file from the row of `input_file`.
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

/// An unusable record or row, with its file: a row of `rejected_record`.
public struct StoredReject: Hashable, Sendable {
  /// The file's number in state.db.
  public var fileID: Int64
  /// The line on which the record begins; 1-based.
  public var line: Int64
  /// The stable code of ``RejectReason``.
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
