internal import Diagnostics
internal import PurchaseModel

/// Arrays of plain values as bytes, for another run of the same program.
///
/// Symbols are numbers of one run. They are written as they are, with the table of their numbers in
/// state.db, by which the next run renames them.
struct IndexWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes values.
  mutating func put<Value: BitwiseCopyable>(_ values: [Value]) {
    bytes.append(contentsOf: Self.head(MemoryLayout<Value>.stride, values.count))
    unsafe values.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes one value.
  mutating func put<Value: BitwiseCopyable>(one value: Value) { put([value]) }

  /// Writes a text.
  mutating func put(_ text: String) { put(Array(text.utf8)) }

  private static func head(_ stride: Int, _ count: Int) -> [UInt8] {
    var head: [UInt8] = []
    for number in [Int64(stride), Int64(count)] {
      unsafe withUnsafeBytes(of: number.littleEndian) { unsafe head.append(contentsOf: $0) }
    }
    return head
  }
}

/// Reads the bytes of an ``IndexWriter``; any mismatch makes it give up, and nothing is used.
struct IndexReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether something did not fit.
  private(set) var isDamaged = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether everything was read, and all of it fitted.
  var isComplete: Bool { !isDamaged && position == bytes.count }

  /// Reads values.
  mutating func get<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) -> [Value] {
    guard let stride = number(), let count = number(), stride == MemoryLayout<Value>.stride,
      count >= 0, count <= (bytes.count - position) / max(1, stride)
    else {
      isDamaged = true
      return []
    }
    let start = position
    position += stride * count
    return unsafe bytes.withUnsafeBytes { all in
      unsafe [Value](unsafeUninitializedCapacity: count) { values, filled in
        unsafe UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: all[start..<start + stride * count]))
        filled = count
      }
    }
  }

  /// Reads one value; `nil` if none is left.
  mutating func one<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) -> Value? {
    let values = get(type)
    if values.count != 1 { isDamaged = true }
    return values.first
  }

  /// Reads a text.
  mutating func text() -> String { String(decoding: get(UInt8.self), as: UTF8.self) }

  private mutating func number() -> Int? {
    guard position + 8 <= bytes.count else { return nil }
    defer { position += 8 }
    let value = unsafe bytes.withUnsafeBytes {
      Int64(littleEndian: unsafe $0.loadUnaligned(fromByteOffset: position, as: Int64.self))
    }
    return Int(exactly: value)
  }
}
