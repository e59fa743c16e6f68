/// The code of a column's type in SQLite's records (file format, section 2.1).
struct SerialType {
  /// The number in the record's header.
  let code: UInt8
  /// Bytes in the record's body.
  let width: Int

  /// NULL.
  static let null: UInt8 = 0

  /// The shortest type that holds a whole number.
  @inline(__always)
  init(integer value: Int64) {
    switch value {
    case 0: (code, width) = (8, 0)
    case 1: (code, width) = (9, 0)
    case -0x80...0x7F: (code, width) = (1, 1)
    case -0x8000...0x7FFF: (code, width) = (2, 2)
    case -0x80_0000...0x7F_FFFF: (code, width) = (3, 3)
    case -0x8000_0000...0x7FFF_FFFF: (code, width) = (4, 4)
    case -0x8000_0000_0000...0x7FFF_FFFF_FFFF: (code, width) = (5, 6)
    default: (code, width) = (6, 8)
    }
  }

  /// The bytes that a type of a header takes in the body.
  @inline(__always)
  static func width(of code: UInt64) -> Int {
    switch code {
    case 0, 8...11: 0  // 10 and 11 are no column's
    case 1...4: Int(code)
    case 5: 6
    case 6, 7: 8
    default: Int((code - 12) / 2)
    }
  }
}
