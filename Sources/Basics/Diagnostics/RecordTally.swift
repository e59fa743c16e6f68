/// The tally of one file's records: `records = used + duplicates + rejected`.
///
/// Example: a file has 50 lines, one of them is cut off, and one repeats an earlier line. Its tally
/// is 48 used, 1 duplicate and 1 rejected record.
public struct RecordTally: Hashable, Sendable {
  /// Records in use, even if some of their rows were rejected.
  public var used = 0
  /// Records equal to an earlier record of the same file.
  public var duplicates = 0
  /// Records that could not be used.
  public var rejected = 0
  /// The tally of the rows and renewal states inside the readable records.
  public var rows = RowTally()
  /// The tally of the signed transactions inside the records.
  public var tokens = TokenTally()

  /// Creates a tally of zeros.
  public init() {}

  /// The number of records that were read.
  public var records: Int { used + duplicates + rejected }

  /// Whether there are records, but none of them is usable.
  public var hasNoUsableRecord: Bool { rejected > 0 && rejected == records }

  /// Adds the tally of another file.
  public mutating func add(_ other: RecordTally) {
    used += other.used
    duplicates += other.duplicates
    rejected += other.rejected
    rows.add(other.rows)
    tokens.add(other.tokens)
  }
}

/// The tally of the rows and renewal states of responses: `rows = used + duplicates + rejected`.
///
/// Rows of an unreadable record, such as a truncated text, are left out, because their number is
/// unknown.
public struct RowTally: Hashable, Sendable {
  /// Rows that are in use.
  public var used = 0
  /// Rows of `in_app` that repeat a row of `latest_receipt_info` in the same record.
  public var duplicates = 0
  /// Unusable rows, including all rows of a record without a usable row.
  public var rejected = 0

  /// Creates a tally of zeros.
  public init() {}

  /// The number of rows that were read.
  public var rows: Int { used + duplicates + rejected }

  /// Adds the tally of other rows.
  public mutating func add(_ other: RowTally) {
    used += other.used
    duplicates += other.duplicates
    rejected += other.rejected
  }
}
