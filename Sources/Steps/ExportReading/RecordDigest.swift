/// A 128-bit hash of a record's bytes: records with equal hashes are treated as equal.
///
/// The hash is not cryptographic. If an attacker constructs two different records with equal
/// hashes, the second record is ignored; nothing else is affected.
struct RecordDigest: Hashable {
  var high: UInt64
  var low: UInt64
}

extension RecordDigest {
  /// Hashes a text: multiplies sixteen bytes at a time into one of four independent lanes.
  init(of text: JSONCursor) { self.init(of: text, in: 0..<text.end) }

  /// Hashes a part of a text.
  init(of text: JSONCursor, in range: Range<Int>) {
    var first = Lane(low: 0x243F_6A88_85A3_08D3, high: 0x1319_8A2E_0370_7344)
    var second = Lane(low: 0x4528_21E6_38D0_1377, high: 0xBE54_66CF_34E9_0C6C)
    var third = Lane(low: 0xC0AC_29B7_C97C_50DD, high: 0x3F84_D5B5_B547_0917)
    var fourth = Lane(low: 0x9216_D5D9_8979_FB1B, high: 0xD131_0BA6_98DF_B5AC)
    var offset = range.lowerBound
    let end = range.upperBound
    while offset + 64 <= end {
      first.take(text.word(at: offset), text.word(at: offset + 8))
      second.take(text.word(at: offset + 16), text.word(at: offset + 24))
      third.take(text.word(at: offset + 32), text.word(at: offset + 40))
      fourth.take(text.word(at: offset + 48), text.word(at: offset + 56))
      offset += 64
    }
    while offset < end {
      first.take(
        Self.word(of: text, at: offset, end: end), Self.word(of: text, at: offset + 8, end: end))
      offset += 16
    }
    first.take(second.low, second.high)
    first.take(third.low, third.high)
    first.take(fourth.low, fourth.high)
    let length = UInt64(range.count)
    high = Self.fold(Self.fold(first.low, keyA) ^ length, first.high ^ keyB)
    low = Self.fold(Self.fold(first.high, keyB) ^ length, first.low ^ keyA)
  }

  /// The hash to which those of several texts are added.
  static var ofNothing: RecordDigest { RecordDigest(high: keyA, low: keyB) }

  /// Adds the hash of another text, and the mark of its place among the texts.
  mutating func add(_ other: RecordDigest, mark: UInt64) {
    var lane = Lane(low: low, high: high)
    lane.take(other.low ^ mark, other.high)
    high = Self.fold(lane.low, keyA ^ other.high)
    low = Self.fold(lane.high, keyB ^ other.low)
  }

  /// One of the four lanes: a state of 128 bits.
  private struct Lane {
    var low: UInt64
    var high: UInt64

    /// Mixes sixteen bytes into the state by a multiplication with a result of 128 bits.
    ///
    /// The factors are added to the product, so that a zero factor does not erase the earlier
    /// state.
    @inline(__always) mutating func take(_ left: UInt64, _ right: UInt64) {
      let factors = (left: low ^ left, right: high ^ right ^ keyB)
      let product = factors.left.multipliedFullWidth(by: factors.right)
      low = product.low &+ factors.right
      high = product.high ^ factors.left
    }
  }

  /// Eight bytes of the text; bytes after the end are zero.
  @inline(__always) private static func word(
    of text: JSONCursor, at offset: Int, end: Int
  ) -> UInt64 {
    let count = end - offset
    if count >= 8 { return text.word(at: offset) }
    return count <= 0 ? 0 : text.word(at: offset) & (1 &<< UInt64(count * 8) &- 1)
  }

  @inline(__always) private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    // A zero factor would erase the earlier state; adding the factors prevents this.
    return high ^ low &+ (left &<< 1 | left &>> 63) &+ right
  }
}

/// A set of hashes with open addressing; it grows by doubling.
struct DigestSet {
  private var slots = [RecordDigest](repeating: RecordDigest.free, count: 64)
  private var count = 0

  func contains(_ digest: RecordDigest) -> Bool {
    slots[slot(of: digest)] != .free
  }

  /// Adds a digest to the set; returns false if the set already contains it.
  @discardableResult
  mutating func insert(_ digest: RecordDigest) -> Bool {
    let slot = slot(of: digest)
    guard slots[slot] == .free else { return false }
    slots[slot] = digest
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [RecordDigest](repeating: .free, count: old.count * 2)
    for digest in old where digest != .free { slots[slot(of: digest)] = digest }
  }

  private func slot(of digest: RecordDigest) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: digest.low) & mask
    while slots[slot] != .free, slots[slot] != digest { slot = (slot + 1) & mask }
    return slot
  }
}

private let keyA: UInt64 = 0xA409_3822_299F_31D0
private let keyB: UInt64 = 0x082E_FA98_EC4E_6C89

extension RecordDigest {
  /// The mark of an empty slot; no record is expected to have this hash.
  fileprivate static var free: RecordDigest { RecordDigest(high: 0, low: 0) }
}
