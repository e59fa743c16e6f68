internal import PurchaseModel
internal import Purchases

/// The Apple accounts of the chains in a batch, from the records that contain several chains.
///
/// A record is about one account. Only records with a storefront are used.
struct RecordedAccounts: Sendable {
  private var accounts: [Int]

  /// Links the chains of each record.
  init(_ batch: HouseholdBatch) {
    accounts = Array(0..<batch.book.chains.count)
    // The observations of one record have one time, and one household.
    let records = batch.book.storefrontObservations.compactMap { observation in
      observation.chain.flatMap { chain in
        observation.household.map {
          (time: observation.observedAt, household: $0.rawValue, chain: chain.index)
        }
      }
    }.sorted { ($0.time, $0.household, $0.chain) < ($1.time, $1.household, $1.chain) }
    for (left, right) in zip(records, records.dropFirst())
    where left.time == right.time && left.household == right.household {
      link(left.chain, right.chain)
    }
    for chain in accounts.indices { accounts[chain] = root(of: chain) }
  }

  /// The number of a chain's account: the position of one of its chains.
  subscript(chain: ChainPosition) -> Int { accounts[chain.index] }

  private mutating func link(_ left: Int, _ right: Int) {
    let (first, second) = (root(of: left), root(of: right))
    accounts[max(first, second)] = min(first, second)
  }

  private mutating func root(of chain: Int) -> Int {
    var chain = chain
    while accounts[chain] != chain {
      accounts[chain] = accounts[accounts[chain]]
      chain = accounts[chain]
    }
    return chain
  }
}
