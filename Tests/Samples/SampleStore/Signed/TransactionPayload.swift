internal import PurchaseModel

/// Writes the JSON that Apple signs for a purchase or a chain.
struct TransactionPayload {
  let world: World
  let account: Account
  /// The time of signing, Unix milliseconds.
  let signedAt: Int64
  /// The earliest purchase time of transactions with a price, Unix milliseconds.
  let pricesFrom: Int64

  /// Writes the JSON of a transaction: `JWSTransactionDecodedPayload`.
  func transaction(_ purchase: AccountPurchase) -> [UInt8] {
    var json = JSONBytes()
    json.raw("{")
    json.member("\"transactionId\":", purchase.id)
    json.member(",\"originalTransactionId\":", purchase.originalID)
    if purchase.lineItem != 0 { json.member(",\"webOrderLineItemId\":", purchase.lineItem) }
    json.member(",\"bundleId\":", account.bundle)
    let product = world.products[purchase.product]
    json.member(",\"productId\":", product.id)
    if let group = product.group {
      json.member(",\"subscriptionGroupIdentifier\":", group)
    }
    json.time(",\"purchaseDate\":", purchase.purchasedAt)
    json.time(",\"originalPurchaseDate\":", purchase.originalPurchasedAt)
    if purchase.isSubscription {
      json.time(",\"expiresDate\":", purchase.end(knownAt: signedAt))
    }
    json.raw(",\"quantity\":")
    json.number(purchase.quantity)
    json.member(",\"type\":", product.signedKind)
    json.member(
      ",\"inAppOwnershipType\":", purchase.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
    json.time(",\"signedDate\":", signedAt)
    writeRevocation(of: purchase, to: &json)
    if purchase.isUpgraded(at: signedAt) { json.raw(",\"isUpgraded\":true") }
    writeOffer(of: purchase, to: &json)
    writeCommitment(of: purchase, to: &json)
    writeEnvironment(to: &json)
    json.member(",\"storefront\":", world.storefronts[purchase.storefront].code)
    json.member(
      ",\"transactionReason\":", purchase.id == purchase.originalID ? "PURCHASE" : "RENEWAL")
    if purchase.purchasedAt >= pricesFrom, !purchase.isFamilyShared {
      json.raw(",\"price\":")
      json.number(purchase.paid)
      json.member(",\"currency\":", purchase.currency.code)
    }
    json.raw("}")
    return json.bytes
  }

  private func writeRevocation(of purchase: AccountPurchase, to json: inout JSONBytes) {
    guard purchase.isCancelled(at: signedAt) else { return }
    json.time(",\"revocationDate\":", purchase.cancelledAt)
    json.raw(",\"revocationReason\":")
    json.number(purchase.cancellationReason)
  }

  private func writeOffer(of purchase: AccountPurchase, to json: inout JSONBytes) {
    switch purchase.kind {
    case .regular, .oneTime: return
    case .trial, .intro: json.raw(",\"offerType\":1")
    case .promo:
      json.raw(",\"offerType\":2")
      json.member(",\"offerIdentifier\":", purchase.promotionalOfferID)
    case .offerCode:
      json.raw(",\"offerType\":3")
      json.member(",\"offerIdentifier\":", purchase.referenceName)
    }
    switch purchase.offer?.mode {
    case .freeTrial: json.member(",\"offerDiscountType\":", "FREE_TRIAL")
    case .payAsYouGo: json.member(",\"offerDiscountType\":", "PAY_AS_YOU_GO")
    case .payUpFront: json.member(",\"offerDiscountType\":", "PAY_UP_FRONT")
    case nil: break
    }
  }

  /// Writes the plan of a monthly payment, and the price of the whole commitment.
  private func writeCommitment(of purchase: AccountPurchase, to json: inout JSONBytes) {
    guard purchase.commitment > 0 else { return }
    json.raw(",\"billingPlanType\":\"MONTHLY\",\"commitmentInfo\":{\"billingPeriodNumber\":")
    json.number(Int64(purchase.payment))
    json.raw(",\"totalBillingPeriods\":")
    json.number(Int64(Commitment.payments))
    json.raw(",\"commitmentPrice\":")
    json.number(purchase.paid * Int64(Commitment.payments))
    json.time(",\"commitmentExpiresDate\":", purchase.committedUntil)
    json.raw("}")
  }

  private func writeEnvironment(to json: inout JSONBytes) {
    json.member(",\"environment\":", account.isSandbox ? "Sandbox" : "Production")
  }

  /// Writes the JSON of a chain's renewal state: `JWSRenewalInfoDecodedPayload`.
  ///
  /// Returns `nil` if the state is unknown.
  func renewal(of chain: Int64) -> [UInt8]? {
    guard let state = account.state(of: chain, at: signedAt) else { return nil }
    var json = JSONBytes()
    json.raw("{")
    json.member("\"originalTransactionId\":", chain)
    json.member(",\"autoRenewProductId\":", world.products[state.nextProduct].id)
    json.member(",\"productId\":", world.products[state.product].id)
    json.raw(state.willRenew ? ",\"autoRenewStatus\":1" : ",\"autoRenewStatus\":0")
    if state.intent > 0 {
      json.raw(",\"expirationIntent\":")
      json.number(state.intent)
    }
    if state.retry >= 0 {
      json.raw(",\"isInBillingRetryPeriod\":")
      json.raw(state.retry == 1 ? "true" : "false")
    }
    if state.graceUntil > 0 { json.time(",\"gracePeriodExpiresDate\":", state.graceUntil) }
    if state.consent >= 0 {
      json.raw(",\"priceIncreaseStatus\":")
      json.number(state.consent)
    }
    json.time(",\"signedDate\":", signedAt)
    writeEnvironment(to: &json)
    json.raw("}")
    return json.bytes
  }

  /// Writes the JSON of a notification, with tokens that are already signed:
  /// `ResponseBodyV2DecodedPayload`.
  func notification(_ type: String, number: Int64, transaction: [UInt8], renewal: [UInt8]?)
    -> [UInt8]
  {
    var json = JSONBytes()
    json.raw("{")
    json.member("\"notificationType\":", type)
    json.raw(",\"notificationUUID\":\"00000000-0000-4000-8000-")
    let digits = String(number % 1_000_000_000_000)
    json.raw(String(repeating: "0", count: 12 - digits.utf8.count) + digits)
    json.raw("\",\"version\":\"2.0\"")
    json.time(",\"signedDate\":", signedAt)
    json.member(",\"data\":{\"bundleId\":", account.bundle)
    writeEnvironment(to: &json)
    json.raw(",\"signedTransactionInfo\":")
    json.text(of: transaction)
    if let renewal {
      json.raw(",\"signedRenewalInfo\":")
      json.text(of: renewal)
    }
    json.raw("}}")
    return json.bytes
  }
}

extension JSONBytes {
  /// Appends a member whose value is a time in milliseconds.
  fileprivate mutating func time(_ key: StaticString, _ milliseconds: Int64) {
    raw(key)
    number(milliseconds)
  }
}

extension WorldProduct {
  /// The value of `type` in a signed transaction.
  fileprivate var signedKind: String {
    switch kind {
    case .autoRenewableSubscription: "Auto-Renewable Subscription"
    case .nonRenewingSubscription: "Non-Renewing Subscription"
    case .nonConsumable: "Non-Consumable"
    case .consumable, .unknown: "Consumable"
    }
  }
}
