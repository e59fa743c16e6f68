internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Joining
internal import Parallel
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// The results of merging all chains of state.db, partition by partition.
///
/// They have a summary of each partition, but not the merged chains.
struct MergedChains {
  /// The interned texts (symbols) and the input files.
  let set: Observations
  /// The partitions, indexed by number.
  private(set) var partitions: [PartitionSummary]
  /// The price reports, sorted by transaction id.
  private(set) var reports: LoadedReports
  /// Every claim to a transaction id, sorted by id.
  let claims: ExternalSort
  /// The storefronts of customers, from records without a transaction row.
  let storefrontsWithoutRows: [StorefrontObservation]
  /// The time of the newest snapshot; `nil` if there is no record.
  let newestSnapshot: Instant?

  /// The claim of a purchase to a transaction id that other purchases may claim too.
  struct Claim: BitwiseCopyable {
    var strength: Int64
    var purchase: ClaimedPurchase

    /// Returns true if the transaction id belongs to this claim's purchase, not to the purchase of
    /// `other`.
    ///
    /// The stronger claim wins. If both claims are equally strong, the purchase with the smaller
    /// key wins.
    func wins(over other: Claim) -> Bool {
      strength == other.strength
        ? purchase.named.key < other.purchase.named.key : strength > other.strength
    }
  }

  /// Reads and merges all stored chains.
  init(_ reader: ChainReader, memory: SortMemory) throws(RunFailure) {
    let claims = ExternalSort(memory: memory)
    let reports = LoadedReports(memory: memory)
    let settings = reader.settings
    let loaded = try reader.state.load(
      asOf: settings.asOf, reader.texts, workers: reader.workers, reports: reports.add
    ) { number, set throws(RunFailure) in
      try Reconstruction.checkpoint()
      let partition = MergedPartition(set, bundleIDs: settings.bundles(in: set.symbols))
      try Self.deliver(partition, number, claims)
      return PartitionSummary(partition, catalogue: settings.catalogue.catalogue(in: set.symbols))
    }
    set = loaded.set
    partitions = loaded.partitions
    self.claims = claims
    self.reports = reports
    storefrontsWithoutRows = loaded.storefrontsWithoutRows
    newestSnapshot = loaded.newestSnapshot
  }

  private static func deliver(
    _ partition: MergedPartition, _ number: Int, _ claims: ExternalSort
  ) throws(RunFailure) {
    let writer = claims.writer()
    for claim in partition.claims {
      let purchase = partition.book.purchases[Int(claim.purchase)]
      try writer.add(
        SortedKey(claim.transactionID),
        value: Claim(
          strength: claim.strength,
          purchase: ClaimedPurchase(
            purchase, at: ChainPlace(partition: number, unit: claim.unit)))
      )
    }
    try writer.finish()
  }

  /// Releases the memory of the reports, after their purchases have been found.
  mutating func forgetReports() { reports = LoadedReports(memory: reports.memory) }

  /// Releases the memory of the account links, after the chains have been joined.
  mutating func forgetAccountLinks() {
    for number in partitions.indices { partitions[number].forgetAccountLinks() }
  }

  /// Finds the purchase to which each transaction id belongs.
  ///
  /// Calls `body` for each id, in ascending order, with three values: the id, its purchase, and a
  /// Boolean. The Boolean is true if several purchases claim the id.
  func forEachSettledID(
    _ body: (TransactionID, ClaimedPurchase, Bool) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let reader = try claims.reader()
    var last: (id: TransactionID, claim: Claim, isContested: Bool)?
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      let claim = reader.value(Claim.self)
      if let known = last, known.id == id {
        last = (id, claim.wins(over: known.claim) ? claim : known.claim, true)
      } else {
        if let last { try body(last.id, last.claim.purchase, last.isContested) }
        last = (id, claim, false)
      }
    }
    if let last { try body(last.id, last.claim.purchase, last.isContested) }
  }
}
