internal import Diagnostics
internal import Synchronization
internal import TemporaryFiles

/// The bodies of a run's files until the commit: in memory while there is room, else in a file.
final class BodyStore: Sendable {
  private let memory: Int
  private let path: String
  private let held = Mutex(0)
  private let temporary = Mutex<TemporaryFile?>(nil)

  /// An empty store.
  ///
  /// - Parameters:
  ///   - memory: how many bytes may be held in memory.
  ///   - path: where the file is made; nothing else uses the name.
  init(memory: Int, path: String) {
    self.memory = memory
    self.path = path
  }

  /// Keeps bodies.
  ///
  /// - Throws: ``RunFailure`` when they do not fit into memory and the file cannot be written.
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

  /// Makes sure that bodies which came back from the file are those that were kept.
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

/// Bodies that a store holds in memory; their room is freed with the last reference.
final class HeldBytes: Sendable {
  let bytes: [UInt8]
  private let store: BodyStore

  init(_ bytes: [UInt8], store: BodyStore) {
    self.bytes = bytes
    self.store = store
  }

  deinit { store.release(bytes.count) }
}

/// Bodies end to end, wherever they are kept; they may have been kept in several turns.
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
  /// The offset of its beginning among all bodies, keyed by place.
  private var starts: [Int] = []
  /// The number of bytes.
  private(set) var count = 0

  init() {}

  init(_ place: Place) {
    append(place)
  }

  /// Adds bodies behind the others.
  mutating func append(_ other: StoredBodies) {
    for place in other.places { append(place) }
  }

  private mutating func append(_ place: Place) {
    places.append(place)
    starts.append(count)
    count += place.count
  }

  /// Calls a function with a body, which is contiguous.
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
