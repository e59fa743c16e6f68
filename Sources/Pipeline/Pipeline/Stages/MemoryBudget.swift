internal import SQLiteFiles

/// The division of the memory that `--memory` allows.
///
/// Everything that grows with the history has its own limit, and spills into a temporary file
/// beyond it. With 1 GiB, reading holds 128 MiB of rows and 256 MiB of encoded rows; reconstructing
/// holds 128 MiB in its sorts. The rest is for the pages of the databases, for the few dozen bytes
/// that each chain and report needs, and for the program itself.
package struct MemoryBudget: Hashable, Sendable {
  /// The approximate limit of a run in bytes without `--memory`.
  package static let standard: Int64 = 1 << 30

  private let bytes: Int64

  package init(bytes: Int64 = standard) { self.bytes = bytes }

  /// The bytes of rows that each worker holds of one file before it encodes them.
  ///
  /// An eighth of the memory for all workers: growing arrays take up to three times their content,
  /// and encoding needs the same amount again.
  func pieceBytes(workers: Int) -> Int { max(64 << 10, Int(bytes / 8) / max(1, workers)) }

  /// The bytes of encoded rows that all files together hold until the commit.
  var encodedBytes: Int { Int(bytes / 4) }

  /// The bytes that all sorts of a reconstruction together hold.
  package var sortedBytes: Int { Int(bytes / 8) }

  /// The pages that each connection to the warehouse holds.
  var pages: PageMemory { PageMemory(bytes: Int(bytes / 8)) }
}
