internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// The changed chains and reports, read from state.db, and the chains merged partition by
/// partition.
///
/// The merged chains themselves are not kept. Chains that claim an id of a changed chain or report
/// are read too, although their own input is unchanged.
struct MergedChains {
  /// The interned texts (symbols) and the input files.
  private(set) var set = Observations()
  /// The partitions, indexed by number.
  private(set) var partitions: [PartitionSummary] = []
  /// The price reports, sorted by transaction id.
  let reports: LoadedReports
  /// Every claim to a transaction id (``SettledIDs/Claim``), sorted by id.
  let claims: ExternalSort
  /// The products in the rows of each chain (``ProductRow``, several per record), sorted by chain.
  let products: ExternalSort
  /// The facts about products in the rows of the changed chains.
  private(set) var productFacts = ProductFacts()
  /// The storefronts of customers, from records without a transaction row.
  private(set) var storefrontsWithoutRows: [StorefrontObservation] = []
  /// The time of the newest snapshot; `nil` if no record was read.
  private(set) var newestSnapshot: Instant?

  /// Reads and merges the chains with news, and the chains that claim their transaction ids.
  init(_ reader: ChainReader, _ news: News, memory: SortMemory) throws(RunFailure) {
    reports = LoadedReports(memory: memory)
    claims = ExternalSort(memory: memory)
    products = ExternalSort(memory: memory)
    try read(news.selection, reader, areChanged: true)
    guard news.selection != nil else { return }
    let changed = Set(partitions.flatMap(\.keys))
    let ids = try transactionIDs()
    let claimants = try reader.state.chains(claiming: ids, reader.texts)
    let others = Set(claimants.values.joined()).subtracting(changed)
    guard !others.isEmpty else { return }
    try read(StateSelection(chains: others, reports: []), reader, areChanged: false)
  }

  private mutating func read(
    _ selection: StateSelection?, _ reader: ChainReader, areChanged: Bool
  ) throws(RunFailure) {
    let (claims, products, settings) = (claims, products, reader.settings)
    let first = partitions.count
    let loaded = try reader.state.load(
      asOf: settings.asOf, reader.texts, only: selection, workers: reader.workers,
      reports: reports.add
    ) { number, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      let partition = MergedPartition(set, bundleIDs: settings.bundles(in: set.symbols))
      let catalogue = settings.catalogue.catalogue(in: set.symbols)
      try Self.deliver(partition, number + first, areChanged: areChanged, claims)
      let facts = try Self.deliver(partition, catalogue, products)
      return (PartitionSummary(partition, catalogue: catalogue), facts)
    }
    if areChanged { set = loaded.set }
    for (summary, facts) in loaded.partitions {
      partitions.append(summary)
      if areChanged { productFacts.add(facts) }
    }
    storefrontsWithoutRows += loaded.storefrontsWithoutRows
    if let newest = loaded.newestSnapshot { newestSnapshot = max(newestSnapshot ?? newest, newest) }
  }

  private static func deliver(
    _ partition: MergedPartition, _ number: Int, areChanged: Bool, _ claims: ExternalSort
  ) throws(RunFailure) {
    let writer = claims.writer()
    for claim in partition.claims {
      let purchase = partition.book.purchases[Int(claim.purchase)]
      try writer.add(
        SortedKey(claim.transactionID),
        value: SettledIDs.Claim(
          strength: claim.strength,
          purchase: ClaimedPurchase(
            purchase, at: ChainPlace(partition: number, chain: claim.chain)),
          isChanged: areChanged))
    }
    try writer.finish()
  }

  private static func deliver(
    _ partition: MergedPartition, _ catalogue: Catalogue, _ products: ExternalSort
  ) throws(RunFailure) -> ProductFacts {
    var facts = ProductFacts()
    let writer = products.writer()
    for (chain, row) in partition.productRows(catalogue) {
      facts.add(row)
      try writer.add(SortedKey(partition.chainKeys[chain.index].key), value: row)
    }
    try writer.finish()
    return facts
  }

  /// The transaction ids of the changed chains and reports.
  private func transactionIDs() throws(RunFailure) -> Set<TransactionID> {
    var ids: Set<TransactionID> = []
    for sort in [try claims.reader(), try reports.reader()] {
      while try sort.next() { ids.insert(unsafe SortedKey(sort.key).transactionID) }
    }
    return ids
  }

  /// The transaction ids of the changed chains alone.
  func changedIDs() throws(RunFailure) -> Set<TransactionID> {
    var ids: Set<TransactionID> = []
    let reader = try claims.reader()
    while try reader.next() {
      guard reader.value(SettledIDs.Claim.self).isChanged else { continue }
      ids.insert(unsafe SortedKey(reader.key).transactionID)
    }
    return ids
  }

  /// Releases the memory of the account links, after the chains have been joined.
  mutating func forgetAccountLinks() {
    for number in partitions.indices { partitions[number].forgetAccountLinks() }
  }

  /// Finds the purchase to which each transaction id belongs, and calls `body` in ascending order
  /// of ids.
  func forEachSettledID(_ body: (SettledIDs.Settled) throws(RunFailure) -> Void)
    throws(RunFailure)
  {
    let reader = try claims.reader()
    var ids = SettledIDs()
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      if let settled = ids.add(reader.value(SettledIDs.Claim.self), to: id) { try body(settled) }
    }
    if let settled = ids.end() { try body(settled) }
  }
}
