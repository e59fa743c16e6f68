extension SampleProduct {
  /// The product, with the values that Apple's reports show for it.
  var inReports: LedgerProduct {
    LedgerProduct(
      id: id, appleID: String(1_500_000_001 + rawValue), app: "com.example.app",
      appNumber: "1500000000", kind: kind, group: group ?? "", periodText: periodText)
  }
}

extension SampleStore {
  /// The purchases from which Apple's reports are generated.
  ///
  /// They are the production purchases in this app, without rows shared by a family member.
  var ledger: [LedgerPurchase] {
    customers.enumerated().flatMap { number, customer in
      guard !customer.isSandbox, customer.isInTruth, customer.bundle == SampleCustomer.bundle else {
        return [LedgerPurchase]()
      }
      return customer.purchases.filter { !$0.isFamilyShared }.map {
        customer.ledgerPurchase($0, number: number)
      }
    }
  }
}

extension SampleCustomer {
  fileprivate func ledgerPurchase(_ row: SamplePurchase, number: Int) -> LedgerPurchase {
    let shown = uploads.filter { $0.shows(row) }
    let isFinal = row.cancelledAt != 0 && row.cancellationKnownUntil == .max
    return LedgerPurchase(
      id: row.id, product: row.product.inReports, country: row.market.alpha2,
      currency: row.market.currency.code, kind: row.kind, offerID: row.promotionalOfferID,
      offerName: row.referenceName,
      isRenewal: row.isSubscription && row.purchasedAt != row.originalPurchasedAt,
      quantity: row.quantity, paid: row.paid, purchasedAt: row.purchasedAt,
      expiresAt: row.expiresAt, settledAt: row.knownFrom,
      refundedAt: isFinal ? row.cancelledAt : 0, upgradedAt: row.upgradedAt,
      isShown: !shown.isEmpty, isRefundShown: shown.contains { row.isCancelled(at: $0.at) },
      isLateShown: uploads.contains { isLate(row, at: $0.at) }, subscriber: number)
  }

  /// Whether a row's chain is in billing retry or in a grace period at a moment.
  ///
  /// If so, the payment of the row may be late. The value is false if the moment is more than 60
  /// days before or after the purchase.
  private func isLate(_ row: SamplePurchase, at moment: Int64) -> Bool {
    guard row.isSubscription, abs(moment - row.purchasedAt) < 60 * BillingClock.day,
      let state = state(of: row.originalID, at: moment)
    else { return false }
    return state.retry == 1 || state.graceUntil != 0
  }
}
