public import Diagnostics
public import PurchaseModel

/// The content of one input file.
public struct ExportContent: Sendable {
  /// Records, rows, renewal states, price reports and offers, with the texts they name.
  ///
  /// The file is number 0 and ``Observations/files`` is empty; the symbols are not sorted. Of equal
  /// price reports only the first is kept.
  public var set: Observations
  /// The account of the file's records.
  public var tally: RecordTally
  /// The unusable records and rows in the order of their lines.
  public var rejects: [Reject]
  /// The notices for the operator that are not rejects.
  public var notices: ExportNotices
  /// Lower-case hex of the SHA-256 of the file's bytes, compressed as they were.
  public var sha256: String
  /// The size of the file as read, in bytes.
  public var bytes: Int64
  /// The size of its inflated text, in bytes.
  public var textBytes: Int64
  /// The records as they were understood, field by field; empty but for a look.
  public var looks: [PreviewedRecord] = []
  /// The likely format of a file that does not begin with JSON.
  public var foreign: ForeignContent?

  /// The format of a file that cannot hold lines of text; such a file is refused as a whole.
  public var isNoText: ForeignContent? {
    switch foreign {
    case .packed, .archive, .database: foreign
    default: nil
    }
  }
}

/// Counts of anomalies that are not rejects, or cause several rejects.
public struct ExportNotices: Hashable, Sendable {
  /// Records with status 21004: the export runs with a wrong shared secret, an alarm.
  public var wrongSharedSecret = 0
  /// Records with status 21007, a sandbox receipt sent to production: used, without rows.
  public var sandboxReceipts = 0
  /// Records with status 21010, a deleted account: used, without rows.
  public var deletedAccounts = 0
  /// Rejected records that asking Apple again can cure.
  public var retryable = 0
  /// Embedded price reports that could not be used; their records were.
  public var rejectedReports = 0
  /// Price reports left out because they are test purchases, or stand inside a response from the
  /// sandbox.
  public var sandboxReports = 0
  /// Records of price files that are events of another name; read, but without a price.
  public var otherEvents = 0
  /// Records of price files whose price the service inferred; read, but no evidence.
  public var inferredPrices = 0
  /// Offers without enough values to be evidence; their reports are used without them.
  public var undecidedOffers = 0
  /// Storefronts that are not country codes; the records were used without them.
  public var unreadableStorefronts = 0
  /// Times of receipt that cannot be read; their records were used without.
  public var unreadableTimes = 0
  /// Rows and renewal states of which nothing names the store: production is assumed.
  public var assumedProduction = 0
  /// Signed transactions revoked in a way that is not known: they stay paid.
  public var unknownRevocations = 0
  /// Rejects counted, but not kept, beyond ``ExportLimits/keptRejects``.
  public var rejectsNotKept = 0

  /// No notices.
  public init() {}

  /// Adds another file's counts.
  public mutating func add(_ other: ExportNotices) {
    wrongSharedSecret += other.wrongSharedSecret
    sandboxReceipts += other.sandboxReceipts
    deletedAccounts += other.deletedAccounts
    retryable += other.retryable
    rejectedReports += other.rejectedReports
    sandboxReports += other.sandboxReports
    otherEvents += other.otherEvents
    inferredPrices += other.inferredPrices
    undecidedOffers += other.undecidedOffers
    unreadableStorefronts += other.unreadableStorefronts
    unreadableTimes += other.unreadableTimes
    assumedProduction += other.assumedProduction
    unknownRevocations += other.unknownRevocations
    rejectsNotKept += other.rejectsNotKept
  }
}

/// The limits of reading; the defaults are the product's promises.
public struct ExportLimits: Hashable, Sendable {
  /// The largest record in bytes, at most a gibibyte.
  public var record = 16 << 20
  /// The least size of the text buffer, in bytes; only a larger record makes it larger.
  public var buffer = 256 << 10
  /// The greatest ratio of text to file for a text larger than ``freelyInflated``.
  ///
  /// Real exports inflate seven- to fifty-fold; deflate itself ends at 1,032.
  public var inflation = 500
  /// The size of text that any file may inflate to, in bytes.
  public var freelyInflated = 256 << 20
  /// The number of rejects that are kept; further ones are only counted.
  public var keptRejects = 200_000
  /// After how many records reading ends; `nil` reads the whole file.
  public var records: Int?
  /// Whether all faults of a record are reported, or only the first.
  public var tellsAllFaults = false

  /// The product's limits.
  public init() {}
}
