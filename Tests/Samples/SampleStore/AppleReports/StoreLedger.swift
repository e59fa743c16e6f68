extension SampleStore {
  /// The purchases from which Apple's reports are generated.
  ///
  /// They are the production purchases in the owner's apps, without rows shared by a family member.
  var ledger: [LedgerPurchase] {
    accounts.flatMap { account in
      guard !account.isSandbox, account.isInTruth, world.apps.contains(account.bundle) else {
        return [LedgerPurchase]()
      }
      var shown: [Int: [Int64]] = [:]
      for upload in account.uploads {
        for index in account.visible(at: upload.at) { shown[index, default: []].append(upload.at) }
      }
      return account.purchases.indices.filter { !account.purchases[$0].isFamilyShared }.map {
        account.ledgerPurchase($0, shownAt: shown[$0] ?? [], in: world)
      }
    }
  }
}

extension World {
  /// Returns the product at a position of ``products``, with its values in Apple's reports.
  fileprivate func inReports(_ position: Int) -> LedgerProduct {
    let product = products[position]
    return LedgerProduct(
      id: product.id, appleID: String(1_500_000_001 + position), app: apps[product.app],
      appNumber: String(1_400_000_000 + product.app), kind: product.kind,
      group: product.group ?? "", periodText: product.periodText)
  }
}

extension Account {
  fileprivate func ledgerPurchase(_ index: Int, shownAt: [Int64], in world: World)
    -> LedgerPurchase
  {
    let row = purchases[index]
    let storefront = world.storefronts[row.storefront]
    let isFinal = row.cancelledUntil == .max
    let list = world.prices.step(row.product, row.storefront, at: row.purchasedAt)
    return LedgerPurchase(
      id: row.id, product: world.inReports(row.product), country: storefront.alpha2,
      currency: row.currency.code, kind: row.kind, offerID: row.promotionalOfferID,
      offerName: row.referenceName,
      isRenewal: row.isSubscription && row.purchasedAt != row.originalPurchasedAt,
      quantity: row.quantity, paid: row.paid,
      assumed: row.isPromoCode ? list.price * row.quantity : 0, purchasedAt: row.purchasedAt,
      expiresAt: row.end(), settledAt: row.knownFrom, refundedAt: isFinal ? row.cancelledAt : 0,
      upgradedAt: row.upgradedAt, isShown: !shownAt.isEmpty,
      isRefundShown: shownAt.contains { row.isCancelled(at: $0) },
      isLateShown: uploads.contains { isLate(row, at: $0.at) }, subscriber: number)
  }

  /// Whether a row's chain is in billing retry or in a grace period at a moment.
  ///
  /// If so, the payment of the row may be late. The value is false if the moment is more than 60
  /// days before or after the purchase.
  private func isLate(_ row: AccountPurchase, at moment: Int64) -> Bool {
    guard row.isSubscription, abs(moment - row.purchasedAt) < 60 * BillingClock.day,
      let state = state(of: row.originalID, at: moment)
    else { return false }
    return state.retry == 1 || state.graceUntil != 0
  }
}
