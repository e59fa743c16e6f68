/// The decompressed text of an input, gzip or plain.
///
/// The first two bytes show whether an input is gzip. A file named `.gz` must be gzip or plain
/// text, which some jobs write under this name.
struct TextSource {
  private var bytes: ByteSource
  private let limits: ExportLimits
  private var inflater: GzipInflater?
  private var packed: [UInt8]
  private var packedRange = 0..<0
  private var isAtEnd = false
  /// The size of the decompressed text so far, in bytes.
  private(set) var textBytes: Int64 = 0

  init(_ bytes: ByteSource, name: String, limits: ExportLimits) throws(ExportError) {
    self.bytes = bytes
    self.limits = limits
    // The buffer for a short input has the size of the input, so that it is read at once with its
    // end.
    let room = min(limits.buffer, bytes.size.map { $0 + 1 } ?? limits.buffer)
    packed = [UInt8](repeating: 0, count: max(room, 16))
    try fillPacked(atLeast: 2)
    if packedRange.count >= 2, packed[0] == 0x1F, packed[1] == 0x8B {
      guard let inflater = GzipInflater() else { throw .unreadable(errno: outOfMemory) }
      self.inflater = inflater
    } else if name.hasSuffix(".gz") {
      // As many bytes whatever the size of the buffer.
      try fillPacked(atLeast: Self.examined)
      guard !packedRange.isEmpty else { throw try refused(.empty) }
      let isText = packed[packedRange].prefix(Self.examined).allSatisfy {
        $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0)
      }
      guard isText else { throw try refused(.notGzip) }
    }
  }

  /// The number of bytes that tell a text named `.gz` from a damaged gzip file, which has control
  /// bytes among them.
  private static let examined = 512

  /// The SHA-256 of the bytes read so far; at the end of the input, the SHA-256 of the file.
  var sha256: String { bytes.sha256 }
  /// The number of bytes read from the input so far, before decompression.
  var byteCount: Int64 { bytes.count }

  /// Writes the next text into the buffer; returns the number of bytes, 0 at the end of the text.
  ///
  /// - Precondition: The buffer is not empty.
  mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ExportError) -> Int {
    let count = unsafe inflater == nil ? try copy(into: buffer) : try inflate(into: buffer)
    textBytes += Int64(count)
    return count
  }

  /// Creates the error for a damaged file.
  ///
  /// First reads the file to its end, to complete the file's hash.
  mutating func refused(_ refusal: ExportRefusal) throws(ExportError) -> ExportError {
    try bytes.drain()
    return .refused(refusal, sha256: bytes.sha256, bytes: bytes.count)
  }

  private mutating func copy(
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(ExportError) -> Int {
    guard !packedRange.isEmpty else {
      return unsafe try bytes.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    let count = min(buffer.count, packedRange.count)
    for index in 0..<count { unsafe buffer[index] = packed[packedRange.lowerBound + index] }
    packedRange = (packedRange.lowerBound + count)..<packedRange.upperBound
    return count
  }

  private mutating func inflate(
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(ExportError) -> Int {
    guard let inflater else { return 0 }
    while true {
      if packedRange.isEmpty, !isAtEnd { try fillPacked(atLeast: 1) }
      if packedRange.isEmpty, inflater.isAtEnd { return 0 }
      let offset = bytes.count - Int64(packedRange.count)
      let step: InflatedStep
      do throws(ExportRefusal) {
        step = unsafe try packed.withUnsafeBufferPointer { all throws(ExportRefusal) in
          unsafe try inflater.step(
            input: UnsafeBufferPointer(rebasing: all[packedRange]), output: buffer, offset: offset)
        }
      } catch {
        throw try refused(error)
      }
      packedRange = (packedRange.lowerBound + step.consumed)..<packedRange.upperBound
      if step.produced > 0 {
        try checkInflation(adding: step.produced)
        return step.produced
      }
      if packedRange.isEmpty, isAtEnd, !inflater.isAtEnd {
        throw try refused(.truncated(offset: bytes.count))
      }
    }
  }

  private mutating func checkInflation(adding count: Int) throws(ExportError) {
    let total = textBytes + Int64(count)
    guard total > Int64(limits.freelyInflated) else { return }
    let offset = bytes.count - Int64(packedRange.count)
    guard total / Int64(max(limits.inflation, 1)) > offset else { return }
    throw try refused(.inflatesTooFar(offset: offset))
  }

  /// Reads until the buffer has at least `count` unused bytes, or the input ends.
  ///
  /// - Precondition: The unused bytes, if any, are the first of the buffer.
  private mutating func fillPacked(atLeast count: Int) throws(ExportError) {
    var filled = packedRange.count
    if packed.count < count { packed += repeatElement(0, count: count - packed.count) }
    while filled < count, !isAtEnd {
      let received = unsafe try packed.withUnsafeMutableBufferPointer {
        buffer throws(ExportError) in
        let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        return unsafe try bytes.read(into: UnsafeMutableRawBufferPointer(room))
      }
      if received == 0 { isAtEnd = true }
      filled += received
    }
    packedRange = 0..<filled
  }
}

/// The errno ENOMEM, which is 12 on every system.
private let outOfMemory: Int32 = 12
