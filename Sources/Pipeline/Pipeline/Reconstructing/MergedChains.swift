internal import StateStore
internal import CivilTime
internal import Diagnostics
internal import Joining
internal import Parallel
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import TemporaryFiles

/// All chains of state.db, merged partition by partition: the output of merging.
struct MergedChains {
  /// The texts and files.
  let set: Observations
  /// The partitions, by number.
  private(set) var partitions: [PartitionSummary]
  /// The price reports, by the transaction id they name.
  private(set) var reports: LoadedReports
  /// Every claim to a transaction id, by id.
  let claims: ExternalSort
  /// The storefronts in records without a row.
  let loneStorefronts: [StorefrontObservation]
  /// The newest snapshot; `nil` without a record.
  let newestSnapshot: Instant?

  /// A claim as it waits for others to the same id.
  struct Claim: BitwiseCopyable {
    var strength: Int64
    var purchase: ClaimedPurchase

    /// Whether the id goes to this claim's purchase: of several claims the strongest is used, of
    /// equally strong ones that of the smaller key.
    func wins(over other: Claim) -> Bool {
      strength == other.strength
        ? purchase.named.key < other.purchase.named.key : strength > other.strength
    }
  }

  /// Reads and merges everything that is stored.
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
    loneStorefronts = loaded.loneStorefronts
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

  /// Forgets the reports, once the purchases they name are known.
  mutating func forgetReports() { reports = LoadedReports(memory: reports.memory) }

  /// Forgets which chains belong together, once they are joined.
  mutating func forgetAccountLinks() {
    for number in partitions.indices { partitions[number].forgetAccountLinks() }
  }

  /// Settles the ids that purchases claim, and hands them on in ascending order: the id, the
  /// purchase that it goes to, and whether several chains claim it.
  ///
  /// - Throws: ``RunFailure`` if a temporary file cannot be read, and the error of `body`.
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
