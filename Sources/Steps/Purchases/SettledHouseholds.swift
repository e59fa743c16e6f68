public import PurchaseModel

extension MergedShare {
  /// By chain of the share: whether it is standing, a subscription or a non-consumable.
  public func standing(_ catalogue: Catalogue) -> [Bool] {
    var isStanding = [Bool](repeating: false, count: units.count)
    for row in book.purchases.indices where !book.purchases[row].isSandbox {
      let kind = catalogue.products[book.purchases[row].productID]?.kind
      if book.purchases[row].isSubscription || kind == .nonConsumable {
        isStanding[unit(of: book.purchases[row].originalTransactionID, isSandbox: false)] = true
      }
    }
    return isStanding
  }
}

extension PurchaseBook {
  /// Settles households, and the household of each chain, if one share holds all chains.
  mutating func settleHouseholds(
    of share: MergedShare, _ set: SightingSet, catalogue: Catalogue
  ) {
    var accounts = DisjointSets(count: share.units.count)
    var first: [Int64: ChainPosition] = [:]  // by response
    for seen in share.encounters.chains {
      let response = Int64(seen.file) << 32 | Int64(seen.ordinal)
      if let other = first[response] {
        accounts.join(other, seen.unit)
      } else {
        first[response] = seen.unit
      }
    }
    let isStanding = share.standing(catalogue)
    households = Households(
      accounts: accounts,
      customers: share.encounters.customers.map {
        Households.ChainCustomer(chain: $0.unit, customer: $0.customer)
      }, isStanding: { isStanding[$0.index] })
    for report in set.reports {
      if let customer = report.customer { _ = households.household(ofReporter: customer) }
    }
    let order = CustomerOrder(set.customers)
    for chain in chains.indices {
      let unit = ChainPosition(
        share.unit(of: chains[chain].originalTransactionID, isSandbox: false))
      var customer = NewestCustomer()
      let named = share.encounters.customers(of: unit)
      for candidate in named where !households.isNobody(candidate.customer) {
        customer.see(candidate.customer, age: candidate.age, order: order)
      }
      chains[chain].customer = customer.value
      chains[chain].household = households.household(ofChain: unit)
    }
    for unit in share.units.indices where !share.units[unit].isSandbox {
      householdOfChain[share.units[unit].originalTransactionID] =
        households.household(ofChain: ChainPosition(unit))
    }
    for index in storefrontSightings.indices {
      let sighting = storefrontSightings[index]
      storefrontSightings[index].chain =
        sighting.originalTransactionID.flatMap(chain(named:)).map(ChainPosition.init)
      storefrontSightings[index].household =
        sighting.originalTransactionID.flatMap { householdOfChain[$0] }
        ?? sighting.customer.flatMap(households.household)
    }
  }
}
