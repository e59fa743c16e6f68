internal import Diagnostics
internal import TemporaryFiles

/// The bytes of encoded bodies in memory.
///
/// The memory that is reserved for them is released with the last reference to the object.
final class HeldBytes: Sendable {
  let bytes: [UInt8]
  private let memory: SortMemory

  init(_ bytes: [UInt8], memory: SortMemory) {
    self.bytes = bytes
    self.memory = memory
  }

  deinit { memory.giveBack(bytes.count) }
}

/// The encoded bodies of a file, one after another, in memory or in the temporary file.
///
/// If the file was encoded in several parts, the bodies of each part are either in memory or in the
/// temporary file.
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
  /// The offset of the first byte of each element of `places`, from the beginning of all bodies.
  private var starts: [Int] = []
  /// The total size of the bodies, in bytes.
  private(set) var count = 0

  init() {}

  /// Keeps the bodies of a file or of a part of it until the commit.
  ///
  /// They are kept in memory within the memory limit, else in the temporary file.
  init(_ bytes: [UInt8], in memory: SortMemory) throws(RunFailure) {
    if memory.take(bytes.count) {
      append(.memory(HeldBytes(bytes, memory: memory)))
    } else {
      let file = try memory.file()
      append(.file(file, start: try file.append(bytes), count: bytes.count))
    }
  }

  /// Appends the bodies of the file's next part.
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
