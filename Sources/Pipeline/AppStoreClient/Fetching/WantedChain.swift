package import Diagnostics

/// A chain whose signed history is wanted.
package struct WantedChain: Hashable, Sendable {
  var number: ChainNumber
  /// The environment of its purchases; `nil` if unknown, so that production is requested first.
  var store: AppleStore?
  /// The number of its purchases known already, for an estimate of the pages.
  var purchases = 1
}

/// The source of the chains to request: a list, or the exports.
package protocol ChainSource {
  /// The chains, each once, in a stable order.
  ///
  /// - Throws: ``RunFailure`` if they cannot be read.
  func chains() throws(RunFailure) -> [WantedChain]
}
