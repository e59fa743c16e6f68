public import CivilTime
public import Diagnostics
public import PurchaseModel

/// The content of an input file after reading.
public struct ExportContent: Sendable {
  /// The records, rows, renewal states, price reports and offers of the file.
  ///
  /// Their file number is 0, ``Observations/files`` is empty, and the symbol table is not sorted.
  /// Of several equal price reports, the first is kept.
  public var set: Observations
  /// The numbers of used, repeated and rejected records, rows and tokens.
  public var tally: RecordTally
  /// The unusable records and rows, sorted by line.
  public var rejects: [Reject]
  /// The notices for the operator: the number of times that each anomaly occurs in the file.
  public var notices: ExportNotices
  /// The SHA-256 of the file's bytes as stored; lower-case hex.
  public var sha256: String
  /// The number of bytes read from the file, before decompression.
  public var bytes: Int64
  /// The size of the decompressed text, in bytes.
  public var textBytes: Int64
  /// The records shown to the operator, each with its values or with its paths.
  ///
  /// Contains up to three rejected records, with the paths to all their values. For a preview, also
  /// contains each record that is read by a price layout, with its values.
  public var previews: [PreviewedRecord] = []
  /// The paths to the values of the first record; recorded only for a preview.
  public var paths: [String] = []
  /// The paths to Apple's responses in the first record; recorded only for a preview of receipts.
  public var answers: [String] = []
  /// The different lists of paths to the values of a record, in the order of their first records.
  ///
  /// Recorded only with ``ExportLimits/notesShapes``.
  public var shapes: [[String]] = []
  /// The likely format of a file that does not begin with JSON.
  ///
  /// `nil` for JSON, for an empty file, and for a table whose columns were recognized.
  public var foreign: ForeignContent?
  /// Whether the file is a table: its first line has the names of columns, known or not.
  public var isTable = false

  /// The format of a file that cannot contain lines of text, such as an archive.
  ///
  /// Such a file is refused. `nil` for all other files.
  public var isNoText: ForeignContent? {
    switch foreign {
    case .packed, .archive, .database, .document, .parquet, .avro: foreign
    default: nil
    }
  }
}

/// The number of times that each anomaly occurs in a file.
///
/// An anomaly either does not reject a record, or is the common cause of several rejects.
public struct ExportNotices: Hashable, Sendable {
  /// Records with status 21004: the exporting program uses a wrong shared secret.
  ///
  /// Such records are rejected, and cause a warning in the log.
  public var wrongSharedSecret = 0
  /// Records with status 21007: a sandbox receipt was sent to production.
  ///
  /// These records are not rejected; their rows are left out.
  public var sandboxReceipts = 0
  /// Records with status 21010: the Apple account was deleted.
  ///
  /// These records are not rejected; their rows are left out.
  public var deletedAccounts = 0
  /// Records that are rejected, but for which another request to Apple may succeed.
  public var retryable = 0
  /// Unusable price reports inside receipt records; the receipts were used.
  public var rejectedReports = 0
  /// Price reports that are ignored, because they belong to test purchases in the sandbox.
  public var sandboxReports = 0
  /// Records of price files that are not price reports: events without a price, or events of
  /// another store, for example Google Play; and records of a service's export whose event says
  /// nothing about a purchase.
  public var otherEvents = 0
  /// The description of the first record in ``otherEvents``: `the event session_start`.
  ///
  /// Empty if there is no such record.
  public var firstOtherEvent = ""
  /// Rows of a hosted service's export that belong to another store, such as Google Play.
  ///
  /// These rows are left out.
  public var otherStoreRows = 0
  /// The description of the first row in ``otherStoreRows``: `the platform play_store`.
  public var firstOtherStore = ""
  /// Records of price files with a price that the sending service inferred instead of observed.
  ///
  /// Such a price is not used as evidence.
  public var inferredPrices = 0
  /// Offers with missing or contradictory values; the price report is used without the offer.
  public var undecidedOffers = 0
  /// Storefronts that are not country codes; the record is used without the storefront.
  public var unreadableStorefronts = 0
  /// Transaction ids of price reports that a spreadsheet has rounded, such as `1.8E+14`; the report
  /// is used without its id.
  public var unreadableIDs = 0
  /// Values of `received_at` that cannot be read; the record is used without this time.
  public var unreadableTimes = 0
  /// Times that name no zone; they are read as UTC, because the entry has no `time_zone` either.
  public var localTimes = 0
  /// Rows and renewal states without an environment; they are treated as production.
  public var assumedProduction = 0
  /// Signed transactions with an unknown kind of revocation; they are treated as paid.
  public var unknownRevocations = 0
  /// Prices with more decimals than their currency has, or with an unknown currency code.
  ///
  /// No amount is derived from such a price.
  public var impossibleAmounts = 0
  /// Rejects that are not stored, because the file has more than ``ExportLimits/keptRejects``
  /// rejects.
  public var rejectsNotKept = 0

  /// Creates notices in which all numbers are 0.
  public init() {}

  /// Adds the notices of another file.
  public mutating func add(_ other: ExportNotices) {
    wrongSharedSecret += other.wrongSharedSecret
    sandboxReceipts += other.sandboxReceipts
    deletedAccounts += other.deletedAccounts
    retryable += other.retryable
    rejectedReports += other.rejectedReports
    sandboxReports += other.sandboxReports
    otherEvents += other.otherEvents
    if firstOtherEvent.isEmpty { firstOtherEvent = other.firstOtherEvent }
    otherStoreRows += other.otherStoreRows
    if firstOtherStore.isEmpty { firstOtherStore = other.firstOtherStore }
    inferredPrices += other.inferredPrices
    undecidedOffers += other.undecidedOffers
    unreadableStorefronts += other.unreadableStorefronts
    unreadableTimes += other.unreadableTimes
    localTimes += other.localTimes
    unreadableIDs += other.unreadableIDs
    assumedProduction += other.assumedProduction
    unknownRevocations += other.unknownRevocations
    impossibleAmounts += other.impossibleAmounts
    rejectsNotKept += other.rejectsNotKept
  }
}

/// The limits for reading one file.
public struct ExportLimits: Hashable, Sendable {
  /// The largest record in bytes, at most a gibibyte.
  public var record = 16 << 20
  /// The smallest size of the text buffer, in bytes; a larger record enlarges it.
  public var buffer = 256 << 10
  /// The largest accepted ratio of text size to file size.
  ///
  /// Checked only for texts larger than ``freelyInflated``. Real exports have ratios of 7 to 50;
  /// deflate allows up to 1,032.
  public var inflation = 500
  /// The text size in bytes up to which the ratio to the file size is not checked.
  public var freelyInflated = 256 << 20
  /// The largest number of rejects stored per file; rejects beyond this number are only counted.
  public var keptRejects = 200_000
  /// The number of records after which reading ends; `nil` reads the whole file.
  public var records: Int?
  /// The latest time that a snapshot may have; `nil` for any time.
  public var latestSnapshot: Instant?
  /// Whether all faults of a record are reported; otherwise only its first fault is reported.
  public var reportsAllFaults = false
  /// Whether the paths to the values of every record are noted, not only those of the first.
  public var notesShapes = false

  /// Creates the default limits.
  public init() {}
}
