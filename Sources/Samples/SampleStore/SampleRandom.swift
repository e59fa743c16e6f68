/// The store's own generator (SplitMix64): the whole sequence follows from its seed, on every
/// platform and in every process.
struct SampleRandom: Sendable {
  private var state: UInt64

  /// Begins the sequence of one stream of a seed; streams of one seed are independent.
  init(seed: UInt64, stream: UInt64) {
    state = Self.mix(seed) ^ Self.mix(stream &* 0xd134_2543_de82_ef95 &+ 1)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// A number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }

  /// A number of the range, both ends included.
  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Whether an event happens that happens a number of times in a thousand.
  mutating func happens(perMille: Int) -> Bool { below(1000) < perMille }

  /// A position of a list of weights, the heavier the likelier.
  mutating func weighted(_ weights: [Int]) -> Int {
    var left = below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      left -= weight
      if left < 0 { return index }
    }
    return 0
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}
