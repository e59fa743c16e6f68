/// Writes a response in the style of iOS 6: one flat row.
///
/// The status is 21006, because the subscription has expired.
struct FlatResponseWriter {
  let world: World
  let account: Account

  /// Writes the response about the customer's newest purchase.
  func write(_ upload: AccountUpload, to json: inout JSONBytes) {
    guard let purchase = account.visible(at: upload.at).last.map({ account.purchases[$0] }) else {
      json.raw("{\"status\":21006}")
      return
    }
    json.raw("{\"auto_renew_status\":0,\"status\":21006,\"receipt\":")
    writeRow(purchase, to: &json)
    json.raw(",\"latest_expired_receipt_info\":")
    writeRow(purchase, to: &json)
    json.raw("}")
  }

  private func writeRow(_ purchase: AccountPurchase, to json: inout JSONBytes) {
    json.member("{\"bid\":", account.bundle)
    json.raw(",\"bvrs\":\"98\",\"item_id\":\"590012345\",\"unique_identifier\":")
    json.raw("\"0000b0149f1f4d0e1a8e5c2f\",\"quantity\":\"1\"")
    json.member(",\"product_id\":", world.products[purchase.product].id)
    json.member(",\"transaction_id\":", purchase.id)
    json.member(",\"original_transaction_id\":", purchase.originalID)
    json.member(",\"web_order_line_item_id\":", purchase.lineItem)
    json.raw(",")
    json.appleDate("purchase_date", purchase.purchasedAt)
    json.raw(",")
    json.appleDate("original_purchase_date", purchase.originalPurchasedAt)
    let end = purchase.end()
    // In this style `expires_date` has milliseconds as text, and a second member has the readable
    // date.
    json.member(",\"expires_date\":", end)
    json.raw(",\"expires_date_formatted\":\"")
    json.dateAndTime(end, separator: UInt8(ascii: " "))
    json.raw(" Etc/GMT\",\"expires_date_formatted_pst\":\"")
    json.dateAndTime(
      end + BillingClock.offset(at: end),
      separator: UInt8(ascii: " "))
    json.raw(" America/Los_Angeles\"")
    json.member(",\"is_trial_period\":", purchase.isTrial ? "true" : "false")
    json.raw("}")
  }
}
