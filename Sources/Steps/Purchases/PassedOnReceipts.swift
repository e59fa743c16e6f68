internal import CivilTime
public import PurchaseModel

/// Finds the receipts that were passed on: records with many customer ids have chains of one
/// account.
///
/// A file with a receipt goes round, and others send it with their own ids to get its purchases. So
/// none of these ids shows whose the account is, or where its purchases were made.
enum PassedOnReceipts {
  /// Returns the accounts whose receipts were passed on, each by its first chain.
  ///
  /// The records of such an account have more than 20 customer ids, or more than five that have
  /// subscriptions or non-consumables of other accounts.
  ///
  /// - Parameters:
  ///   - customers: The customer ids in the records of each chain.
  ///   - accounts: The chains of each account.
  ///   - isDurable: Returns true if a chain is a subscription or a non-consumable.
  static func accounts(
    _ customers: [Households.ChainCustomer], isDurable: (ChainPosition) -> Bool,
    _ accounts: inout DisjointSets
  ) -> Set<ChainPosition> {
    // Most accounts have one or two ids; only the others are looked at.
    var counts: [ChainPosition: Int] = [:]
    for named in customers { counts[accounts.root(of: named.chain), default: 0] += 1 }
    counts = counts.filter { $0.value > Households.mostAccounts }
    guard !counts.isEmpty else { return [] }
    var owned: [CustomerID: ChainPosition?] = [:]
    var ids: [ChainPosition: Set<CustomerID>] = [:]
    for named in customers {
      let account = accounts.root(of: named.chain)
      if counts[account] != nil { ids[account, default: []].insert(named.customer) }
      guard isDurable(named.chain) else { continue }
      // `nil` stands for several accounts.
      if let known = owned[named.customer] {
        if known != account { owned[named.customer] = .some(nil) }
      } else {
        owned[named.customer] = .some(account)
      }
    }
    return Set(
      ids.lazy.filter { account, ids in
        ids.count > Households.mostIDs
          || ids.count { id in owned[id].map { $0 != account } ?? false }
            > Households.mostAccounts
      }.map(\.key))
  }
}

extension PurchaseHistory {
  /// Leaves out the storefronts in records of receipts that were passed on, except those of the
  /// customer id that sent such a receipt on the most days, and on at least two.
  ///
  /// Somebody who wants another customer's purchases sends the receipt once.
  ///
  /// - Parameter isPassedOn: Returns true for a chain of an account whose receipt was passed on.
  public mutating func leaveOutStorefronts(where isPassedOn: (OriginalTransactionID) -> Bool) {
    struct Sender: Hashable {
      var household: HouseholdNumber?
      var customer: CustomerID?
    }
    var days: [Sender: Set<CivilDay>] = [:]
    var isOfReceipt = [Bool](repeating: false, count: storefrontObservations.count)
    for (position, place) in storefrontObservations.enumerated() {
      guard let chain = place.originalTransactionID, isPassedOn(chain) else { continue }
      isOfReceipt[position] = true
      let sender = Sender(household: place.household, customer: place.customer)
      days[sender, default: []].insert(place.observedAt.day)
    }
    guard !days.isEmpty else { return }
    var most: [HouseholdNumber?: (days: Int, customer: CustomerID?, isSole: Bool)] = [:]
    for (sender, days) in days {
      let known = most[sender.household]
      if days.count > known?.days ?? 1 {
        most[sender.household] = (days.count, sender.customer, true)
      } else if days.count == known?.days {
        most[sender.household]?.isSole = false
      }
    }
    storefrontObservations = zip(storefrontObservations, isOfReceipt).filter { place, isOfReceipt in
      guard isOfReceipt else { return true }
      let owner = most[place.household]
      return owner?.isSole ?? false && owner?.customer == place.customer
    }.map(\.0)
  }
}
