internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
internal import Purchases

/// Reads and merges the parts of state.db that an incremental run asks for.
struct IncrementalReader {
  let state: StateDatabase
  let texts: StateTexts
  let settings: ReconstructSettings
  let workers: Int

  /// A part of state.db.
  struct Read {
    var chains = LoadedChains()
    /// Texts, files and the selected reports.
    var set: Observations
    var storefronts: [StorefrontObservation]
    var newestSnapshot: Instant?

    /// The ids that the chains claim or the reports name.
    var transactionIDs: Set<TransactionID> {
      var ids = Set(set.reports.lazy.compactMap(\.transactionID))
      for chain in chains.chains.values { ids.formUnion(chain.claims.lazy.map(\.id)) }
      return ids
    }
  }

  /// Reads and merges.
  func read(_ selection: StateSelection) throws(RunFailure) -> Read {
    let catalogue = settings.catalogue.catalogue(in: texts.set.symbols)
    let bundles = settings.bundles(in: texts.set.symbols)
    let loaded = try state.load(texts, only: selection, workers: workers) {
      _, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      return LoadedChains(MergedPartition(set, bundleIDs: bundles), catalogue: catalogue)
    }
    var read = Read(
      set: loaded.set, storefronts: loaded.loneStorefronts, newestSnapshot: loaded.newestSnapshot)
    for partition in loaded.partitions { read.chains.add(partition) }
    return read
  }
}
