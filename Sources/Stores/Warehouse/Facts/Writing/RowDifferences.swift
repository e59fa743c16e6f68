/// The differences between encoded rows and the stored ones in their range of keys.
struct RowDifferences: Sendable {
  /// A stored row that must change.
  struct Update: Sendable {
    /// The encoded row's position.
    var row: Int
    /// The stored row's number.
    var number: Int64
    /// The columns to write, a bit each.
    var columns: UInt64
    /// Whether the content of the row differs, and not only its provenance.
    var isChange: Bool
  }

  /// Rows that are stored and differ.
  var updates: [Update] = []
  /// The positions of rows that are not stored.
  var insertions: [Int] = []
  /// The numbers of stored rows that are gone.
  var deletions: [Int64] = []
}
