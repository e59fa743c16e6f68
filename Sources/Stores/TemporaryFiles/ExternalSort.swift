public import Diagnostics
internal import Synchronization

/// An external merge sort of records by their keys.
///
/// Several threads add records, each with its own writer. Then one thread reads all records in
/// order, possibly several times. Records that exceed ``SortMemory`` are spilled to a temporary
/// file, which is written and read sequentially. Example: the rows of `fct_revenue` are added
/// household by household, and read in the order of `purchase_key`.
///
/// Records are sorted by the bytes of their keys, then of their values, so that the result does not
/// depend on the number of threads.
public final class ExternalSort: Sendable {
  /// A sorted sequence of records, in memory or in the temporary file.
  enum Run: Sendable {
    case memory(HeldChunk)
    case file(TemporaryFile, start: Int64, size: Int)
  }

  /// The memory limit that this sort shares with the pipeline run's other sorts.
  public let memory: SortMemory
  private let runs = Mutex<[Run]>([])

  /// Creates a sort without records.
  public init(memory: SortMemory) {
    self.memory = memory
  }

  /// Creates a writer for one thread.
  public func writer() -> Writer { Writer(self) }

  /// Creates a reader of all records; all writers must have finished.
  ///
  /// - Throws: ``RunFailure`` with status 74 if the temporary file cannot be read.
  public func reader() throws(RunFailure) -> Reader { try Reader(runs.withLock { $0 }) }

  /// Adds records for one thread.
  public final class Writer {
    /// The size in bytes above which a chunk is sorted and stored.
    private static let chunkSize = 8 << 20

    private let sort: ExternalSort
    private var chunk = SortedChunk(capacity: 1 << 16)

    fileprivate init(_ sort: ExternalSort) { self.sort = sort }

    /// Adds a record.
    ///
    /// - Throws: ``RunFailure`` with status 73 or 74 if the temporary file cannot be written.
    public func add(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(RunFailure) {
      if chunk.used > Self.chunkSize { try finish() }
      unsafe chunk.append(key, value)
    }

    /// Sorts and stores the added records that are not stored yet.
    public func finish() throws(RunFailure) {
      guard chunk.count > 0 else { return }
      var full = SortedChunk(capacity: 1 << 16)
      swap(&full, &chunk)
      full.sort()
      try sort.keep(full)
    }
  }

  private func keep(_ chunk: consuming SortedChunk) throws(RunFailure) {
    if memory.take(chunk.size) {
      let held = HeldChunk(chunk, memory: memory)
      return runs.withLock { $0.append(.memory(held)) }
    }
    let file = try memory.file()
    let size = chunk.used
    let sorted = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { unsafe sorted.deallocate() }
    var end = 0
    for place in 0..<chunk.count {
      let entry = unsafe chunk[place]
      let bytes = unsafe UnsafeRawBufferPointer(
        start: entry.key.baseAddress.map { unsafe $0 - SortedChunk.headerSize }, count: entry.size)
      unsafe UnsafeMutableRawBufferPointer(rebasing: sorted[end...]).copyMemory(from: bytes)
      unsafe end += entry.size
    }
    let start = try unsafe file.append(UnsafeRawBufferPointer(sorted))
    runs.withLock { $0.append(.file(file, start: start, size: size)) }
  }
}

/// A sorted chunk in memory.
///
/// The memory that is reserved for the chunk is released with the last reference to the object.
final class HeldChunk: @unchecked Sendable {
  let chunk: SortedChunk
  private let memory: SortMemory

  init(_ chunk: consuming SortedChunk, memory: SortMemory) {
    self.chunk = chunk
    self.memory = memory
  }

  deinit { memory.giveBack(chunk.size) }
}
