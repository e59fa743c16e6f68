public import Diagnostics

extension ExternalSort {
  /// Reads the records of a sort in order.
  @safe
  public final class Reader {
    private var merge = RunMerge()
    private var isBegun = false

    /// The approximate size of all read buffers together, in bytes.
    private static let bytesAhead = 16 << 20

    init(_ runs: [Run]) throws(RunFailure) {
      let inFiles = runs.count { if case .file = $0 { true } else { false } }
      let bufferSize = min(1 << 18, max(1 << 12, Self.bytesAhead / max(1, inFiles)))
      for run in runs {
        let cursor = RunCursor(run, bufferSize: bufferSize)
        guard try cursor.advance() else { continue }
        merge.add(cursor)
      }
    }

    /// Moves to the next record; returns `false` after the last.
    ///
    /// - Throws: ``RunFailure`` with status 74 if the temporary file cannot be read.
    public func next() throws(RunFailure) -> Bool {
      guard isBegun else {
        isBegun = true
        return !merge.isEmpty
      }
      return try merge.next()
    }

    /// The current record's key, valid until the next record.
    public var key: UnsafeRawBufferPointer { unsafe merge.first.key }

    /// The current record's value, valid until the next record.
    public var value: UnsafeRawBufferPointer { unsafe merge.first.value }
  }
}

/// A k-way merge of sorted runs.
///
/// The merge is a value type, so that Swift checks exclusive access only once per record.
@safe
private struct RunMerge {
  private var cursors: [RunCursor] = []
  /// The current entry of each cursor.
  private var entries: [SortEntry] = unsafe []
  /// The indexes of the cursors that are not at their end, as a binary heap.
  ///
  /// The first index is that of the cursor with the smallest entry.
  private var heap: [Int] = []

  /// Whether all runs are at their end.
  var isEmpty: Bool { heap.isEmpty }

  /// The smallest entry of all runs.
  var first: SortEntry { unsafe entries[heap[0]] }

  /// Adds a run whose cursor is at its first entry.
  mutating func add(_ cursor: RunCursor) {
    cursors.append(cursor)
    unsafe entries.append(cursor.entry)
    heap.append(cursors.count - 1)
    rise()
  }

  /// Moves to the next entry; returns `false` after the last.
  mutating func next() throws(RunFailure) -> Bool {
    guard let first = heap.first else { return false }
    if try cursors[first].advance() {
      unsafe entries[first] = cursors[first].entry
    } else {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink()
    return !heap.isEmpty
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    unsafe SortEntry.precedes(entries[heap[left]], entries[heap[right]])
  }

  private mutating func rise() {
    var place = heap.count - 1
    while place > 0, precedes(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = 2 * place + 1
      guard least < heap.count else { return }
      if least + 1 < heap.count, precedes(least + 1, least) { least += 1 }
      guard precedes(least, place) else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

@safe
private final class RunCursor {
  private let run: ExternalSort.Run
  private var place = 0
  /// The part of the file that was read last; contains the cursor's entry.
  private var buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var position = 0
  private var left = 0
  private var next: Int64 = 0
  private(set) var entry: SortEntry

  /// Starts before the first entry of a run.
  ///
  /// A run in the temporary file is read in blocks of `bufferSize` bytes.
  init(_ run: ExternalSort.Run, bufferSize: Int) {
    self.run = run
    unsafe buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    unsafe entry = SortEntry.none
    if case .file(_, let start, let size) = run {
      (next, left) = (start, size)
      unsafe buffer = .allocate(byteCount: min(bufferSize, size), alignment: 16)
    }
  }

  deinit { unsafe buffer.deallocate() }

  /// Moves to the next entry; returns `false` after the last.
  func advance() throws(RunFailure) -> Bool {
    switch run {
    case .memory(let held):
      guard place < held.chunk.count else { return false }
      unsafe entry = held.chunk[place]
      place += 1
      return true
    case .file(let file, _, _): return try advance(in: file)
    }
  }

  private func advance(in file: TemporaryFile) throws(RunFailure) -> Bool {
    guard filled > position || left > 0 else { return false }
    try require(SortedChunk.headerSize, of: file)
    let key = unsafe Int(buffer.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    let value = unsafe Int(buffer.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
    try require(SortedChunk.headerSize + key + value, of: file)
    unsafe entry = SortEntry(UnsafeRawBufferPointer(buffer), at: position)
    unsafe position += entry.size
    return true
  }

  /// Reads from the file until the buffer has at least `count` bytes after the cursor.
  private func require(_ count: Int, of file: TemporaryFile) throws(RunFailure) {
    guard filled - position < count else { return }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[position..<filled])
    if unsafe count > buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * count, alignment: 16)
      unsafe larger.copyMemory(from: rest)
      unsafe buffer.deallocate()
      unsafe buffer = larger
    } else {
      unsafe buffer.copyMemory(from: rest)
    }
    filled -= position
    position = 0
    let more = unsafe min(left, buffer.count - filled)
    try unsafe file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + more]), at: next)
    filled += more
    left -= more
    next += Int64(more)
  }
}

extension SortEntry {
  fileprivate static var none: SortEntry {
    unsafe withUnsafeBytes(of: UInt64(0)) { unsafe SortEntry($0, at: 0) }
  }
}
