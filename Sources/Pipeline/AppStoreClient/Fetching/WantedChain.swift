internal import Diagnostics

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
