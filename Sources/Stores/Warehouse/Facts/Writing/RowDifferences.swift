/// The differences between encoded rows and the stored rows in the same range of keys.
struct RowDifferences: Sendable {
  /// A stored row that must change.
  struct Update: Sendable {
    /// The position of the new row in the encoded rows.
    var row: Int
    var number: Int64
    /// The columns to write, as a bit set; the lowest bit is the first column.
    var columns: UInt64
    /// Whether the content of the row differs; `false` if only the source file or line differs.
    var isChange: Bool
  }

  var updates: [Update] = []
  /// The rows to insert, as positions in the encoded rows.
  var insertions: [Int] = []
  /// The rowids of the stored rows to remove.
  var deletions: [Int64] = []
}
