internal import CivilTime
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

  /// The chains and reports that an incremental run selected and read from state.db.
  struct Read {
    var chains = LoadedChains()
    /// The interned texts (symbols), the input files and the selected reports.
    var set: Observations
    var storefronts: [StorefrontObservation]
    var newestSnapshot: Instant?

    /// The transaction ids in the chains and in the reports.
    var transactionIDs: Set<TransactionID> {
      var ids = Set(set.reports.lazy.compactMap { $0.transactionID })
      for chain in chains.chains.values { ids.formUnion(chain.claims.lazy.map(\.id)) }
      return ids
    }
  }

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

  /// Reads and merges the selected chains, and reads the selected reports.
  func read(_ selection: StateSelection) throws(RunFailure) -> Read {
    let catalogue = settings.catalogue.catalogue(in: texts.set.symbols)
    let bundles = settings.bundles(in: texts.set.symbols)
    let loaded = try state.load(texts, only: selection, workers: workers) {
      _, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      return LoadedChains(MergedPartition(set, bundleIDs: bundles), catalogue: catalogue)
    }
    var read = Read(
      set: loaded.set, storefronts: loaded.storefrontsWithoutRows,
      newestSnapshot: loaded.newestSnapshot)
    for partition in loaded.partitions { read.chains.add(partition) }
    return read
  }
}
