internal import Parallel

/// Records of an ``ExternalSort`` that one writer has added, stored as entries one after another.
///
/// An entry consists of the length of its key (4 bytes), the length of its value (4 bytes), the key
/// and the value.
@safe
struct SortedChunk: ~Copyable {
  /// The size of an entry's two lengths, in bytes.
  static let headerSize = 8

  private var memory: UnsafeMutableRawBufferPointer
  private var order: [KeyedIndex] = []
  /// The size of the entries in bytes.
  private(set) var used = 0

  init(capacity: Int) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  var count: Int { order.count }

  /// The memory that the chunk occupies, in bytes: the buffer for entries, and their sort order.
  var size: Int { unsafe memory.count + order.capacity * MemoryLayout<KeyedIndex>.stride }

  /// Adds an entry; the capacity grows by doubling.
  mutating func append(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let needed = used + Self.headerSize + key.count + value.count
    if unsafe needed > memory.count { grow(to: needed) }
    order.append(KeyedIndex(key: unsafe Self.prefix(of: key), index: UInt32(used)))
    unsafe memory.storeBytes(of: UInt32(key.count), toByteOffset: used, as: UInt32.self)
    unsafe memory.storeBytes(of: UInt32(value.count), toByteOffset: used + 4, as: UInt32.self)
    unsafe put(key, at: used + Self.headerSize)
    unsafe put(value, at: used + Self.headerSize + key.count)
    used = needed
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard let source = bytes.baseAddress, let start = unsafe memory.baseAddress else { return }
    unsafe (start + offset).copyMemory(from: source, byteCount: bytes.count)
  }

  private mutating func grow(to needed: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: unsafe max(needed, 2 * memory.count), alignment: 16)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<used]))
    unsafe memory.deallocate()
    unsafe memory = larger
  }

  /// Sorts the entries by key, then value.
  mutating func sort() {
    order.sort()
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, order[end].key == order[start].key { end += 1 }
      if end - start > 1 {
        let bytes = unsafe UnsafeRawBufferPointer(memory)
        order[start..<end].sort {
          unsafe SortEntry.precedes(
            SortEntry(bytes, at: Int($0.index)), SortEntry(bytes, at: Int($1.index)))
        }
      }
      start = end
    }
  }

  /// The entry at a position of the sort order, valid after ``sort()``.
  subscript(place: Int) -> SortEntry {
    unsafe SortEntry(UnsafeRawBufferPointer(memory), at: Int(order[place].index))
  }

  /// The first eight bytes of a key as a number, for a fast comparison.
  static func prefix(of key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count >= 8 {
      return UInt64(bigEndian: unsafe key.loadUnaligned(as: UInt64.self))
    }
    var prefix: UInt64 = 0
    for place in 0..<8 {
      prefix = unsafe prefix << 8 | (place < key.count ? UInt64(key[place]) : 0)
    }
    return prefix
  }
}

/// The key and value of an entry, in a chunk or a buffer.
@unsafe
struct SortEntry {
  let prefix: UInt64
  let key: UnsafeRawBufferPointer
  let value: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let keyCount = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    let valueCount = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
    let start = offset + SortedChunk.headerSize
    unsafe key = UnsafeRawBufferPointer(rebasing: bytes[start..<start + keyCount])
    unsafe value = UnsafeRawBufferPointer(
      rebasing: bytes[start + keyCount..<start + keyCount + valueCount])
    unsafe prefix = SortedChunk.prefix(of: key)
  }

  /// The size of the entry in bytes.
  var size: Int { unsafe SortedChunk.headerSize + key.count + value.count }

  /// Returns true if an entry comes before another: by key, then value, both in byte order.
  static func precedes(_ left: SortEntry, _ right: SortEntry) -> Bool {
    if unsafe left.prefix != right.prefix { return unsafe left.prefix < right.prefix }
    let order = unsafe KeyOrder.compare(left.key, right.key)
    return unsafe order == 0 ? KeyOrder.compare(left.value, right.value) < 0 : order < 0
  }
}
