internal import PurchaseModel

/// Under which number a purchase chain's records are stored: a stable 63-bit hash.
///
/// Only a place to look: two chains that share a key share a row, and stay two chains.
enum ChainKey {
  /// The key of records that have no row.
  static let noChain: Int64 = 0

  /// The key of a chain of one environment; never ``noChain``.
  static func of(_ chain: OriginalTransactionID, isSandbox: Bool, in symbols: SymbolTable) -> Int64
  {
    var seed: UInt64 = isSandbox ? 0x243f_6a88_85a3_08d3 : 0x1319_8a2e_0370_7344
    if let symbol = chain.number.symbol {
      for byte in symbols.utf8(symbol) { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01b3 }
      seed ^= 0xa409_3822_299f_31d0
    } else {
      seed &+= chain.number.rawValue &* 0x9e37_79b9_7f4a_7c15
    }
    return max(1, Int64(mixed(seed) >> 1))
  }

  /// The finish of SplitMix64: every bit of the input moves half of the output's.
  @inline(__always)
  static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}
