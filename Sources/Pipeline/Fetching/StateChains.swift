internal import StateStore
internal import AppleAsking
internal import Diagnostics
internal import PurchaseModel

/// All chains of real purchases that the exports have told of, from state.db.
///
/// A run may be writing beside; the chains are those of the last committed one. Test purchases are
/// left out, as they are no revenue.
struct StateChains: ChainSource {
  /// The working database.
  let path: String

  func chains() throws(RunFailure) -> [WantedChain] {
    let state = try StateDatabase.openToRead(path: path)
    let loaded = try state.load(workers: 1) { (_: Int, set: SightingSet) throws(RunFailure) in
      Self.chains(of: set)
    }
    try state.close()
    return loaded.shares.flatMap(\.self).sorted { $0.number < $1.number }
  }

  /// The chains of a share; ids that are no numbers are not Apple's.
  private static func chains(of set: SightingSet) -> [WantedChain] {
    var transactions: [ChainNumber: Set<TransactionID>] = [:]
    for sighting in set.sightings where sighting.originalTransactionID.number.symbol == nil {
      guard !set.records[Int(sighting.record)].isSandbox else { continue }
      let number = sighting.originalTransactionID.number.rawValue
      transactions[number, default: []].insert(sighting.transactionID)
    }
    return transactions.map { number, transactions in
      WantedChain(number: number, store: .production, purchases: transactions.count)
    }
  }
}
