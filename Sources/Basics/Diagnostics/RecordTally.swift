/// The account of one file's records, which must add up: `records = used + duplicates + rejected`.
///
/// Example: a file of 50 lines, of which one is cut off and one repeats another, has 48 used, 1
/// duplicate and 1 rejected record.
public struct RecordTally: Hashable, Sendable {
  /// Records that contributed, rows rejected inside them or not.
  public var used = 0
  /// Records equal to an earlier record of the same file.
  public var duplicates = 0
  /// Records that could not be used.
  public var rejected = 0
  /// The account of the rows and renewal states inside the records that could be read.
  public var rows = RowTally()
  /// The account of the signed transactions inside the records.
  public var tokens = TokenTally()

  /// An empty account.
  public init() {}

  /// All records read.
  public var records: Int { used + duplicates + rejected }

  /// Whether there are records, all of them unusable.
  public var isBarren: Bool { rejected > 0 && rejected == records }

  /// Adds another file's account.
  public mutating func add(_ other: RecordTally) {
    used += other.used
    duplicates += other.duplicates
    rejected += other.rejected
    rows.add(other.rows)
    tokens.add(other.tokens)
  }
}

/// The account of the rows and renewal states of responses: `rows = used + duplicates + rejected`.
///
/// Rows of a record that is rejected for another reason than its rows, such as a truncated text,
/// are not counted, because their number is unknown.
public struct RowTally: Hashable, Sendable {
  /// Rows that contributed.
  public var used = 0
  /// Rows of `in_app` that a row of `latest_receipt_info` in the same record repeats.
  public var duplicates = 0
  /// Rows that could not be used, those of a record without a usable row among them.
  public var rejected = 0

  /// An empty account.
  public init() {}

  /// All rows read.
  public var rows: Int { used + duplicates + rejected }

  /// Adds another account.
  public mutating func add(_ other: RowTally) {
    used += other.used
    duplicates += other.duplicates
    rejected += other.rejected
  }
}
