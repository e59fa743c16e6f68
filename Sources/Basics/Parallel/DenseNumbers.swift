/// Equal keys numbered from 0 without gaps, so that they are counted in arrays, not by hashing.
///
/// Example: the keys 70, 9, 70 have the numbers 1, 0, 1.
public struct DenseNumbers: Sendable {
  /// The number of each key, in the order in which the keys were given.
  public private(set) var numbers: [Int32]
  /// The different keys, by number, in ascending order.
  public private(set) var keys: [UInt64] = []
  /// The positions of the keys, sorted by key; equal keys stay in the given order.
  public let order: [KeyedIndex]

  /// Numbers some keys.
  public init(_ given: [UInt64]) {
    self.init(given.indices.map { KeyedIndex(key: given[$0], index: UInt32($0)) })
  }

  /// Numbers keys that are given in another order than that of their positions.
  public init(_ given: consuming [KeyedIndex]) {
    given.sort()
    order = given
    numbers = Array(repeating: 0, count: order.count)
    for element in order {
      if keys.last != element.key { keys.append(element.key) }
      numbers[Int(element.index)] = Int32(keys.count - 1)
    }
  }
}
