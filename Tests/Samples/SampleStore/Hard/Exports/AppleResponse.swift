/// Writes Apple's response about one account, and the export record around it.
struct AppleResponse {
  let world: World
  let account: Account

  /// Writes one record, without a line feed.
  func write(_ upload: AccountUpload, to json: inout JSONBytes) {
    if upload.form == .bare { return writeAnswer(upload, to: &json) }
    json.raw("{\"received_at\":")
    json.isoTime(upload.at)
    let id = upload.sender ?? account.customerID(at: upload.at)
    if !id.isEmpty { json.member(",\"customer_id\":", id) }
    if upload.namesStorefront {
      json.member(
        ",\"storefront\":",
        world.storefronts[upload.named ?? account.storefront(at: upload.at)].code)
    }
    if upload.report >= 0 {
      json.raw(",\"price_report\":")
      ReportText(world: world, account: account).write(upload.report, to: &json)
    }
    json.raw(",\"response\":")
    if upload.form == .text {
      var answer = JSONBytes()
      writeAnswer(upload, to: &answer)
      json.text(of: answer.bytes)
    } else {
      writeAnswer(upload, to: &json)
    }
    json.raw("}")
  }

  private func writeAnswer(_ upload: AccountUpload, to json: inout JSONBytes) {
    let rows = account.visible(at: upload.at)
    json.member(
      "{\"status\":0,\"environment\":", account.isSandbox ? "Sandbox" : "Production")
    writeReceipt(upload, rows, to: &json)
    json.raw(",\"latest_receipt_info\":[")
    for (position, row) in rows.reversed().enumerated() {
      if position > 0 { json.raw(",") }
      writeRow(account.purchases[row], isLatest: true, at: upload.at, to: &json)
    }
    json.raw("]")
    writeStates(upload, rows, to: &json)
    json.raw("}")
  }

  private func writeReceipt(_ upload: AccountUpload, _ rows: [Int], to json: inout JSONBytes) {
    json.member(
      ",\"receipt\":{\"receipt_type\":", account.isSandbox ? "ProductionSandbox" : "Production")
    json.member(",\"bundle_id\":", account.bundle)
    json.raw(",\"application_version\":\"306\",")
    json.appleDate("receipt_creation_date", upload.inAppAsOf / 1000 * 1000)
    json.raw(",")
    json.appleDate("request_date", upload.at)
    json.raw(",\"in_app\":[")
    // A server that requests only the newest rows does not keep the phone's receipt.
    let own = account.rowsShown == nil ? rows : []
    var isFirst = true
    for row in own where account.purchases[row].knownFrom <= upload.inAppAsOf {
      if !isFirst { json.raw(",") }
      isFirst = false
      writeRow(account.purchases[row], isLatest: false, at: upload.inAppAsOf, to: &json)
    }
    json.raw("]}")
  }

  private func writeRow(
    _ row: AccountPurchase, isLatest: Bool, at moment: Int64, to json: inout JSONBytes
  ) {
    json.member("{\"quantity\":", row.quantity)
    json.member(",\"product_id\":", world.products[row.product].id)
    json.member(",\"transaction_id\":", isLatest ? row.id : row.aliasID)
    json.member(",\"original_transaction_id\":", row.originalID)
    if row.lineItem != 0 { json.member(",\"web_order_line_item_id\":", row.lineItem) }
    json.raw(",")
    json.appleDate("purchase_date", row.purchasedAt)
    json.raw(",")
    json.appleDate("original_purchase_date", row.originalPurchasedAt)
    if row.isSubscription {
      json.raw(",")
      json.appleDate("expires_date", row.end(knownAt: moment))
    }
    if row.cancelledAt != 0, row.cancelledAt <= moment {
      json.raw(",")
      json.appleDate("cancellation_date", row.cancelledAt)
      json.raw(",\"cancellation_reason\":\"0\"")
    }
    json.member(",\"is_trial_period\":", row.isTrial ? "true" : "false")
    if row.isSubscription {
      json.member(",\"is_in_intro_offer_period\":", row.isIntro ? "true" : "false")
    }
    if !row.promotionalOfferID.isEmpty {
      json.member(",\"promotional_offer_id\":", row.promotionalOfferID)
    }
    json.member(",\"in_app_ownership_type\":", row.isFamilyShared ? "FAMILY_SHARED" : "PURCHASED")
    if isLatest {
      if row.upgradedAt != 0, row.upgradedAt <= moment { json.raw(",\"is_upgraded\":\"true\"") }
      if !row.referenceName.isEmpty {
        json.member(",\"offer_code_ref_name\":", row.referenceName)
      }
      if let group = world.products[row.product].group {
        json.member(",\"subscription_group_identifier\":", group)
      }
    }
    json.raw("}")
  }

  private func writeStates(_ upload: AccountUpload, _ rows: [Int], to json: inout JSONBytes) {
    let chains = Set(
      rows.filter { account.purchases[$0].isSubscription }
        .map { account.purchases[$0].originalID })
    guard !chains.isEmpty else { return }
    json.raw(",\"pending_renewal_info\":[")
    var isFirst = true
    for chain in chains.sorted() {
      guard let state = account.state(of: chain, at: upload.at) else { continue }
      json.raw(isFirst ? "{" : ",{")
      isFirst = false
      if state.intent > 0 {
        json.member("\"expiration_intent\":", state.intent)
        json.raw(",")
      }
      json.member("\"auto_renew_product_id\":", world.products[state.nextProduct].id)
      if state.retry >= 0 { json.member(",\"is_in_billing_retry_period\":", state.retry) }
      if state.graceUntil > 0 {
        json.raw(",")
        json.appleDate("grace_period_expires_date", state.graceUntil)
      }
      if state.consent >= 0 {
        // Every second customer has the newer member name.
        json.raw(
          account.number % 2 == 0 ? ",\"price_consent_status\":" : ",\"price_increase_status\":")
        json.quoted(state.consent)
      }
      json.member(",\"product_id\":", world.products[state.product].id)
      json.member(",\"original_transaction_id\":", chain)
      json.member(",\"auto_renew_status\":", state.willRenew ? "1" : "0")
      json.raw("}")
    }
    json.raw("]")
  }
}
