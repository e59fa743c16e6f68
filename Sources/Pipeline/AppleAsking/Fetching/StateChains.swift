internal import StateStore
package import Diagnostics
internal import PurchaseModel

/// All chains of real purchases in the exports, from state.db.
///
/// Reads the last committed run, so that another run may write meanwhile. Test purchases are left
/// out, because they earn nothing.
package struct StateChains: ChainSource {
  /// The working database.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func chains() throws(RunFailure) -> [WantedChain] {
    let state = try StateDatabase.openToRead(path: path)
    let loaded = try state.load(workers: 1) { (_: Int, set: SightingSet) throws(RunFailure) in
      Self.chains(of: set)
    }
    try state.close()
    return loaded.shares.flatMap(\.self).sorted { $0.number < $1.number }
  }

  /// The chains of a share; ids that are not numbers are skipped, as Apple never issued them.
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
