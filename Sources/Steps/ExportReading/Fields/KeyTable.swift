/// A hash table of known keys, which finds the key of a JSON string in one probe.
///
/// The table is a perfect hash over the first and the last eight bytes of a name, computed when the
/// table is created. The found name is compared eight bytes at a time.
package struct KeyTable<Key: RawRepresentable<UInt8> & Sendable>: Sendable {
  private struct Entry {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var length = 0
    var key: Key
  }

  /// The greatest length of a name in a table, in bytes; a longer key is unknown.
  static var longest: Int { 64 }

  private var entries: [Entry] = []
  private var names: [(name: [UInt8], key: Key)] = []
  private var slots = [UInt8](repeating: 0xFF, count: 512)
  private var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates a table from names that are known in advance.
  ///
  /// - Parameter capacity: The number of possible keys; a ``FieldBank`` has room for 64.
  package init(_ keys: [(name: StaticString, key: Key)], capacity: Int = 64) {
    self.init(keys.map { (Array($0.name.description.utf8), $0.key) }, capacity: capacity)
  }

  /// Creates a table from names that are known only at run time, such as names in a pipeline.
  init(names: [(name: [UInt8], key: Key)]) { self.init(names) }

  private init(_ keys: [(name: [UInt8], key: Key)], capacity: Int = 64) {
    precondition(keys.count < 0xFF, "a table holds at most 254 names")
    precondition(
      keys.allSatisfy { $0.key.rawValue < capacity }, "a key is beyond the table's capacity")
    for (name, key) in keys {
      var padded = name
      let length = padded.count
      precondition((1...Self.longest).contains(length), "a name has 1 to 64 bytes")
      names.append((padded, key))
      padded += [UInt8](repeating: 0, count: Self.longest + JSONCursor.padding - length)
      var entry = Entry(length: length, key: key)
      unsafe padded.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        let cursor = unsafe JSONCursor(base, count: length)
        entry.words = (
          cursor.word(at: 0), cursor.word(at: 8), cursor.word(at: 16), cursor.word(at: 24)
        )
      }
      entries.append(entry)
    }
    while !fillSlots() { multiplier = multiplier &* 0x5851_F42D_4C95_7F2D &+ 2 | 1 }
  }

  /// Looks up the known key of a string; `nil` for any other string.
  @inline(__always)
  package func key(_ string: Scalar, in cursor: JSONCursor) -> Key? {
    guard string.kind == .text else { return keyOfEscaped(string, in: cursor) }
    let length = Int(string.length)
    guard length > 0, length <= Self.longest else { return nil }
    let start = Int(string.start)
    let partial: UInt64 = length & 7 == 0 ? ~0 : 1 &<< UInt64(length & 7 &* 8) &- 1
    let first = cursor.word(at: start) & (length < 8 ? partial : ~0)
    let last = length <= 8 ? 0 : cursor.word(at: start + length - 8)
    let index = slots[slot(first: first, last: last, length: length)]
    guard index != 0xFF else { return nil }
    let entry = entries[Int(index)]
    guard entry.length == length, entry.words.0 == first else { return nil }
    if length > 8 {
      let word = cursor.word(at: start + 8) & (length < 16 ? partial : ~0)
      guard word == entry.words.1 else { return nil }
    }
    if length > 16 {
      let word = cursor.word(at: start + 16) & (length < 24 ? partial : ~0)
      guard word == entry.words.2 else { return nil }
    }
    if length > 24 {
      let word = cursor.word(at: start + 24) & (length < 32 ? partial : ~0)
      guard word == entry.words.3 else { return nil }
    }
    if length > 32 {
      let name = names[Int(index)].name
      for place in 32..<length where cursor.byte(at: start + place) != name[place] { return nil }
    }
    return entry.key
  }

  /// The first listed name of a key, for messages; empty if the key has no name.
  package func name(of key: Key) -> String { name(ofRawValue: key.rawValue) }

  /// The first listed name of a key, given by its raw value; empty if there is none.
  package func name(ofRawValue rawValue: UInt8?) -> String {
    names.first { $0.key.rawValue == rawValue }
      .map { String(decoding: $0.name, as: UTF8.self) } ?? ""
  }

  /// Returns this table with a pipeline's own names for some keys; these keys lose all other names.
  ///
  /// Example: with `sku` for the product, `product_id` and `productIdentifier` become unknown. If
  /// `sku` was a name of another key, it is now a name of the product only.
  func renaming(_ own: [(name: String, keys: [Key])]) -> KeyTable {
    let renamed = Set(own.flatMap { $0.keys.map(\.rawValue) })
    let taken = Set(own.map { Array($0.name.utf8) })
    let kept = names.filter { !renamed.contains($0.key.rawValue) && !taken.contains($0.name) }
    return KeyTable(own.map { (Array($0.name.utf8), $0.keys[0]) } + kept)
  }

  private func keyOfEscaped(_ string: Scalar, in cursor: JSONCursor) -> Key? {
    var text: [UInt8] = []
    cursor.unescape(string, into: &text)
    return names.first { $0.name == text }?.key
  }

  @inline(__always)
  private func slot(first: UInt64, last: UInt64, length: Int) -> Int {
    let mixed = (first ^ (last &<< 29 | last &>> 35) ^ UInt64(length)) &* multiplier
    return Int(truncatingIfNeeded: mixed &>> 55)
  }

  private mutating func fillSlots() -> Bool {
    slots = [UInt8](repeating: 0xFF, count: 512)
    for (index, entry) in entries.enumerated() {
      let padded = names[index].name + [UInt8](repeating: 0, count: JSONCursor.padding)
      var last: UInt64 = 0
      if entry.length > 8 {
        for byte in padded[(entry.length - 8)..<entry.length].reversed() {
          last = last << 8 | UInt64(byte)
        }
      }
      let slot = slot(first: entry.words.0, last: last, length: entry.length)
      guard slots[slot] == 0xFF else { return false }
      slots[slot] = UInt8(index)
    }
    return true
  }
}
