internal import StateStore
package import Diagnostics
internal import PurchaseModel

extension WantedChain {
  /// Reads from state.db all chains of production purchases in the exports.
  ///
  /// Only committed content is read, so another run may write to state.db in the meantime. Sandbox
  /// purchases are left out, because they have no revenue.
  ///
  /// - Returns: The chains, sorted by number.
  package static func all(inState path: String) throws(RunFailure) -> [WantedChain] {
    let state = try StateDatabase.openToRead(path: path)
    let loaded = try state.load(workers: 1) { (_: Int, set: Observations) throws(RunFailure) in
      chains(of: set)
    }
    try state.close()
    return loaded.partitions.flatMap(\.self).sorted { $0.number < $1.number }
  }

  /// Returns the production chains of one partition of state.db.
  ///
  /// Leaves out ids that are not numbers, because Apple never issued them.
  private static func chains(of set: Observations) -> [WantedChain] {
    var transactions: [ChainNumber: Set<TransactionID>] = [:]
    for observation in set.observations where observation.originalTransactionID.number.symbol == nil
    {
      guard !set.records[Int(observation.record)].isSandbox else { continue }
      let number = observation.originalTransactionID.number.rawValue
      transactions[number, default: []].insert(observation.transactionID)
    }
    return transactions.map { number, transactions in
      WantedChain(number: number, store: .production, purchases: transactions.count)
    }
  }
}
