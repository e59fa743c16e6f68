internal import CivilTime
internal import PurchaseModel

/// Writes the charges that an owner's server has stored: Apple's decoded transactions, rows of a
/// table, or events of a service.
struct ChargeText {
  let world: World
  let account: Account

  /// The first line of a table.
  static let head = "transaction_id,product,amount,currency,charged_at"

  /// Writes one charge in its form, without a line feed.
  func write(_ charge: AccountCharge, to json: inout JSONBytes) {
    let row = account.purchases[charge.purchase]
    switch charge.form {
    case .decoded: writeTransaction(row, charge, to: &json)
    case .webhook: writeEvent(row, charge, to: &json)
    case .table:
      json.raw("\(row.id),\(world.products[row.product].id),")
      json.raw("\(row.currency.text(row.paid)),\(row.currency.code),")
      json.dateAndTime(charge.at, separator: UInt8(ascii: "T"))
      json.raw("Z")
    case .lines:
      json.member("{\"transaction_id\":", row.id)
      json.member(",\"product\":", world.products[row.product].id)
      json.raw(",\"amount\":")
      json.raw(row.currency.text(row.paid))
      json.member(",\"currency\":", row.currency.code)
      json.raw(",\"charged_at\":")
      json.isoTime(charge.at)
      json.raw("}")
    }
  }

  private func writeTransaction(
    _ row: AccountPurchase, _ charge: AccountCharge, to json: inout JSONBytes
  ) {
    json.raw("{\"received_at\":")
    json.isoTime(charge.at)
    let id = account.customerID(at: charge.at)
    if !id.isEmpty { json.member(",\"customer_id\":", id) }
    let product = world.products[row.product]
    json.member(",\"payload\":{\"transactionId\":", row.id)
    json.member(",\"originalTransactionId\":", row.originalID)
    if row.lineItem != 0 { json.member(",\"webOrderLineItemId\":", row.lineItem) }
    json.member(",\"bundleId\":", account.bundle)
    json.member(",\"productId\":", product.id)
    if let group = product.group { json.member(",\"subscriptionGroupIdentifier\":", group) }
    json.raw(",\"purchaseDate\":")
    json.number(row.purchasedAt)
    json.raw(",\"originalPurchaseDate\":")
    json.number(row.originalPurchasedAt)
    if row.isSubscription {
      json.raw(",\"expiresDate\":")
      json.number(row.end(knownAt: charge.at))
    }
    json.raw(",\"quantity\":")
    json.number(row.quantity)
    json.member(",\"type\":", product.signedKind)
    json.raw(",\"inAppOwnershipType\":\"PURCHASED\",\"signedDate\":")
    json.number(charge.at)
    if charge.isRefund {
      json.raw(",\"revocationDate\":")
      json.number(row.cancelledAt)
      json.raw(",\"revocationReason\":0")
    }
    writeOffer(row, to: &json)
    writeCommitment(row, to: &json)
    json.raw(",\"environment\":\"Production\"")
    json.member(",\"storefront\":", world.storefronts[row.storefront].code)
    json.member(",\"transactionReason\":", row.id == row.originalID ? "PURCHASE" : "RENEWAL")
    json.raw(",\"price\":")
    json.number(row.paid)
    json.member(",\"currency\":", row.currency.code)
    json.raw("}}")
  }

  /// Writes an event of RevenueCat's webhook: `price` is in US dollars.
  private func writeEvent(
    _ row: AccountPurchase, _ charge: AccountCharge, to json: inout JSONBytes
  ) {
    let dollar = WorldCurrency.named("USD")
    let isFirst = row.id == row.originalID
    let type =
      isFirst ? (row.isSubscription ? "INITIAL_PURCHASE" : "NON_RENEWING_PURCHASE") : "RENEWAL"
    json.member("{\"event\":{\"type\":", type)
    json.raw(",\"event_timestamp_ms\":")
    json.number(charge.at)
    json.member(",\"app_user_id\":", account.customerID(at: charge.at))
    json.raw(",\"store\":\"APP_STORE\",\"environment\":\"PRODUCTION\"")
    json.member(",\"product_id\":", world.products[row.product].id)
    json.member(",\"transaction_id\":", row.id)
    json.member(",\"original_transaction_id\":", row.originalID)
    json.member(
      ",\"period_type\":", row.isTrial ? "TRIAL" : row.kind == .regular ? "NORMAL" : "INTRO")
    json.raw(",\"price\":")
    json.raw(dollar.text(dollar.converted(row.paid, from: row.currency) / 10 * 10))
    json.raw(",\"price_in_purchased_currency\":")
    json.raw(row.currency.text(row.paid))
    json.member(",\"currency\":", row.currency.code)
    json.member(",\"country_code\":", world.storefronts[row.storefront].alpha2)
    json.raw(",\"purchased_at_ms\":")
    json.number(row.purchasedAt)
    json.raw("},\"api_version\":\"1.0\"}")
  }

  /// Writes the plan of a monthly payment, and the price of the whole commitment.
  private func writeCommitment(_ row: AccountPurchase, to json: inout JSONBytes) {
    guard row.commitment > 0 else { return }
    json.raw(",\"billingPlanType\":\"MONTHLY\",\"commitmentInfo\":{\"billingPeriodNumber\":")
    json.number(Int64(row.payment))
    json.raw(",\"totalBillingPeriods\":")
    json.number(Int64(Commitment.payments))
    json.raw(",\"commitmentPrice\":")
    json.number(row.paid * Int64(Commitment.payments))
    json.raw(",\"commitmentExpiresDate\":")
    json.number(row.committedUntil)
    json.raw("}")
  }

  private func writeOffer(_ row: AccountPurchase, to json: inout JSONBytes) {
    switch row.kind {
    case .regular, .oneTime: return
    case .trial, .intro: json.raw(",\"offerType\":1")
    case .promo: json.raw(",\"offerType\":2")
    case .offerCode: json.raw(",\"offerType\":3")
    }
    let identifier = row.referenceName.isEmpty ? row.promotionalOfferID : row.referenceName
    if !identifier.isEmpty { json.member(",\"offerIdentifier\":", identifier) }
    switch row.offer?.mode {
    case .freeTrial: json.member(",\"offerDiscountType\":", "FREE_TRIAL")
    case .payAsYouGo: json.member(",\"offerDiscountType\":", "PAY_AS_YOU_GO")
    case .payUpFront: json.member(",\"offerDiscountType\":", "PAY_UP_FRONT")
    case nil: break
    }
  }
}

extension WorldProduct {
  /// The value of `type` in Apple's transactions.
  fileprivate var signedKind: String {
    switch kind {
    case .autoRenewableSubscription: "Auto-Renewable Subscription"
    case .nonRenewingSubscription: "Non-Renewing Subscription"
    case .nonConsumable: "Non-Consumable"
    case .consumable, .unknown: "Consumable"
    }
  }
}
