internal import CivilTime

/// A growing buffer of bytes, into which encoded rows are written.
///
/// An array would check uniqueness and bounds at every byte. Here the caller reserves capacity
/// first, and then writes bytes without these checks. Bytes beyond ``count`` are undefined.
@safe
struct ByteSink: ~Copyable {
  private var bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// Creates an empty buffer with a capacity in bytes.
  init(capacity: Int) {
    unsafe bytes = .allocate(capacity: max(capacity, 64))
  }

  deinit {
    unsafe bytes.deallocate()
  }

  /// The written bytes, valid until the next change.
  var written: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
  }

  /// Reserves capacity for a number of further bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if unsafe count + more > bytes.count { grow(more) }
  }

  private mutating func grow(_ more: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: unsafe max(2 * bytes.count, count + more))
    _ = unsafe larger.update(fromContentsOf: bytes[..<count])
    unsafe bytes.deallocate()
    unsafe bytes = larger
  }

  /// Removes all bytes after the first `count` bytes.
  mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "a sink cannot grow by truncating")
    self.count = count
  }

  /// Writes a byte into reserved capacity.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    unsafe bytes[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  @inline(__always)
  mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
    unsafe append(UnsafeRawBufferPointer(source))
  }

  @inline(__always)
  mutating func append(_ source: UnsafeRawBufferPointer) {
    reserve(source.count)
    guard let from = source.baseAddress, let base = unsafe bytes.baseAddress else { return }
    let to = unsafe UnsafeMutableRawPointer(base + count)
    let end = source.count
    // Most texts are short. They are copied by two writes, which may overlap, without a function
    // call.
    switch end {
    case 4..<8: unsafe copyEnds(from, to, end, as: UInt32.self)
    case 8...16: unsafe copyEnds(from, to, end, as: UInt64.self)
    case 17...32: unsafe copyEnds(from, to, end, as: SIMD16<UInt8>.self)
    case 33...64: unsafe copyEnds(from, to, end, as: SIMD32<UInt8>.self)
    default: unsafe to.copyMemory(from: from, byteCount: end)
    }
    count += end
  }

  /// Copies a text in two writes: first its beginning, then its end.
  ///
  /// The text is one to two times as long as `Value`, so the two writes cover all of it and may
  /// overlap. Example: for a text of 6 bytes and `UInt32`, the writes copy bytes 0–3 and bytes 2–5.
  @inline(__always)
  private func copyEnds<Value: BitwiseCopyable>(
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ count: Int, as type: Value.Type
  ) {
    let rest = count - MemoryLayout<Value>.size
    let head = unsafe from.loadUnaligned(as: type)
    let tail = unsafe from.loadUnaligned(fromByteOffset: rest, as: type)
    unsafe to.storeBytes(of: head, as: type)
    unsafe to.storeBytes(of: tail, toByteOffset: rest, as: type)
  }

  /// Writes a whole number in decimal.
  @inline(__always)
  mutating func appendDecimal(_ value: Int64) {
    // Writes eight bytes at a time. Later writes overwrite the surplus bytes.
    reserve(32)
    if value < 0 { put(UInt8(ascii: "-")) }
    let magnitude = value.magnitude
    if magnitude < 10 { return put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude)) }
    let (upper, low) = magnitude.quotientAndRemainder(dividingBy: EightDigits.limit)
    if upper == 0 { return putLeading(EightDigits(low)) }
    let (top, middle) = upper.quotientAndRemainder(dividingBy: EightDigits.limit)
    if top == 0 {
      putLeading(EightDigits(middle))
    } else {
      putLeading(EightDigits(top))
      put(EightDigits(middle).ascii, 8)
    }
    put(EightDigits(low).ascii, 8)
  }

  /// Writes digits without leading zeros; at least one digit must not be 0.
  @inline(__always)
  private mutating func putLeading(_ digits: EightDigits) {
    let zeros = digits.leadingZeros
    put(digits.ascii &>> UInt64(8 * zeros), 8 - zeros)
  }

  /// Writes the lowest `length` bytes of a number, little-endian.
  ///
  /// - Precondition: Capacity for eight bytes is reserved.
  @inline(__always)
  private mutating func put(_ ascii: UInt64, _ length: Int) {
    guard let base = unsafe bytes.baseAddress else { return }
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: ascii.littleEndian, as: UInt64.self)
    count += length
  }

  /// Appends the lowest `width` bytes of a number, big-endian.
  @inline(__always)
  mutating func appendBigEndian(_ value: UInt64, bytes width: Int) {
    reserve(8)
    var shift = 8 * width
    while shift > 0 {
      shift -= 8
      put(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// Writes a time as 20 bytes in UTC: `2024-05-23T01:29:09Z`.
  mutating func append(_ value: Instant) {
    reserve(20)
    count += unsafe value.write(into: UnsafeMutableBufferPointer(rebasing: bytes[count...]))
  }

  /// Writes a day as ten bytes: `2024-05-23`.
  mutating func append(_ value: CivilDay) {
    reserve(10)
    count += unsafe value.write(into: UnsafeMutableBufferPointer(rebasing: bytes[count...]))
  }
}
