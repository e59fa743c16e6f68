/// A sort key and the index of the element that it belongs to.
public struct KeyedIndex: Sendable {
  /// The number to sort by.
  public var key: UInt64
  /// The index of the element in an array that the caller sorts by these keys.
  public var index: UInt32

  /// Creates a pair from the key and the index of one element.
  public init(key: UInt64, index: UInt32) {
    self.key = key
    self.index = index
  }
}

extension Int64 {
  /// The number as a key: keys have the order of their numbers.
  public var sortKey: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }

  /// The number that a key was made from.
  public init(sortKey: UInt64) { self.init(bitPattern: sortKey ^ 1 << 63) }
}

extension [KeyedIndex] {
  /// Sorts by the given bits of the keys; the sort is stable.
  ///
  /// From 64 elements on, this is a radix sort with digits of eleven bits. Its time depends on the
  /// number of elements and of digits. A digit that is equal in all keys costs only one pass over
  /// the elements.
  public mutating func sort(byKeyBits bits: Range<Int> = 0..<64) {
    guard count > 1 else { return }
    guard count >= 64 else {
      sortFew(bits: bits)
      return
    }
    var scratch = [KeyedIndex](repeating: KeyedIndex(key: 0, index: 0), count: count)
    var starts = [Int](repeating: 0, count: 2048)
    for low in stride(from: bits.lowerBound, to: bits.upperBound, by: 11) {
      let mask: UInt64 = (1 << UInt64(Swift.min(11, bits.upperBound - low))) - 1
      for digit in starts.indices { starts[digit] = 0 }
      for element in self { starts[Int(element.key >> UInt64(low) & mask)] += 1 }
      if starts[Int(self[0].key >> UInt64(low) & mask)] == count { continue }
      var total = 0
      for digit in starts.indices {
        let size = starts[digit]
        starts[digit] = total
        total += size
      }
      for element in self {
        let digit = Int(element.key >> UInt64(low) & mask)
        scratch[starts[digit]] = element
        starts[digit] += 1
      }
      swap(&self, &scratch)
    }
  }

  private mutating func sortFew(bits: Range<Int>) {
    let width = bits.upperBound - bits.lowerBound
    let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
    func digit(_ element: KeyedIndex) -> UInt64 { element.key >> UInt64(bits.lowerBound) & mask }
    for position in 1..<count {
      let element = self[position]
      var hole = position
      while hole > 0, digit(self[hole - 1]) > digit(element) {
        self[hole] = self[hole - 1]
        hole -= 1
      }
      self[hole] = element
    }
  }
}
