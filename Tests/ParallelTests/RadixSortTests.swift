internal import Parallel
internal import Testing
internal import TestSupport

@Suite struct RadixSortTests {
  @Test(arguments: [0, 1, 2, 63, 64, 65, 5000])
  func `keys come in order, and equal ones keep theirs`(count: Int) {
    for (seed, width) in [(1, 64), (2, 3), (3, 40), (4, 12)] as [(UInt64, UInt64)] {
      var generator = SeededGenerator(seed: seed)
      let elements = (0..<count).map { index in
        KeyedIndex(key: generator.next() >> (64 - width), index: UInt32(index))
      }
      var sorted = elements
      sorted.sort()
      let expected = elements.sorted { ($0.key, $0.index) < ($1.key, $1.index) }
      #expect(sorted.map(\.index) == expected.map(\.index), "seed \(seed), \(width) bits")
    }
  }

  @Test(arguments: [40, 4000]) func `only the named bits count`(count: Int) {
    var generator = SeededGenerator(seed: 5)
    let elements = (0..<count).map { KeyedIndex(key: generator.next(), index: UInt32($0)) }
    var sorted = elements
    sorted.sort(byKeyBits: 31..<64)
    let expected = elements.sorted { ($0.key >> 31, $0.index) < ($1.key >> 31, $1.index) }
    #expect(sorted.map(\.index) == expected.map(\.index))
    sorted = elements
    sorted.sort(byKeyBits: 0..<7)
    let byLowBits = elements.sorted { ($0.key & 127, $0.index) < ($1.key & 127, $1.index) }
    #expect(sorted.map(\.index) == byLowBits.map(\.index))
  }

  @Test(arguments: [0, 1, 5, 63, 64, 3000])
  func `equal keys have one number, in the order of the keys`(count: Int) {
    var generator = SeededGenerator(seed: 6)
    let keys = (0..<count).map { _ in generator.next() % 40 }
    let dense = DenseNumbers(keys)
    let different = Set(keys).sorted()
    #expect(dense.keys == different)
    #expect(dense.numbers == keys.map { Int32(different.firstIndex(of: $0) ?? -1) })
    let order = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    #expect(dense.order.map(\.index) == order.map { UInt32($0) })
  }

  @Test func `the key of a number has the order of the number`() {
    let numbers: [Int64] = [.min, -70, -1, 0, 1, 9, .max]
    #expect(numbers.map(\.sortKey).sorted() == numbers.map(\.sortKey))
    #expect(numbers.map { Int64(sortKey: $0.sortKey) } == numbers)
  }
}
