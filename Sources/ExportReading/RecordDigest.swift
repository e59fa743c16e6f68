/// 128 bits of a record's bytes: two records with one digest are the same text.
///
/// No defence against someone who makes two different records with one digest on purpose; all it
/// could win is that its own second record is not counted.
struct RecordDigest: Hashable {
  var high: UInt64
  var low: UInt64

  /// Multiplies and folds 32 bytes at a time in two pairs of lanes that do not wait for each other;
  /// both lanes of a pair take every byte of theirs.
  init(of text: JSONCursor) {
    var even = (first: UInt64(0x243F_6A88_85A3_08D3), second: UInt64(0x1319_8A2E_0370_7344))
    var odd = (first: UInt64(0x4528_21E6_38D0_1377), second: UInt64(0xBE54_66CF_34E9_0C6C))
    var offset = 0
    while offset + 32 <= text.end {
      Self.take(text.word(at: offset), text.word(at: offset + 8), into: &even)
      Self.take(text.word(at: offset + 16), text.word(at: offset + 24), into: &odd)
      offset += 32
    }
    while offset < text.end {
      Self.take(Self.word(of: text, at: offset), Self.word(of: text, at: offset + 8), into: &even)
      offset += 16
    }
    Self.take(odd.first, odd.second, into: &even)
    let length = UInt64(text.end)
    high = Self.fold(Self.fold(even.first, keyA) ^ length, even.second ^ keyB)
    low = Self.fold(Self.fold(even.second, keyB) ^ length, even.first ^ keyA)
  }

  @inline(__always) private static func take(
    _ left: UInt64, _ right: UInt64, into lanes: inout (first: UInt64, second: UInt64)
  ) {
    lanes.first = fold(lanes.first ^ left, right ^ keyA)
    lanes.second = fold(lanes.second ^ right, left ^ keyB)
  }

  /// Eight bytes, zero where they lie behind the end.
  @inline(__always) private static func word(of text: JSONCursor, at offset: Int) -> UInt64 {
    let count = text.end - offset
    if count >= 8 { return text.word(at: offset) }
    return count <= 0 ? 0 : text.word(at: offset) & (1 &<< UInt64(count * 8) &- 1)
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

private let keyA: UInt64 = 0xA409_3822_299F_31D0
private let keyB: UInt64 = 0x082E_FA98_EC4E_6C89

extension RecordDigest {
  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The mark of an empty slot, which no record is expected to have.
  fileprivate static let free = RecordDigest(high: 0, low: 0)
}
