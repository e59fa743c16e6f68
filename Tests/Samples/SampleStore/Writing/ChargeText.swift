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
    json.raw(",\"payload\":")
    let payload = TransactionPayload(
      world: world, account: account, signedAt: charge.at, pricesFrom: .min)
    json.bytes += payload.transaction(row)
    json.raw("}")
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
}
