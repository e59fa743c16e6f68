internal import Diagnostics
internal import PurchaseModel
internal import SystemPackage

/// Arrays of plain values as bytes of a file, for another run of the same program.
///
/// Every array goes straight from memory into the file, with the size and the number of its values
/// before it and a sum over its bytes after it. Symbols are numbers of one run. They are written as
/// they are, with the table of their numbers in state.db, by which the next run renames them.
struct IndexWriter {
  private let descriptor: FileDescriptor
  /// Whether the file system refused a write; the rest is not written then.
  private(set) var hasFailed = false

  /// Begins to write to a file.
  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Writes values.
  mutating func put<Value: BitwiseCopyable>(_ values: [Value]) {
    put(word: UInt64(MemoryLayout<Value>.stride))
    put(word: UInt64(values.count))
    unsafe values.withUnsafeBytes { bytes in
      unsafe write(bytes)
      put(word: unsafe indexSum(over: bytes))
    }
  }

  /// Writes one value.
  mutating func put<Value: BitwiseCopyable>(one value: Value) { put([value]) }

  /// The most rows in one array.
  private static let rowsAtOnce = 1 << 13

  /// Writes a number of rows as they come.
  mutating func put<Row: BitwiseCopyable>(
    _ count: Int, rows: ((Row) -> Void) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    put(one: count)
    var waiting: [Row] = []
    var written = 0
    func flush() {
      put(waiting)
      written += waiting.count
      waiting.removeAll(keepingCapacity: true)
    }
    try rows { row in
      waiting.append(row)
      if waiting.count == Self.rowsAtOnce { flush() }
    }
    if !waiting.isEmpty { flush() }
    precondition(written == count, "the index has as many rows as told")
  }

  /// Writes a text.
  mutating func put(_ text: String) { put(Array(text.utf8)) }

  private mutating func put(word: UInt64) {
    unsafe withUnsafeBytes(of: word) { unsafe write($0) }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    do { _ = try unsafe descriptor.writeAll(bytes) } catch { hasFailed = true }
  }
}

/// Reads the file of an ``IndexWriter``; any mismatch makes it give up, and nothing is used.
struct IndexReader {
  private let descriptor: FileDescriptor
  private var left: Int
  /// Whether something did not fit.
  private(set) var isDamaged = false

  /// Begins to read a file of so many bytes.
  init(_ descriptor: FileDescriptor, bytes: Int) {
    self.descriptor = descriptor
    left = bytes
  }

  /// Whether everything was read, and all of it fitted.
  var isComplete: Bool { !isDamaged && left == 0 }

  /// Reads values; none from the first mismatch on.
  mutating func get<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) -> [Value] {
    let stride = MemoryLayout<Value>.stride
    guard word() == UInt64(stride), let told = word(), let count = Int(exactly: told),
      count <= left / max(1, stride)
    else {
      isDamaged = true
      return []
    }
    let values = unsafe [Value](unsafeUninitializedCapacity: count) { values, filled in
      filled = unsafe fill(UnsafeMutableRawBufferPointer(values)) ? count : 0
    }
    let sum = unsafe values.withUnsafeBytes { unsafe indexSum(over: $0) }
    guard word() == sum else {
      isDamaged = true
      return []
    }
    return values
  }

  /// Reads one value; `nil` if none is left.
  mutating func one<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) -> Value? {
    let values = get(type)
    if values.count != 1 { isDamaged = true }
    return values.first
  }

  /// Gives up: what was read does not fit together.
  mutating func giveUp() { isDamaged = true }

  /// Reads rows that were written as they came, into an array with room for those of a night.
  mutating func rows<Row: BitwiseCopyable>() -> [Row] {
    guard let count = one(Int.self), count >= 0, count <= left / max(1, MemoryLayout<Row>.stride)
    else {
      isDamaged = true
      return []
    }
    var rows: [Row] = []
    rows.reserveCapacity(count + count / 32)
    while rows.count < count {
      let some = get(Row.self)
      guard !some.isEmpty, some.count <= count - rows.count else {
        isDamaged = true
        return []
      }
      rows += some
    }
    return rows
  }

  /// Reads a text.
  mutating func text() -> String { String(decoding: get(UInt8.self), as: UTF8.self) }

  private mutating func word() -> UInt64? {
    var word: UInt64 = 0
    let isFilled = unsafe withUnsafeMutableBytes(of: &word) { unsafe fill($0) }
    return isFilled ? word : nil
  }

  /// Fills a buffer; `false` if the file has fewer bytes.
  private mutating func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    var filled = 0
    while !isDamaged, filled < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
      let count = unsafe (try? descriptor.read(into: rest)) ?? 0
      if count == 0 { isDamaged = true }
      filled += count
    }
    left -= filled
    return !isDamaged
  }
}

/// A sum that torn or changed bytes do not have.
private func indexSum(over bytes: UnsafeRawBufferPointer) -> UInt64 {
  var sum = UInt64(bytes.count)
  var position = 0
  while position + 8 <= bytes.count {
    let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    sum = (sum ^ word) &* 0x9e37_79b9_7f4a_7c15
    sum ^= sum >> 29
    position += 8
  }
  for rest in position..<bytes.count { sum = wellMixed(sum ^ UInt64(unsafe bytes[rest])) }
  return sum
}
