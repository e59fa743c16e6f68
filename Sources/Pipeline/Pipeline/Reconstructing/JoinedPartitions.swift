internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PurchaseModel
internal import Purchases
internal import StateStore
internal import TemporaryFiles

/// The chains of all partitions after joining, as they are stored for the next run.
struct JoinedPartitions: Sendable {
  /// The accounts and customers of the chains, by number.
  let chains: JoinedChains
  /// The partitions, by number, without their encounters.
  let partitions: [PartitionSummary]
  /// Every claim to a transaction id, ``MergedChains/Claim``, by id.
  let claims: ExternalSort
  /// The storefronts in records without a row.
  let storefronts: [StorefrontObservation]

  /// The keys of the chains, by number.
  var keys: [ChainKey] { partitions.flatMap(\.keys) }

  /// Hands every chain on.
  ///
  /// - Parameters:
  ///   - keys: By number: its key.
  ///   - moments: The moments at which the passage of time changes rows of chains.
  ///   - writer: Takes the chains.
  /// - Throws: ``RunFailure`` if they cannot be written.
  func writeLinks(
    _ keys: [ChainKey], changingAt moments: [ChainKey: Instant],
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
            isSandbox: partition.isSandbox[unit], isStanding: partition.isStanding[unit],
            nextChangeAt: moments[key], customers: own.map(\.customer)))
        number += 1
      }
    }
  }

  /// Hands every claim on.
  func writeClaims(_ keys: [ChainKey], to writer: inout IncrementalStateWriter) throws(RunFailure) {
    let reader = try claims.reader()
    while try reader.next() {
      let id = unsafe SortedKey(reader.key).transactionID
      let place = reader.value(MergedChains.Claim.self).purchase.place
      try writer.put(id, of: keys[chains.number(of: place).index])
    }
  }
}
