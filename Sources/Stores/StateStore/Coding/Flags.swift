/// Boolean values that tell which fields of a row follow; the first value is the lowest bit.
///
/// A byte holds eight values, or four values and a number below 16.
struct Flags {
  let bits: UInt64
  private var place: UInt64 = 0

  init(bits: UInt64) { self.bits = bits }

  /// Packs up to eight Boolean values, or up to four Boolean values and a number below 16.
  @inline(__always)
  init(
    _ first: Bool, _ second: Bool = false, _ third: Bool = false, _ fourth: Bool = false,
    _ fifth: Bool = false, _ sixth: Bool = false, _ seventh: Bool = false,
    _ eighth: Bool = false, beside number: UInt8 = 0
  ) {
    var bits = UInt64(number) << 4
    if first { bits |= 1 }
    if second { bits |= 2 }
    if third { bits |= 4 }
    if fourth { bits |= 8 }
    if fifth { bits |= 16 }
    if sixth { bits |= 32 }
    if seventh { bits |= 64 }
    if eighth { bits |= 128 }
    self.bits = bits
  }

  /// The number in the upper four bits, valid if the byte has at most four Boolean values.
  var number: UInt8 { UInt8(bits >> 4) }

  /// The value at a place, from 0.
  @inline(__always) subscript(place: UInt64) -> Bool { bits >> place & 1 != 0 }

  /// The next value.
  @inline(__always) mutating func next() -> Bool {
    defer { place += 1 }
    return self[place]
  }

  /// The next two values as an optional one: the first stands for false, the second for true.
  @inline(__always) mutating func nextOptional() -> Bool? {
    let (isFalse, isTrue) = (next(), next())
    return isFalse || isTrue ? isTrue : nil
  }
}
