/// What differs between encoded rows and the stored ones of their range of keys.
struct RowDifferences: Sendable {
  /// A stored row that must say something else.
  struct Update: Sendable {
    /// The encoded row's position.
    var row: Int
    /// The stored row's number.
    var number: Int64
    /// The columns to write, a bit each.
    var columns: UInt64
    /// Whether what the row says of the world differs, and not only where it was read.
    var isChange: Bool
  }

  /// Rows that are stored and say something else.
  var updates: [Update] = []
  /// The positions of rows that are not stored.
  var insertions: [Int] = []
  /// The numbers of stored rows that are gone.
  var deletions: [Int64] = []
}
