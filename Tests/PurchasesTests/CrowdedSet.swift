internal import CivilTime
internal import PurchaseModel
internal import TestSupport

@testable internal import Purchases

/// A small set in which ids, times and storefronts often coincide.
func crowdedSet(using generator: inout SeededGenerator) -> Observations {
  var set = Observations()
  for text in ["A", "B", "C", "LENT"] { _ = set.symbols.intern(text) }
  set.customers = Customers(set.symbols)
  func symbol(_ generator: inout SeededGenerator) -> Symbol {
    Symbol(rawValue: .random(in: 0..<4, using: &generator))
  }
  func some<Value>(
    _ generator: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value
  ) -> Value? { Bool.random(using: &generator) ? value(&generator) : nil }
  func time(_ generator: inout SeededGenerator) -> Instant {
    instant("2021-05-01").advanced(by: .days(.random(in: 0..<6, using: &generator) * 20))
  }
  func number(_ generator: inout SeededGenerator) -> AppleNumber {
    AppleNumber(rawValue: .random(in: 1..<8, using: &generator))
  }
  for line in 0..<Int32.random(in: 1..<12, using: &generator) {
    set.records.append(
      ReceiptRecord(
        source: SourceLine(file: 0, line: line + 1), ordinal: line, snapshotAt: time(&generator),
        customer: some(&generator) { CustomerID(symbol(&$0)) },
        storefront: some(&generator) { storefront(Bool.random(using: &$0) ? "USA" : "POL") },
        bundle: some(&generator) { BundleID(symbol(&$0)) },
        isSandbox: .random(in: 0..<5, using: &generator) == 0))
    for _ in 0..<Int.random(in: 0..<6, using: &generator) {
      var row = TransactionObservation(
        record: line, rank: Bool.random(using: &generator) ? .latest : .inApp,
        transactionID: TransactionID(number(&generator)),
        originalTransactionID: OriginalTransactionID(number(&generator)),
        productID: ProductID(symbol(&generator)), purchasedAt: time(&generator))
      row.lineItemID = some(&generator) { LineItemID(number(&$0)) }
      row.expiresAt = some(&generator, time)
      row.originalPurchasedAt = some(&generator, time)
      row.cancelledAt = some(&generator, time)
      row.cancellationReason = some(&generator, symbol)
      row.isTrialPeriod = some(&generator) { Bool.random(using: &$0) }
      row.isUpgraded = some(&generator) { Bool.random(using: &$0) }
      row.promotionalOfferID = some(&generator) { OfferID(symbol(&$0)) }
      row.offerCodeRefName = some(&generator) { OfferID(symbol(&$0)) }
      row.subscriptionGroupID = some(&generator) { SubscriptionGroupID(symbol(&$0)) }
      row.ownership = some(&generator) {
        [.purchased, .purchased, .familyShared, .unrecognized(symbol(&$0))].randomElement(
          using: &$0) ?? .purchased
      }
      row.quantity = .random(in: 1..<3, using: &generator)
      set.observations.append(row)
    }
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      var renewal = RenewalObservation(
        record: line, originalTransactionID: OriginalTransactionID(number(&generator)))
      renewal.productID = some(&generator) { ProductID(symbol(&$0)) }
      renewal.autoRenewStatus = some(&generator) { Bool.random(using: &$0) }
      renewal.expirationIntent = some(&generator, symbol)
      renewal.gracePeriodExpiresAt = some(&generator, time)
      renewal.priceConsentStatus = some(&generator, symbol)
      renewal.commitment = some(&generator) {
        var commitment = NextCommitment()
        commitment.autoRenewStatus = some(&$0) { Bool.random(using: &$0) }
        commitment.renewsAt = some(&$0, time)
        commitment.billingPlan = some(&$0) { Bool.random(using: &$0) ? .monthly : .upfront }
        return commitment
      }
      set.renewals.append(renewal)
    }
  }
  return set
}

/// The whole content of a history, in a form that can be compared.
struct Contents: Equatable {
  var purchases: [Purchase]
  var revenueCount: Int
  var chains: [Chain]
  var renewalStates: [RenewalState]
  var aliases: [TransactionAlias]
  var storefrontObservations: [StorefrontObservation]
}

func contents(_ book: PurchaseHistory) -> Contents {
  Contents(
    purchases: book.purchases, revenueCount: book.revenueCount, chains: book.chains,
    renewalStates: book.renewalStates, aliases: book.aliases,
    storefrontObservations: book.storefrontObservations)
}
