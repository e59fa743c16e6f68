/// The differences between encoded rows and the stored rows in the same range of keys.
struct RowDifferences: Sendable {
  /// A stored row that must change.
  struct Update: Sendable {
    /// The position of the new row in the encoded rows.
    var row: Int
    /// The rowid of the stored row.
    var number: Int64
    /// The columns to write, as a bit set.
    var columns: UInt64
    /// Whether the content of the row differs; `false` if only the source file or line differs.
    var isChange: Bool
  }

  /// The stored rows that must change.
  var updates: [Update] = []
  /// The positions of new rows in the encoded rows.
  var insertions: [Int] = []
  /// The rowids of removed rows.
  var deletions: [Int64] = []
}
