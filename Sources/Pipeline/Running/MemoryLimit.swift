internal import CProcess
internal import Diagnostics
internal import Synchronization
internal import Warehouse

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The limit that `--memory` sets to a whole process: large arrays beyond it lie in a file.
///
/// The rules know nothing of it. Where the C library is glibc, its memory functions are replaced by
/// ones that ask the limit (`CProcess`); elsewhere nothing is limited, as on macOS, which extends
/// memory to its disk by itself.
enum MemoryLimit {
  private static let file = Mutex<SpillFile?>(nil)

  /// Holds a limit from now on, until the process ends.
  ///
  /// - Parameters:
  ///   - budget: What the process may take.
  ///   - path: The file that takes the rest; it is unlinked right after opening.
  ///   - command: Who speaks, should the disk fail under memory that lies there.
  /// - Throws: ``RunFailure`` with 73, 74 or 77 where the file cannot be made.
  static func hold(_ budget: MemoryBudget, path: String, command: String) throws(RunFailure) {
    guard paidline_can_limit_memory() else { return }
    let spill = try SpillFile(path: path)
    var limit = paidline_memory_limit(
      heap_bytes: budget.heapBytes, resident_bytes: budget.residentBytes,
      least_block_bytes: 16 << 10)
    #if DEBUG
      // A test of a small store: everything that is not tiny lies in the file, and leaves memory.
      if Terminal.variable("PAIDLINE_MEMORY") == "file" {
        limit = paidline_memory_limit(heap_bytes: 0, resident_bytes: 0, least_block_bytes: 1024)
      }
    #endif
    let lastWords = """
      \(command): \(OneLine.text(path)): cannot be written: the disk failed. Free some space or \
      check the disk, or give --memory more, and run again.

      """
    let code = unsafe paidline_limit_memory(
      spill.descriptor, limit, lastWords, ExitStatus.inputOutput.rawValue)
    guard code == 0 else { throw refused(code, path: path) }
    file.withLock { $0 = spill }
  }

  /// Ends the work where the disk has refused room for what is beyond the limit.
  ///
  /// Until somebody asks, it lies in memory.
  static func check() throws(RunFailure) {
    let code = paidline_blocks_refusal()
    guard code != 0, let path = file.withLock({ $0?.path }) else { return }
    throw refused(code, path: path)
  }

  /// Ends the work where something that lay in the file may have been lost: to be asked before what
  /// was computed from it becomes visible.
  static func checkWritten() throws(RunFailure) {
    let code = paidline_blocks_failure()
    guard code != 0, let path = file.withLock({ $0?.path }) else { return }
    throw RunFailure(
      .inputOutput,
      "\(OneLine.text(path)): cannot be written: \(reason(code)). Check the disk, and run again.")
  }

  /// How many bytes lay in the file at most.
  static var spilledBytes: Int { paidline_blocks_extent() }

  private static func refused(_ code: Int32, path: String) -> RunFailure {
    RunFailure(
      .inputOutput,
      """
      \(OneLine.text(path)): cannot be enlarged: \(reason(code)). What does not fit into the memory that \
      --memory allows lies there: free some space, or give more memory, and run again.
      """)
  }

  private static func reason(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
