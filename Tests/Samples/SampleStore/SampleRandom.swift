/// A random number generator (SplitMix64).
///
/// A seed gives an equal sequence on every platform and in every process.
struct SampleRandom: Sendable {
  private var state: UInt64

  /// Starts a stream of random numbers; the streams of one seed are independent of each other.
  init(seed: UInt64, stream: UInt64) {
    state = Self.mix(seed) ^ Self.mix(stream &* 0xd134_2543_de82_ef95 &+ 1)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// Draws a number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }

  /// Draws a number from a range, including both ends.
  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns true with a probability of `perMille` per thousand.
  mutating func happens(perMille: Int) -> Bool { below(1000) < perMille }

  /// Draws a position in a list of weights; its probability is proportional to its weight.
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
