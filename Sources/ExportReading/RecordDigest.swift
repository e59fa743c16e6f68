/// 128 bits of a record's bytes: two records with one digest are the same text.
///
/// No defence against someone who makes two different records with one digest on purpose; all it
/// could win is that its own second record is not counted.
struct RecordDigest: Hashable {
  var high: UInt64
  var low: UInt64

  /// Multiplies and folds sixteen bytes at a time in two lanes.
  init(of text: JSONCursor) {
    var first: UInt64 = 0x243F_6A88_85A3_08D3
    var second: UInt64 = 0x1319_8A2E_0370_7344
    let keyA: UInt64 = 0xA409_3822_299F_31D0
    let keyB: UInt64 = 0x082E_FA98_EC4E_6C89
    var offset = 0
    while offset + 16 <= text.end {
      let left = text.word(at: offset)
      let right = text.word(at: offset + 8)
      first = Self.fold(first ^ left, right ^ keyA)
      second = Self.fold(second ^ right, left ^ keyB)
      offset += 16
    }
    var tail: (UInt64, UInt64) = (0, 0)
    for index in offset..<text.end {
      let byte = UInt64(text.byte(at: index))
      if index - offset < 8 {
        tail.0 |= byte << UInt64((index - offset) * 8)
      } else {
        tail.1 |= byte << UInt64((index - offset - 8) * 8)
      }
    }
    let length = UInt64(text.end)
    high = Self.fold(Self.fold(first ^ tail.0, tail.1 ^ keyA) ^ length, keyB)
    low = Self.fold(Self.fold(second ^ tail.1, tail.0 ^ keyB) ^ length, keyA)
  }

  @inline(__always) private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    // Adding the factors keeps a zero factor from wiping out what came before.
    return high ^ low &+ (left &<< 1 | left &>> 63) &+ right
  }
}

/// The digests of the records that were used; open addressing, growing by doubling.
struct DigestSet {
  private var slots = [RecordDigest](repeating: RecordDigest.free, count: 64)
  private var count = 0

  /// Whether a digest is in the set.
  func contains(_ digest: RecordDigest) -> Bool {
    slots[slot(of: digest)] != .free
  }

  /// Adds a digest.
  mutating func insert(_ digest: RecordDigest) {
    let slot = slot(of: digest)
    guard slots[slot] == .free else { return }
    slots[slot] = digest
    count += 1
    guard count * 2 > slots.count else { return }
    let old = slots
    slots = [RecordDigest](repeating: .free, count: old.count * 2)
    for digest in old where digest != .free { slots[self.slot(of: digest)] = digest }
  }

  private func slot(of digest: RecordDigest) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: digest.low) & mask
    while slots[slot] != .free, slots[slot] != digest { slot = (slot + 1) & mask }
    return slot
  }
}

extension RecordDigest {
  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The mark of an empty slot, which no record is expected to have.
  fileprivate static let free = RecordDigest(high: 0, low: 0)
}
