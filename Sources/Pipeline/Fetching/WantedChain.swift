internal import AppleAsking
internal import Diagnostics

/// A chain whose signed history is wanted.
struct WantedChain: Hashable, Sendable {
  /// The chain.
  var number: ChainNumber
  /// The store it was seen in; `nil` where that is not known, and production is asked first.
  var store: AppleStore?
  /// How many of its purchases are known already, which tells how many pages to expect.
  var purchases = 1
}

/// Where the chains come from: a list, or what the exports have told.
protocol ChainSource {
  /// The chains, each once, in an order that stays the same.
  ///
  /// - Throws: ``RunFailure`` where they cannot be read.
  func chains() throws(RunFailure) -> [WantedChain]
}
