package import Diagnostics

/// A chain whose signed history is requested.
package struct WantedChain: Hashable, Sendable {
  var number: ChainNumber
  /// The environment of its purchases.
  ///
  /// `nil` if unknown; then production is requested first.
  var store: AppleStore?
  /// The number of its known purchases, to estimate the number of pages.
  var purchases = 1
}

/// The source of the chains to request: a list, or the exports.
package protocol ChainSource {
  /// The chains in a stable order, without duplicates.
  ///
  /// - Throws: ``RunFailure`` if the source cannot be read.
  func chains() throws(RunFailure) -> [WantedChain]
}
