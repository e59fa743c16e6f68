internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles

/// The chains of all partitions after joining.
///
/// They are available as households, and as the values that are stored for the next run.
struct JoinedPartitions {
  /// The households, to be read in batches.
  let batches: HouseholdBatches
  /// The accounts and customers of the chains, indexed by chain number.
  let chains: JoinedChains
  /// The partitions, indexed by number, without their account links.
  let partitions: [PartitionSummary]
  /// Every claim of a purchase to a transaction id (``MergedChains/Claim``), sorted by id.
  let claims: ExternalSort
  /// The storefronts of customers, from records without a transaction row.
  let storefronts: [StorefrontObservation]

  /// Joins chains into households, and joins reports with their purchases by transaction id.
  init(
    _ found: consuming MergedChains, apps: ProductApps, reader: ChainReader, memory: SortMemory
  ) throws(RunFailure) {
    var merged = consume found
    var joined = JoinedChains(merged.partitions)
    merged.forgetAccountLinks()
    let named = try NamedReports(merged.reports, in: merged, memory: memory)
    merged.forgetReports()
    let reports = ExternalSort(memory: memory)
    let seen = reports.writer()
    var joiner = ReportJoiner()
    try named.forEach { report, offers, claimed throws(RunFailure) in
      if joiner.count % 8192 == 0 { try Reconstruction.checkpoint() }
      guard let report = joiner.join(report, offers: offers, naming: claimed, &joined) else {
        return
      }
      let isNamed = report.report.named != nil
      try seen.add(report, namedChain: isNamed ? claimed.map { joined.number(of: $0.place) } : nil)
    }
    try seen.finish()
    let members = merged.partitions.enumerated().flatMap { number, partition in
      partition.keys.indices.map { unit in
        HouseholdBatches.Member(
          partition.keys[unit],
          joined.household(of: ChainPlace(partition: number, unit: ChainPosition(unit))))
      }
    }
    batches = HouseholdBatches(
      members, reports: reports, count: joiner.count, offers: joiner.offers,
      storefronts: merged.storefrontsWithoutRows, households: joined.households,
      winners: named.winners,
      apps: apps, reader: reader)
    chains = joined
    (partitions, claims) = (merged.partitions, merged.claims)
    storefronts = merged.storefrontsWithoutRows
  }

  /// The keys of the chains, indexed by chain number.
  var keys: [ChainKey] { partitions.flatMap(\.keys) }

  /// Writes, for the next run, one row of the table `link` per chain.
  func writeLinks(
    _ keys: [ChainKey], _ result: DecidingPass.Result,
    to writer: inout IncrementalStateWriter
  ) throws(RunFailure) {
    var (number, named) = (0, chains.customers[...])
    for partition in partitions {
      for unit in partition.keys.indices {
        let own = named.prefix { $0.chain.index == number }
        named = named.dropFirst(own.count)
        let key = keys[number]
        try writer.put(
          ChainLink(
            key: key, account: keys[chains.accounts[number].index],
            isSandbox: partition.isSandbox[unit], isDurable: partition.isDurable[unit],
            nextChangeAt: result.nextChanges[key],
            dependsOnLaterCharges: result.onLaterCharges.contains(key),
            customers: own.map { $0.customer }))
        number += 1
      }
    }
  }

  /// Writes, for the next run, the transaction ids that each chain claims.
  func writeClaims(_ keys: [ChainKey], to writer: inout IncrementalStateWriter) throws(RunFailure) {
    let reader = try claims.reader()
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      let place = reader.value(MergedChains.Claim.self).purchase.place
      try writer.put(id, of: keys[chains.number(of: place).index])
    }
  }
}
