internal import Diagnostics
internal import PurchaseModel
internal import Purchases
internal import StateStore

/// Reads chains from state.db, and merges them.
struct ChainReader: Sendable {
  let state: StateDatabase
  let texts: StateTexts
  let settings: ReconstructSettings
  let workers: Int

  /// Merges the chains of some partitions, and computes a value for each partition.
  ///
  /// - Parameters:
  ///   - work: Computes the value for a partition from its number and its chains; called
  ///     concurrently on several threads.
  /// - Returns: The values, in the order of the partitions.
  func merged<Value: Sendable>(
    _ partitions: [[ChainKey]],
    _ work: @Sendable (Int, MergedPartition) throws(RunFailure) -> Value
  ) throws(RunFailure) -> [Value] {
    let bundles = settings.bundles(in: texts.set.symbols)
    return try state.load(
      asOf: settings.asOf, texts, only: StateSelection(partitions: partitions), workers: workers
    ) { number, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      return try work(number, MergedPartition(set, bundleIDs: bundles))
    }.partitions
  }
}
