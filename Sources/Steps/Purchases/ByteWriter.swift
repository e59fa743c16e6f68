/// Writes values as they lie in memory, for use in the same process only.
struct ByteWriter {
  private var bytes: [UInt8] = []

  /// Removes the bytes and keeps the capacity.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a value's bytes.
  mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Calls a function with the written bytes.
  func withWritten<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.span.withUnsafeBytes { (written) throws(Failure) in try unsafe body(written) }
  }
}

/// Reads the bytes of a ``ByteWriter``.
@safe
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Starts at the first byte; the bytes must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Reads the next value.
  mutating func get<Value: BitwiseCopyable>(_ type: Value.Type = Value.self) -> Value {
    defer { position += MemoryLayout<Value>.size }
    return unsafe bytes.loadUnaligned(fromByteOffset: position, as: type)
  }

  /// Reads consecutive values into an array.
  mutating func append<Value: BitwiseCopyable>(_ count: Int32, to values: inout [Value]) {
    for _ in 0..<count { values.append(get()) }
  }
}
