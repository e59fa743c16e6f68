/// The texts of a run, each kept once.
///
/// Texts lie end to end in one array of bytes; an open-addressing index of their hashes finds them
/// again. Interning a text that is known allocates nothing.
public struct SymbolTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  private var slots: [UInt32]  // symbol number + 1; 0 is free
  private var mask: Int

  /// An empty table.
  public init() {
    slots = [UInt32](repeating: 0, count: 1024)
    mask = 1023
  }

  /// How many texts there are.
  public var count: Int { ends.count }

  /// The symbol of a text, added where it is new.
  public mutating func intern(_ text: Span<UInt8>) -> Symbol {
    let hash = Self.hash(text)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let candidate = Int(slots[slot]) - 1
      if hashes[candidate] == hash, equals(candidate, text) {
        return Symbol(rawValue: UInt32(candidate))
      }
      slot = (slot + 1) & mask
    }
    for index in 0..<text.count { bytes.append(text[index]) }
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
    return Symbol(rawValue: UInt32(ends.count - 1))
  }

  /// The symbol of a text that is likely to be the hinted one, added where it is new.
  public mutating func intern(_ text: Span<UInt8>, hint: Symbol?) -> Symbol {
    if let hint, equals(Int(hint.rawValue), text) { return hint }
    return intern(text)
  }

  /// The symbol of a text, added where it is new.
  public mutating func intern(_ text: String) -> Symbol {
    let bytes = Array(text.utf8)
    return intern(bytes.span)
  }

  /// The symbol of a text that is already known.
  public func symbol(_ text: String) -> Symbol? {
    let bytes = Array(text.utf8)
    let hash = Self.hash(bytes.span)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let candidate = Int(slots[slot]) - 1
      if hashes[candidate] == hash, equals(candidate, bytes.span) {
        return Symbol(rawValue: UInt32(candidate))
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// The text of a symbol of this table.
  public func text(_ symbol: Symbol) -> String {
    String(decoding: utf8(symbol), as: UTF8.self)
  }

  /// The UTF-8 bytes of a symbol of this table.
  public func utf8(_ symbol: Symbol) -> ArraySlice<UInt8> {
    let index = Int(symbol.rawValue)
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The same texts in byte order, and each old symbol's number in the new table.
  public func sorted() -> (table: SymbolTable, ranks: [Symbol]) {
    let order = (0..<UInt32(count)).map(Symbol.init(rawValue:)).sorted {
      utf8($0).lexicographicallyPrecedes(utf8($1))
    }
    var table = SymbolTable()
    var ranks = [Symbol](repeating: Symbol(rawValue: 0), count: count)
    for symbol in order {
      let text = utf8(symbol)
      ranks[Int(symbol.rawValue)] = table.intern(text.span)
    }
    return (table, ranks)
  }

  private func equals(_ index: Int, _ text: Span<UInt8>) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    guard ends[index] - start == text.count else { return false }
    for offset in 0..<text.count where bytes[start + offset] != text[offset] { return false }
    return true
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for index in hashes.indices {
      var slot = Int(truncatingIfNeeded: hashes[index]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// FNV-1a over eight bytes at a time; nothing that is written depends on it.
  private static func hash(_ text: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<text.count {
      hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3
    }
    return hash ^ hash >> 29
  }
}
