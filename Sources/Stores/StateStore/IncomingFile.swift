public import AppleReports
public import CivilTime
public import Diagnostics
public import PurchaseModel
public import SharedTables

/// The result of reading an input file, for an ``IngestBatch``.
public struct IncomingFile: Sendable {
  /// The SHA-256 of the file's bytes on disk; lower-case hex.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The path at which the run found the file.
  public var name: String
  /// The day in the file's name; `nil` if there is none.
  public var exportDate: CivilDay?
  /// Whether the day of the newest snapshot is the export day, because the name has none.
  public var isCompleteThroughNewest = false
  /// The size on disk, in bytes.
  public var bytes: Int64
  /// The tally of its records; empty for a refused file.
  public var tally: RecordTally
  /// The unusable records and rows in the file.
  public var rejects: [Reject]
  /// The content, with symbols of its own symbol table; the file numbers in it are not used.
  public var content: Observations
  /// The header of one of Apple's reports; `nil` for any other file.
  public var report: AppleReport?
  /// The lines of one of Apple's reports; empty for any other file.
  public var reportLines: [AppleReportLine] = []
  /// The reason why the whole file is refused and not stored; `nil` for a usable file.
  public var refusal: String?
  /// The kind of a file that is not an export, such as `a README`; `nil` for an export.
  ///
  /// Nothing of its content is stored.
  public var otherKind: String?
  /// The number of rows without an environment; they are treated as production.
  public var assumedProduction = 0
  /// The latest time that a snapshot in the file may have; `nil` for any time.
  public var latestSnapshot: Instant?
  /// The field mapping and reader version with which the file was read.
  public var reading = FileReading()

  /// Creates a file that was read to its end.
  public init(
    sha256: String, kind: InputFile.Kind, name: String, exportDate: CivilDay?, bytes: Int64,
    tally: RecordTally, rejects: [Reject], content: Observations
  ) {
    self.sha256 = sha256
    self.kind = kind
    self.name = name
    self.exportDate = exportDate
    self.bytes = bytes
    self.tally = tally
    self.rejects = rejects
    self.content = content
  }

  /// Creates a file that was refused as a whole, such as a damaged archive.
  public init(
    refused sha256: String, kind: InputFile.Kind, name: String, exportDate: CivilDay?,
    bytes: Int64, refusal: String
  ) {
    self.init(
      sha256: sha256, kind: kind, name: name, exportDate: exportDate, bytes: bytes,
      tally: RecordTally(), rejects: [], content: Observations())
    self.refusal = refusal
  }
}
