/// The byte before each value of a record, which gives the type and length of the value.
///
/// The byte is 0 for NULL; 1 to 8 for a whole number of that many bytes, big-endian; 9 to 254 for a
/// text of 0 to 245 bytes; 255 for a longer text, whose length follows in eight bytes. Records are
/// used only within one process.
enum ValueMark {
  static let null: UInt8 = 0
  static let emptyText: UInt8 = 9
  static let longText: UInt8 = 255
}

extension ByteSink {
  /// Appends a whole number as a value of a record.
  @inline(__always)
  mutating func appendValue(_ value: Int64) {
    let width = (64 - (value ^ value >> 63).leadingZeroBitCount) / 8 + 1
    append(UInt8(width))
    appendBigEndian(UInt64(bitPattern: value), bytes: width)
  }

  @inline(__always)
  mutating func appendValue(_ text: UnsafeRawBufferPointer) {
    if text.count < Int(ValueMark.longText - ValueMark.emptyText) {
      append(ValueMark.emptyText + UInt8(text.count))
    } else {
      append(ValueMark.longText)
      appendBigEndian(UInt64(text.count), bytes: 8)
    }
    unsafe append(text)
  }
}

@safe
struct RecordCursor {
  private let record: UnsafeRawBufferPointer
  private var position = 0

  /// Starts at the first value of a record.
  @inline(__always)
  init(_ record: UnsafeRawBufferPointer) { unsafe self.record = record }

  @unsafe enum Value {
    case null
    case integer(Int64)
    case text(UnsafeRawBufferPointer)
  }

  /// Reads the value of the next column; `nil` after the last.
  @inline(__always)
  mutating func next() -> Value? {
    guard unsafe position < record.count else { return nil }
    let kind = unsafe record[position]
    position += 1
    switch kind {
    case ValueMark.null: return unsafe .null
    case 1..<ValueMark.emptyText: return unsafe .integer(number(Int(kind)))
    case ValueMark.longText: return unsafe .text(bytes(Int(number(8))))
    default: return unsafe .text(bytes(Int(kind - ValueMark.emptyText)))
    }
  }

  @inline(__always)
  private mutating func number(_ width: Int) -> Int64 {
    let bytes = unsafe bytes(width)
    var value = unsafe Int64(Int8(bitPattern: bytes[0]))
    for index in 1..<width { value = unsafe value << 8 | Int64(bytes[index]) }
    return value
  }

  @inline(__always)
  private mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    defer { position += count }
    return unsafe UnsafeRawBufferPointer(rebasing: record[position..<position + count])
  }
}
