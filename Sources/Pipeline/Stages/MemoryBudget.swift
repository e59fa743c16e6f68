internal import Warehouse

/// How a run uses the memory that it may take.
///
/// Reading: an eighth is for rows that are not encoded yet: while arrays grow they take up to three
/// times what they hold, and encoding takes as much again. A quarter is for what waits for the
/// commit. The rest is for what grows with the number of customers and records alone: their names,
/// and sixteen to sixty bytes a record.
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
  var encodedBytes: Int {
    #if DEBUG
      // A test of a small store: everything waits for the commit in the file.
      if Terminal.variable("PAIDLINE_MEMORY") == "file" { return 0 }
    #endif
    return Int(bytes / 4)
  }

  /// How many bytes of memory reconstruction takes before large arrays lie in a file.
  ///
  /// What is left is for the pages of that file, of the databases and of the program.
  var heapBytes: Int { Int(bytes / 8 * 5) }

  /// How many bytes reconstruction has in memory before pages of that file are let go; not quite
  /// all, as it looks now and then only.
  var residentBytes: Int { Int(bytes / 16 * 13) }

  /// What each of the two connections that examine the facts may hold; by then these have left the
  /// memory.
  var pages: PageMemory { PageMemory(bytes: Int(bytes / 16 * 3)) }
}
