public import PurchaseModel

/// The decisions that need all chains of a run, not only the chains of one household.
///
/// They determine which customer ids are placeholders, and which receipts were passed on. If
/// several chains claim a transaction id, they determine which purchase gets it.
public struct GlobalDecisions: Sendable {
  private let customers: CustomerOrder
  private let isPlaceholder: @Sendable (CustomerID) -> Bool
  private let passedOn: Set<ChainKey>
  private let winners: [TransactionID: PurchaseKey]

  /// Creates the decisions.
  ///
  /// - Parameter passedOn: The chains of the accounts whose receipts were passed on.
  public init(
    customers: CustomerOrder, isPlaceholder: @escaping @Sendable (CustomerID) -> Bool,
    passedOn: Set<ChainKey>, winners: [TransactionID: PurchaseKey]
  ) {
    self.customers = customers
    self.isPlaceholder = isPlaceholder
    self.passedOn = passedOn
    self.winners = winners
  }

  /// The customer in the newest record of a chain; placeholders are left out.
  fileprivate func customer(among named: ArraySlice<AccountLinks.Named>) -> CustomerID? {
    var newest = NewestCustomer()
    for named in named where !isPlaceholder(named.customer) {
      newest.include(named.customer, recency: named.recency, order: customers)
    }
    return newest.value
  }

  /// Returns true if the receipt of a chain's account was passed on.
  fileprivate func isPassedOn(_ chain: SubscriptionKey) -> Bool { passedOn.contains(chain.key) }

  /// Returns true if the purchase with a claim to a transaction id gets this id.
  fileprivate func isSettled(_ claim: StrongestClaim) -> Bool {
    winners[claim.transactionID].map { $0 == claim.key } ?? true
  }
}

extension MergedPartition {
  /// Builds the purchase history of whole households from their merged chains.
  ///
  /// The history is the input of the step decide.
  ///
  /// - Parameters:
  ///   - storefrontsWithoutRows: The storefronts in export records without a row; they are added to
  ///     the history.
  ///   - household: Returns the household of a chain; `nil` if the chain has none.
  public func assembledHistory(
    _ globalDecisions: GlobalDecisions, storefrontsWithoutRows: [StorefrontObservation],
    household: (SubscriptionKey) -> HouseholdNumber?
  ) -> PurchaseHistory {
    let households = chainKeys.map { $0.isSandbox ? nil : household($0) }
    var settled = book
    var chains = [ChainPosition?](repeating: nil, count: chainKeys.count)
    for position in settled.chains.indices {
      let chain = self.position(
        of: settled.chains[position].originalTransactionID, isSandbox: false)
      chains[chain] = ChainPosition(position)
      settled.chains[position].household = households[chain]
      settled.chains[position].isPassedOn = globalDecisions.isPassedOn(chainKeys[chain])
      settled.chains[position].customer = globalDecisions.customer(
        among: accountLinks.customers(of: ChainPosition(chain)))
    }
    settled.excludedHouseholds = book.purchases[book.revenueCount...].map {
      households[position(of: $0.originalTransactionID, isSandbox: $0.isSandbox)]
    }
    for place in settled.storefrontObservations.indices {
      guard let id = settled.storefrontObservations[place].originalTransactionID else { continue }
      let chain = position(of: id, isSandbox: false)
      settled.storefrontObservations[place].household = households[chain]
      settled.storefrontObservations[place].chain = chains[chain]
    }
    settled.leaveOutStorefronts {
      globalDecisions.isPassedOn(chainKeys[position(of: $0, isSandbox: false)])
    }
    settled.storefrontObservations += storefrontsWithoutRows
    settled.aliases = claims.filter(globalDecisions.isSettled).map {
      TransactionAlias(
        transactionID: $0.transactionID, purchase: RowPosition(Int($0.purchase)))
    }.sorted { $0.transactionID < $1.transactionID }
    return settled
  }
}
