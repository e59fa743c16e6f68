/// Writes one row of a response with Apple's member names.
///
/// Every value is a text.
struct ReceiptRowWriter {
  /// The list of a response to which a row belongs; the two lists have different fields.
  enum List {
    /// `receipt.in_app`: the rows in the phone's receipt.
    case inApp
    /// `latest_receipt_info`: the rows at the time of the response.
    case latest
  }

  let world: World
  let account: Account
  let upload: AccountUpload

  /// Writes a purchase as a JSON object.
  func write(_ index: Int, in list: List, to json: inout JSONBytes) {
    let purchase = account.purchases[index]
    let moment = list == .latest ? upload.at : upload.inAppAsOf
    json.raw("{")
    if upload.style & 64 == 0 {
      writeNames(index, purchase, list, to: &json)
      json.raw(",")
      writeDates(index, purchase, at: moment, to: &json)
      json.raw(",")
      json.appleDate("original_purchase_date", purchase.originalPurchasedAt)
      writeFlags(purchase, list, at: moment, to: &json)
    } else {
      writeDates(index, purchase, at: moment, to: &json)
      writeFlags(purchase, list, at: moment, to: &json)
      json.raw(",")
      writeNames(index, purchase, list, to: &json)
      json.raw(",")
      json.appleDate("original_purchase_date", purchase.originalPurchasedAt)
    }
    json.raw("}")
  }

  private func writeNames(
    _ index: Int, _ purchase: AccountPurchase, _ list: List, to json: inout JSONBytes
  ) {
    let id: Int64
    switch list {
    case .latest: id = account.restore(of: index, at: upload.at)?.id ?? purchase.id
    case .inApp: id = account.restore(of: index, at: upload.inAppAsOf)?.id ?? purchase.aliasID
    }
    json.member("\"quantity\":", purchase.quantity)
    json.member(",\"product_id\":", world.products[purchase.product].id)
    json.member(",\"transaction_id\":", id)
    json.member(",\"original_transaction_id\":", purchase.originalID)
    if purchase.lineItem != 0 { json.member(",\"web_order_line_item_id\":", purchase.lineItem) }
  }

  /// Writes `purchase_date`, and for a subscription also `expires_date`.
  ///
  /// `purchase_date` is the time of a restore that the response shows, else that of the purchase.
  private func writeDates(
    _ index: Int, _ purchase: AccountPurchase, at moment: Int64, to json: inout JSONBytes
  ) {
    let restored = account.restore(of: index, at: moment)?.at
    json.appleDate("purchase_date", restored ?? purchase.purchasedAt)
    guard purchase.isSubscription else { return }
    json.raw(",")
    json.appleDate("expires_date", purchase.end(knownAt: moment))
  }

  private func writeFlags(
    _ purchase: AccountPurchase, _ list: List, at moment: Int64, to json: inout JSONBytes
  ) {
    if purchase.isCancelled(at: moment) && purchase.isCancelled(at: upload.at) {
      json.raw(",")
      json.appleDate("cancellation_date", purchase.cancelledAt)
      json.member(",\"cancellation_reason\":", purchase.cancellationReason)
    }
    json.member(",\"is_trial_period\":", purchase.isTrial ? "true" : "false")
    if purchase.isSubscription {
      json.member(",\"is_in_intro_offer_period\":", purchase.isIntro ? "true" : "false")
    }
    if !purchase.promotionalOfferID.isEmpty {
      json.member(",\"promotional_offer_id\":", purchase.promotionalOfferID)
    }
    json.member(
      ",\"in_app_ownership_type\":", purchase.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
    guard list == .latest else { return }
    if purchase.isUpgraded(at: upload.at) { json.member(",\"is_upgraded\":", "true") }
    if !purchase.referenceName.isEmpty {
      json.member(",\"offer_code_ref_name\":", purchase.referenceName)
    }
    if let group = world.products[purchase.product].group {
      json.member(",\"subscription_group_identifier\":", group)
    }
  }
}
