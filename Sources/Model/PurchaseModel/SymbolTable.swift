/// The texts of a run, each stored once.
///
/// The texts are stored one after another in one array of bytes, with an open-addressing hash
/// index. Adding a text that is already in the table allocates nothing.
public struct SymbolTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  private var slots: [UInt32]  // symbol number + 1; 0 is free
  private var mask: Int
  /// A random start of every hash, so that an attacker cannot prepare texts with equal hashes.
  ///
  /// The number differs per process, but no output depends on its value.
  private let seed = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

  /// Creates an empty table.
  public init() {
    slots = [UInt32](repeating: 0, count: 1024)
    mask = 1023
  }

  /// The number of texts in the table.
  public var count: Int { ends.count }

  /// Returns the symbol of a text; a text that is not in the table is added.
  public mutating func intern(_ text: Span<UInt8>) -> Symbol {
    let hash = hash(text)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let candidate = Int(slots[slot]) - 1
      if hashes[candidate] == hash, equals(candidate, text) {
        return Symbol(rawValue: UInt32(candidate))
      }
      slot = (slot + 1) & mask
    }
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
    return Symbol(rawValue: UInt32(ends.count - 1))
  }

  /// Returns the symbol of a text; a text that is not in the table is added.
  ///
  /// The search is skipped if the symbol `hint` has this text.
  public mutating func intern(_ text: Span<UInt8>, hint: Symbol?) -> Symbol {
    if let hint, equals(Int(hint.rawValue), text) { return hint }
    return intern(text)
  }

  /// Returns the symbol of a text; a text that is not in the table is added.
  public mutating func intern(_ text: String) -> Symbol {
    let bytes = Array(text.utf8)
    return intern(bytes.span)
  }

  /// The symbol of a text; `nil` if the text is not in the table.
  public func symbol(_ text: String) -> Symbol? {
    let bytes = Array(text.utf8)
    let hash = hash(bytes.span)
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

  /// The text of a symbol; the symbol must belong to this table.
  public func text(_ symbol: Symbol) -> String {
    String(decoding: utf8(symbol), as: UTF8.self)
  }

  /// The UTF-8 bytes of a symbol's text; the symbol must belong to this table.
  public func utf8(_ symbol: Symbol) -> ArraySlice<UInt8> {
    let index = Int(symbol.rawValue)
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns a table with the same texts in byte order, and the new symbol of each text.
  ///
  /// `ranks` is indexed by the number of the old symbol.
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
    let count = text.count
    guard ends[index] - start == count else { return false }
    return unsafe bytes.withUnsafeBufferPointer { own in
      unsafe text.withUnsafeBufferPointer { other in
        var offset = 0
        while offset + 8 <= count {
          guard unsafe word(own, at: start + offset) == word(other, at: offset) else {
            return false
          }
          offset += 8
        }
        while offset < count {
          guard unsafe own[start + offset] == other[offset] else { return false }
          offset += 1
        }
        return true
      }
    }
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

  /// A hash of a text, computed eight bytes at a time by multiplying and folding.
  private func hash(_ text: Span<UInt8>) -> UInt64 {
    unsafe text.withUnsafeBufferPointer { bytes in
      var hash = seed ^ UInt64(bytes.count)
      var offset = 0
      while offset + 8 <= bytes.count {
        hash = fold(unsafe hash ^ word(bytes, at: offset), seed)
        offset += 8
      }
      var tail: UInt64 = 0
      while offset < bytes.count {
        tail = unsafe tail << 8 | UInt64(bytes[offset])
        offset += 1
      }
      return fold(hash ^ tail, 0x9E37_79B9_7F4A_7C15)
    }
  }
}

/// Reads eight bytes at an offset; the buffer must contain them.
@inline(__always) private func word(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt64 {
  unsafe UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

@inline(__always) private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let (high, low) = left.multipliedFullWidth(by: right)
  return high ^ low
}
