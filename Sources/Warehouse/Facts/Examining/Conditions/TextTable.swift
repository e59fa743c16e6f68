/// Texts in a table with open addressing, for being looked up without a copy.
@safe
struct TextTable: ~Copyable {
  private struct Slot {
    var hash: UInt64 = 0  // 0 where the place is vacant
    var start = 0
    var count = 0
  }

  private var slots: UnsafeMutableBufferPointer<Slot>
  private var bytes = ByteSink(capacity: 64)
  private var count = 0

  /// An empty table.
  init() {
    unsafe slots = .allocate(capacity: 16)
    unsafe slots.initialize(repeating: Slot())
  }

  deinit {
    unsafe slots.deallocate()
  }

  /// Whether a text is in the table.
  @inline(__always)
  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    let place = unsafe place(of: text, hash: Self.hash(text))
    return unsafe slots[place].hash != 0
  }

  /// Adds a text, unless it is there.
  mutating func insert(_ text: UnsafeRawBufferPointer) {
    let hash = unsafe Self.hash(text)
    let place = unsafe place(of: text, hash: hash)
    guard unsafe slots[place].hash == 0 else { return }
    unsafe slots[place] = Slot(hash: hash, start: bytes.count, count: text.count)
    unsafe bytes.append(text)
    count += 1
    if unsafe 2 * count > slots.count { grow() }
  }

  private mutating func grow() {
    let larger = UnsafeMutableBufferPointer<Slot>.allocate(capacity: unsafe 2 * slots.count)
    unsafe larger.initialize(repeating: Slot())
    for old in unsafe slots.indices {
      let slot = unsafe slots[old]
      guard slot.hash != 0 else { continue }
      var place = Int(truncatingIfNeeded: slot.hash) & (larger.count - 1)
      while unsafe larger[place].hash != 0 { place = (place + 1) & (larger.count - 1) }
      unsafe larger[place] = slot
    }
    unsafe slots.deallocate()
    unsafe slots = larger
  }

  /// Where a text stands, or the vacant place where it would.
  @inline(__always)
  private func place(of text: UnsafeRawBufferPointer, hash: UInt64) -> Int {
    let mask = unsafe slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = unsafe slots[place]
      if slot.hash == 0 { return place }
      if slot.hash == hash, slot.count == text.count {
        let known = unsafe UnsafeRawBufferPointer(
          rebasing: bytes.written[slot.start..<slot.start + slot.count])
        if unsafe KeyOrder.compare(known, text) == 0 { return place }
      }
      place = (place + 1) & mask
    }
  }

  /// A number that is not 0 and differs where texts do, as a rule, in its low bits too.
  @inline(__always)
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: text.count)
    var place = 0
    while place + 8 <= text.count {
      hash = unsafe mixed(hash ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < text.count {
      rest = unsafe rest << 8 | UInt64(text[place])
      place += 1
    }
    return mixed(hash ^ rest) | 1 << 63
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
