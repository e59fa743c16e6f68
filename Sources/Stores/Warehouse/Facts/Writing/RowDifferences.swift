/// The differences between encoded rows and the stored rows in the same range of keys.
struct RowDifferences: Sendable {
  /// A stored row that must change.
  struct Update: Sendable {
    /// The encoded row's position.
    var row: Int
    /// The stored row's number.
    var number: Int64
    /// The columns to write, as a bit set.
    var columns: UInt64
    /// Whether the content of the row differs; `false` if only its provenance differs.
    var isChange: Bool
  }

  /// The stored rows that differ.
  var updates: [Update] = []
  /// The positions of new rows.
  var insertions: [Int] = []
  /// The numbers of removed rows.
  var deletions: [Int64] = []
}
