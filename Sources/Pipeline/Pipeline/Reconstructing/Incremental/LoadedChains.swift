internal import CivilTime
internal import Diagnostics
internal import Joining
internal import PurchaseModel
internal import Purchases
internal import Warehouse

/// The chains that an incremental run has read and merged.
struct LoadedChains: Sendable {
  /// A chain after the merge, with the values that the incremental run needs.
  struct Loaded: Sendable {
    var unit: SubscriptionKey
    var isDurable: Bool
    /// Whether Apple signed any price of the chain.
    var isSigned = false
    var customers: [CustomerID]
    /// The transaction ids of the chain, ascending, each with its purchase.
    var claims: [(id: TransactionID, purchase: ClaimedPurchase)]

    func purchase(named id: TransactionID) -> ClaimedPurchase? {
      claims.first { $0.id == id }?.purchase
    }
  }

  /// A chain, and one response that contains this chain.
  ///
  /// The response is given by its file and its number in the file.
  struct ChainResponse: Sendable {
    var file: Int32
    var ordinal: Int32
    var chain: ChainKey
  }

  private(set) var chains: [ChainKey: Loaded] = [:]
  private(set) var responses: [ChainResponse] = []
  private(set) var products = ProductFacts()
  /// Whether Apple signed any price of these chains.
  var isSigned: Bool { chains.values.contains(where: \.isSigned) }
  /// Whether two different chains have the same key.
  private(set) var hasClash = false

  init() {}

  init(_ partition: MergedPartition, catalogue: Catalogue) {
    let isDurable = partition.durableChains(catalogue)
    for (number, unit) in partition.units.enumerated() {
      let customers =
        unit.isSandbox ? [] : partition.accountLinks.customers(of: ChainPosition(number))
      add(
        Loaded(
          unit: unit, isDurable: isDurable[number],
          customers: customers.map(\.customer), claims: []))
    }
    for purchase in partition.book.purchases where purchase.signed?.price != nil {
      let unit = partition.unit(of: purchase.originalTransactionID, isSandbox: purchase.isSandbox)
      chains[partition.units[unit].key]?.isSigned = true
    }
    for claim in partition.claims {
      let unit = partition.units[claim.unit.index]
      chains[unit.key]?.claims.append(
        (
          claim.transactionID,
          ClaimedPurchase(
            partition.book.purchases[Int(claim.purchase)],
            at: ChainPlace(partition: 0, unit: claim.unit))
        ))
    }
    responses = partition.accountLinks.chains.map {
      ChainResponse(file: $0.file, ordinal: $0.ordinal, chain: partition.units[$0.unit.index].key)
    }
    products = ProductFacts(partition.book, catalogue: catalogue)
  }

  private mutating func add(_ chain: Loaded) {
    if chains.updateValue(chain, forKey: chain.unit.key) != nil { hasClash = true }
  }

  mutating func add(_ other: consuming LoadedChains) {
    for chain in other.chains.values { add(chain) }
    responses += other.responses
    products.add(other.products)
    hasClash = hasClash || other.hasClash
  }
}
