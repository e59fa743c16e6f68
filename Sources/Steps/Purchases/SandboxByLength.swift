internal import CivilTime
internal import PurchaseModel

/// Finds chains of Apple's sandbox whose responses do not name the environment.
///
/// In the sandbox a subscription of a month renews every few minutes, and one of a year every hour.
/// The shortest period that Apple sells is three days.
extension MergedPurchases {
  /// Excludes the purchases of each chain of which no record names the environment, and every row
  /// with an end lasts less than a day.
  ///
  /// Cancelled and upgraded rows show no length: a refund may come within minutes.
  mutating func excludeSandboxByLength() {
    guard parties.contains(where: { !$0.namesEnvironment }) else { return }
    var isShort: [OriginalTransactionID: Bool] = [:]
    for (purchase, party) in zip(purchases, parties) {
      if party.namesEnvironment {
        isShort[purchase.originalTransactionID] = false
      } else if let length = purchase.ownLength {
        isShort[purchase.originalTransactionID, default: true] =
          isShort[purchase.originalTransactionID, default: true] && length < .days(1)
      }
    }
    for index in purchases.indices where isShort[purchases[index].originalTransactionID] == true {
      purchases[index].exclusion = .sandboxByLength
    }
  }
}

extension Purchase {
  /// The time that the row covers; `nil` without an end, and for a cancelled or upgraded row.
  fileprivate var ownLength: Milliseconds? {
    guard let expiresAt, cancelledAt == nil, !isUpgraded else { return nil }
    return expiresAt.since(purchasedAt)
  }
}
