internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Adds the renewal states in production records to the chains of a history.
func addRenewalStates(of set: Observations, to book: inout PurchaseHistory) {
  var keyed: [KeyedIndex] = []
  keyed.reserveCapacity(set.renewals.count)
  for (index, renewal) in set.renewals.enumerated()
  where !set.records[Int(renewal.record)].isSandbox {
    keyed.append(
      KeyedIndex(
        key: renewal.originalTransactionID.number.rawValue, index: UInt32(index)))
  }
  keyed.sort()
  var next = 0
  for chain in book.chains.indices {
    let id = book.chains[chain].originalTransactionID.number.rawValue
    while next < keyed.count, keyed[next].key < id { next += 1 }
    let start = next
    while next < keyed.count, keyed[next].key == id { next += 1 }
    let first = book.renewalStates.count
    if start < next {
      let observations = keyed[start..<next].map { set.renewals[Int($0.index)] }
      // A service's states are used only where Apple's data have none.
      let isOfService = observations.allSatisfy(\.isOfService)
      let states = observations.filter { $0.isOfService == isOfService }.map { observation in
        RenewalState(
          observation, observedAt: set.records[Int(observation.record)].snapshotAt)
      }
      for state in states {
        book.chains[chain].lastSeenAt = max(book.chains[chain].lastSeenAt, state.observedAt)
      }
      let rows = book.purchases[book.chains[chain].rows]
      book.renewalStates += changes(of: states, alongside: rows)
    }
    book.chains[chain].renewalStates = first..<book.renewalStates.count
  }
}

extension RenewalState {
  /// Creates a renewal state from one entry of a snapshot.
  init(_ observation: RenewalObservation, observedAt: Instant) {
    self.observedAt = observedAt
    lastObservedAt = observedAt
    productID = observation.productID
    autoRenewProductID = observation.autoRenewProductID
    autoRenewStatus = observation.autoRenewStatus
    commitment = observation.commitment
    expirationIntent = observation.expirationIntent
    isInBillingRetry = observation.isInBillingRetry
    gracePeriodExpiresAt = observation.gracePeriodExpiresAt
    priceConsentStatus = [observation.priceConsentStatus, observation.priceIncreaseStatus]
      .compactMap(\.self).max()
  }

  /// Returns true if another state has equal content; the times of the two states are not compared.
  fileprivate func agrees(with other: RenewalState) -> Bool {
    var other = other
    other.observedAt = observedAt
    other.lastObservedAt = lastObservedAt
    return self == other
  }

  /// Returns true if one state precedes another in an arbitrary but fixed order.
  ///
  /// The fields are compared one after another; an absent value precedes any other value.
  fileprivate static func precedes(_ left: RenewalState, _ right: RenewalState) -> Bool {
    order(left.autoRenewStatus.map(OrderedFlag.init), right.autoRenewStatus.map(OrderedFlag.init))
      ?? order(left.expirationIntent, right.expirationIntent)
      ?? order(
        left.isInBillingRetry.map(OrderedFlag.init), right.isInBillingRetry.map(OrderedFlag.init))
      ?? order(left.gracePeriodExpiresAt, right.gracePeriodExpiresAt)
      ?? order(left.priceConsentStatus, right.priceConsentStatus)
      ?? order(left.productID, right.productID)
      ?? order(left.autoRenewProductID, right.autoRenewProductID)
      ?? precedes(left.commitment, right.commitment)
  }

  private static func precedes(_ left: NextCommitment?, _ right: NextCommitment?) -> Bool {
    guard let left, let right else { return left == nil && right != nil }
    return order(
      left.autoRenewStatus.map(OrderedFlag.init), right.autoRenewStatus.map(OrderedFlag.init))
      ?? order(left.renewsAt, right.renewsAt)
      ?? order(left.price, right.price)
      ?? order(left.billingPlan, right.billingPlan)
      ?? false
  }

  /// Returns true if the first value precedes the second; `nil` if the values are equal.
  ///
  /// An absent value precedes any other value.
  private static func order<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool? {
    guard left != right else { return nil }
    guard let left else { return true }
    guard let right else { return false }
    return left < right
  }
}

/// Returns the states of one chain, sorted by time; consecutive equal states are merged.
///
/// If several states have the same time, only one of them is used: the state whose product is the
/// product of the chain's row at that time. If there are several of them or none, the last in the
/// order of ``RenewalState/precedes(_:_:)`` is used.
private func changes(of states: [RenewalState], alongside rows: ArraySlice<Purchase>)
  -> [RenewalState]
{
  let sorted = states.sorted { $0.observedAt < $1.observedAt }
  var row = rows.startIndex
  var changes: [RenewalState] = []
  var start = 0
  while start < sorted.count {
    let time = sorted[start].observedAt
    var end = start + 1
    while end < sorted.count, sorted[end].observedAt == time { end += 1 }
    while row + 1 < rows.endIndex, rows[row + 1].purchasedAt <= time { row += 1 }
    let product = rows[row].productID
    let best = sorted[start..<end].max { left, right in
      let leftFits = left.productID == product
      let rightFits = right.productID == product
      return leftFits != rightFits ? rightFits : RenewalState.precedes(left, right)
    }
    if let best {
      if let last = changes.last, best.agrees(with: last) {
        changes[changes.count - 1].lastObservedAt = time
      } else {
        changes.append(best)
      }
    }
    start = end
  }
  return changes
}
