/// The key of a chain: a stable 63-bit hash of its id and environment (production or sandbox).
///
/// Records, links and customers are stored under this key. If two chains have the same key
/// (probability 1 in 10^19), they are read together but not merged.
public struct ChainKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The hash; positive, or 0 for ``none``.
  public let rawValue: Int64

  /// Rebuilds a key from its stored value.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The key for records without a row, which belong to no chain.
  public static let none = ChainKey(rawValue: 0)

  /// Hashes the id of a chain and its environment; never equals ``none``.
  public init(_ chain: OriginalTransactionID, isSandbox: Bool, in symbols: SymbolTable) {
    var seed: UInt64 = isSandbox ? 0x243f_6a88_85a3_08d3 : 0x1319_8a2e_0370_7344
    if let symbol = chain.number.symbol {
      for byte in symbols.utf8(symbol) { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01b3 }
      seed ^= 0xa409_3822_299f_31d0
    } else {
      seed &+= chain.number.rawValue &* 0x9e37_79b9_7f4a_7c15
    }
    rawValue = max(1, Int64(wellMixed(seed) >> 1))
  }

  /// Orders keys by their hashes.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Mixes the bits of a number (SplitMix64).
///
/// A change of one bit changes about half of the result's bits.
@inlinable
public func wellMixed(_ number: UInt64) -> UInt64 {
  var bits = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
  bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
  return bits ^ bits >> 31
}
