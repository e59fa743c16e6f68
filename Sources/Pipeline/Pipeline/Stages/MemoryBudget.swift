internal import SQLiteFiles

/// Divides the memory that `--memory` allows.
///
/// Rows and sorts have a limit; data beyond the limit is spilled into a temporary file. With 1 GiB,
/// reading uses 128 MiB for rows and 256 MiB for encoded rows; reconstructing uses 128 MiB for
/// sorts. The rest is for database pages, for a few dozen bytes per chain and report, and for the
/// program itself.
package struct MemoryBudget: Hashable, Sendable {
  /// The approximate memory limit of a run in bytes, if `--memory` is not given.
  package static let standard: Int64 = 1 << 30

  private let bytes: Int64

  package init(bytes: Int64 = standard) { self.bytes = bytes }

  /// The largest size of one file's rows that each worker keeps in memory before encoding them.
  ///
  /// The size is in bytes. All workers together get an eighth of the memory: growing arrays need up
  /// to three times the size of their content, and encoding needs as much memory again.
  func batchBytes(workers: Int) -> Int { max(64 << 10, Int(bytes / 8) / max(1, workers)) }

  /// The largest size of encoded rows that stay in memory until the commit, in bytes.
  ///
  /// The limit applies to all files together.
  var encodedBytes: Int { Int(bytes / 4) }

  /// The memory in bytes that all sorting of a reconstruction may use together.
  package var sortedBytes: Int { Int(bytes / 8) }

  /// The memory for database pages of each connection to the warehouse.
  var pages: PageMemory { PageMemory(bytes: Int(bytes / 8)) }
}
