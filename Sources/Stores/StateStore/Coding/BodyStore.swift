internal import Diagnostics
internal import Synchronization
internal import TemporaryFiles

/// Keeps the encoded files of a run until the commit: in memory, and beyond a limit in a temporary
/// file.
final class BodyStore: Sendable {
  private let memory: Int
  private let path: String
  private let held = Mutex(0)
  private let temporary = Mutex<TemporaryFile?>(nil)

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - memory: The number of bytes that are kept in memory.
  ///   - path: The path of the temporary file; used for nothing else.
  init(memory: Int, path: String) {
    self.memory = memory
    self.path = path
  }

  /// Stores bodies.
  ///
  /// - Throws: ``RunFailure`` when they exceed the memory and the file cannot be written.
  func keep(_ bytes: [UInt8]) throws(RunFailure) -> StoredBodies {
    let hasRoom = held.withLock { held in
      guard bytes.count <= memory - held else { return false }
      held += bytes.count
      return true
    }
    if hasRoom { return StoredBodies(.memory(HeldBytes(bytes, store: self))) }
    let file = try temporaryFile()
    let start = try file.append(bytes)
    return StoredBodies(.file(file, start: start, count: bytes.count))
  }

  /// Checks that the disk has stored all written bodies.
  func requireWritten() throws(RunFailure) {
    try temporary.withLock { $0 }?.requireWritten()
  }

  fileprivate func release(_ count: Int) { held.withLock { $0 -= count } }

  private func temporaryFile() throws(RunFailure) -> TemporaryFile {
    let file: Result<TemporaryFile, RunFailure> = temporary.withLock { temporary in
      if let temporary { return .success(temporary) }
      do throws(RunFailure) {
        let made = try TemporaryFile(path: path)
        temporary = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try file.get()
  }
}

/// Bodies in memory; freed with the last reference.
final class HeldBytes: Sendable {
  let bytes: [UInt8]
  private let store: BodyStore

  init(_ bytes: [UInt8], store: BodyStore) {
    self.bytes = bytes
    self.store = store
  }

  deinit { store.release(bytes.count) }
}

/// Bodies one after another, in memory or in the temporary file; stored in one or more parts.
struct StoredBodies: Sendable {
  enum Place: Sendable {
    case memory(HeldBytes)
    case file(TemporaryFile, start: Int64, count: Int)

    var count: Int {
      switch self {
      case .memory(let held): held.bytes.count
      case .file(_, _, let count): count
      }
    }
  }

  private var places: [Place] = []
  /// The offset of each part among all bodies.
  private var starts: [Int] = []
  /// The number of bytes.
  private(set) var count = 0

  init() {}

  init(_ place: Place) {
    append(place)
  }

  /// Appends bodies after the others.
  mutating func append(_ other: StoredBodies) {
    for place in other.places { append(place) }
  }

  private mutating func append(_ place: Place) {
    places.append(place)
    starts.append(count)
    count += place.count
  }

  /// Passes the contiguous bytes of one body to `body`.
  func withBody<Value>(
    _ part: EncodedFile.Part, _ body: (Span<UInt8>) throws -> Value
  ) throws -> Value {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= part.start { low = middle } else { high = middle }
    }
    let start = part.start - starts[low]
    switch places[low] {
    case .memory(let held):
      return try body(held.bytes[start..<start + part.count].span)
    case .file(let file, let offset, _):
      let bytes = try file.read(part.count, at: offset + Int64(start))
      return try body(bytes.span)
    }
  }
}
