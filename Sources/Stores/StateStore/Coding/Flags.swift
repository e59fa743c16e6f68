/// A byte of a body with up to eight Boolean values, for example which fields follow.
///
/// The first value is the lowest bit. Values are read in the order in which they were written. With
/// at most four values, the byte can also hold a number below 16.
struct Flags {
  let byte: UInt8
  private var place: UInt8 = 0

  /// Packs up to eight Boolean values, or up to four Boolean values and a number below 16.
  @inline(__always)
  init(
    _ first: Bool, _ second: Bool = false, _ third: Bool = false, _ fourth: Bool = false,
    _ fifth: Bool = false, _ sixth: Bool = false, _ seventh: Bool = false,
    _ eighth: Bool = false, beside number: UInt8 = 0
  ) {
    let low = Self.bit(first, 0) | Self.bit(second, 1) | Self.bit(third, 2) | Self.bit(fourth, 3)
    let high =
      Self.bit(fifth, 4) | Self.bit(sixth, 5) | Self.bit(seventh, 6) | Self.bit(eighth, 7)
    byte = low | high | number << 4
  }

  /// Prepares to read the Boolean values of a byte.
  init(byte: UInt8) { self.byte = byte }

  /// The number in the upper four bits, valid if the byte has at most four Boolean values.
  var number: UInt8 { byte >> 4 }

  @inline(__always)
  mutating func next() -> Bool {
    defer { place += 1 }
    return byte >> place & 1 != 0
  }

  private static func bit(_ flag: Bool, _ place: UInt8) -> UInt8 { flag ? 1 << place : 0 }
}
