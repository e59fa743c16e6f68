internal import StateStore

/// The number of a chain (`original_transaction_id`).
typealias ChainNumber = UInt64

/// A chain whose signed history is requested.
package struct WantedChain: Hashable, Sendable {
  var number: ChainNumber
  /// The environment of the chain's purchases.
  ///
  /// `nil` if unknown; then production is requested first.
  var store: AppleEnvironment?
  /// The number of the chain's known purchases, to estimate the number of pages.
  var purchases = 1
}

extension AskedKey {
  /// The identity of the question for the history of a chain.
  static func history(_ chain: ChainNumber) -> AskedKey { AskedKey(.histories, "\(chain)".utf8) }
}
