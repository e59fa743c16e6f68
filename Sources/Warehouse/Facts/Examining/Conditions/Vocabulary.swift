/// The few words that a column may hold, told apart without a call or a copy.
@safe
struct Vocabulary: ~Copyable {
  /// How many words there can be: a bit each.
  static let largest = 64

  /// A word, or a vacant place.
  @safe
  private struct Slot {
    var mark = TextMark()
    var bit: Int64 = 0
    var text = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }

  private let slots: UnsafeMutableBufferPointer<Slot>

  /// Takes note of words, of which no two are equal.
  init(_ words: [[UInt8]]) {
    var size = 4
    while size < 2 * words.count { size *= 2 }
    unsafe slots = .allocate(capacity: size)
    unsafe slots.initialize(repeating: Slot())
    for (number, word) in words.enumerated() {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: word.count, alignment: 8)
      unsafe copy.copyBytes(from: word)
      let text = UnsafeRawBufferPointer(copy)
      let mark = unsafe TextMark(text)
      var place = Int(truncatingIfNeeded: mark.hash) & (size - 1)
      while unsafe slots[place].bit != 0 { place = (place + 1) & (size - 1) }
      unsafe slots[place] = Slot(mark: mark, bit: 1 << Int64(number), text: text)
    }
  }

  deinit {
    for place in unsafe slots.indices { unsafe slots[place].text.deallocate() }
    unsafe slots.deallocate()
  }

  /// The bit of a text; 0 for one that is no word.
  @inline(__always)
  func bit(of text: UnsafeRawBufferPointer) -> Int64 {
    let mark = unsafe TextMark(text)
    let mask = unsafe slots.count - 1
    var place = Int(truncatingIfNeeded: mark.hash) & mask
    while unsafe slots[place].bit != 0 {
      if unsafe slots[place].mark == mark,
        unsafe mark.isWhole || KeyOrder.compare(slots[place].text, text) == 0
      {
        return unsafe slots[place].bit
      }
      place = (place + 1) & mask
    }
    return 0
  }
}

/// The length, the first and the last eight bytes of a text: of a short one all there is.
struct TextMark: Equatable {
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var count = 0

  /// The mark of an empty text.
  init() {}

  /// The mark of a text.
  @inline(__always)
  init(_ text: UnsafeRawBufferPointer) {
    count = text.count
    if count >= 8 {
      head = unsafe text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      tail = unsafe text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      head = unsafe UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      tail = unsafe UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    } else if count > 0 {
      head = unsafe UInt64(text[0]) << 8 | UInt64(text[count / 2])
      tail = unsafe UInt64(text[count - 1])
    }
  }

  /// Whether texts with equal marks are equal.
  var isWhole: Bool { count <= 16 }

  /// A number that differs where marks do, as a rule, in its low bits too.
  var hash: UInt64 {
    let mixed = (head ^ (tail &<< 1) ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 32
  }
}
