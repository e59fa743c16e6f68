/// How reading uses the memory that a run may take.
///
/// An eighth is for rows that are not encoded yet: while arrays grow they take up to three times what
/// they hold, and encoding takes as much again. A quarter is for what waits for the commit. The rest is for what grows with the number of
/// customers and records alone: their names, and sixteen to sixty bytes a record.
struct MemoryBudget: Hashable, Sendable {
  /// The bytes that a run takes at most where nobody says otherwise.
  static let standard: Int64 = 1 << 30
  /// What the program takes anyway; less is taken for this.
  static let least: Int64 = 160 << 20

  private let bytes: Int64

  init(bytes: Int64 = standard) {
    self.bytes = max(Self.least, bytes)
  }

  /// How many bytes of rows each of so many workers holds of one file.
  func pieceBytes(workers: Int) -> Int {
    max(64 << 10, Int(bytes / 8) / max(1, workers))
  }

  /// How many bytes of encoded rows all files have together.
  var encodedBytes: Int { Int(bytes / 4) }
}
