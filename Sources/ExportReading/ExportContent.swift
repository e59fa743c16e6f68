public import Diagnostics
public import PurchaseModel

/// What one input file says.
public struct ExportContent: Sendable {
  /// Records, rows, renewal states, price reports and offers, with the texts they name.
  ///
  /// The file is number 0 and ``SightingSet/files`` is empty; the symbols are not sorted. Of equal
  /// price reports only the first is kept.
  public var set: SightingSet
  /// The account of the file's records.
  public var tally: RecordTally
  /// The unusable records and rows in the order of their lines.
  public var rejects: [Reject]
  /// What an operator should know although it is no reject.
  public var notices: ExportNotices
  /// Lower-case hex of the SHA-256 of the file's bytes, compressed as they were.
  public var sha256: String
  /// How many bytes the file has, compressed as they were.
  public var bytes: Int64
  /// How many bytes of text it inflates to.
  public var textBytes: Int64
  /// What the file seems to be where it does not begin as JSON does.
  public var foreign: ForeignContent?

  /// What the file is if it cannot hold lines of text: such a file is refused as a whole.
  public var isNoText: ForeignContent? {
    switch foreign {
    case .packed, .archive, .database: foreign
    default: nil
    }
  }
}

/// Counts of what is no reject, or more than one.
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
  /// Embedded price reports left out because their response is a sandbox one.
  public var sandboxReports = 0
  /// Storefronts that are no country code; the records were used without.
  public var unreadableStorefronts = 0
  /// Times of receipt that cannot be read; the records were used as if they had none.
  public var unreadableTimes = 0
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
    unreadableStorefronts += other.unreadableStorefronts
    unreadableTimes += other.unreadableTimes
    rejectsNotKept += other.rejectsNotKept
  }
}

/// How large what is read may be; the defaults are the product's promises.
public struct ExportLimits: Hashable, Sendable {
  /// The largest record in bytes, at most a gibibyte.
  public var record = 16 << 20
  /// How much text is held at once, at least; more only for a record that is larger.
  public var buffer = 256 << 10
  /// How many times its own size a file may inflate to, once it is above ``freelyInflated``.
  ///
  /// Real exports inflate seven- to fifty-fold; deflate itself ends at 1,032.
  public var inflation = 500
  /// How much text any file may inflate to.
  public var freelyInflated = 256 << 20
  /// How many rejects are kept; more are counted only.
  public var keptRejects = 200_000
  /// After how many records reading ends; `nil` reads the whole file.
  public var records: Int?
  /// Whether everything that is wrong with a record is told, and not the first fault alone.
  public var tellsAllFaults = false

  /// The product's limits.
  public init() {}
}
