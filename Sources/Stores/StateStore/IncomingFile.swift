public import AppleReports
public import CivilTime
public import Diagnostics
public import PurchaseModel
public import SharedTables

/// An input file as one reading of it found it, to be handed to an ``IngestBatch``.
public struct IncomingFile: Sendable {
  /// Lower-case hex of the SHA-256 of its bytes, compressed as they were.
  public var sha256: String
  /// The kind of content.
  public var kind: InputFile.Kind
  /// The path as the run found it.
  public var name: String
  /// The day in its name; `nil` if there is none.
  public var exportDate: CivilDay?
  /// Its size on disk.
  public var bytes: Int64
  /// The account of its records; empty for a refused file.
  public var tally: RecordTally
  /// Its unusable records and rows.
  public var rejects: [Reject]
  /// The content, with symbols of its own; its line numbers count, its file numbers do not.
  public var content: Observations
  /// The one of Apple's reports that it is; `nil` for any other file.
  public var report: AppleReport?
  /// The lines of one of Apple's reports; empty for any other file.
  public var reportLines: [AppleReportLine] = []
  /// The reason why it was refused as a whole; then nothing of its content is stored.
  public var refusal: String?
  /// The kind of a file that is no export, such as `a README`; `nil` for an export.
  ///
  /// Nothing of its content is stored.
  public var otherKind: String?
  /// The number of rows of which nothing names the store, so that production is assumed.
  public var assumedProduction = 0
  /// The way in which it was read.
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
