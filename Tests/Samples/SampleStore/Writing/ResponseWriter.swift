/// Writes whole responses of verifyReceipt and the export records around them.
struct ResponseWriter: Sendable {
  private let world: World
  private let filler: [UInt8]

  /// Creates a writer; the world's seed determines the bytes that fill `latest_receipt`.
  init(world: World) {
    self.world = world
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var random = SampleRandom(seed: world.seed, stream: .max - 1)
    filler = (0..<(1 << 17)).map { _ in alphabet[random.below(64)] }
  }

  /// Writes one record, without a line feed.
  func write(_ upload: AccountUpload, of account: Account, to json: inout JSONBytes) {
    switch upload.form {
    case .bare: writeResponse(upload, account, to: &json)
    case .notification: writeNotification(upload, account, to: &json)
    case .record, .text, .flat:
      json.raw("{\"received_at\":")
      json.isoTime(upload.at)
      let id = upload.sender ?? account.customerID(at: upload.at)
      if !id.isEmpty { json.member(",\"customer_id\":", id) }
      if upload.namesStorefront {
        let storefront = upload.named ?? account.storefront(at: upload.at)
        json.member(",\"storefront\":", world.storefronts[storefront].code)
      }
      if upload.report >= 0 {
        json.raw(",\"price_report\":")
        PriceReportWriter(world: world, account: account).write(upload.report, to: &json)
      }
      json.raw(",\"response\":")
      if upload.form == .flat {
        FlatResponseWriter(world: world, account: account).write(upload, to: &json)
      } else if upload.form == .text {
        var response = JSONBytes()
        writeResponse(upload, account, to: &response)
        json.text(of: response.bytes)
      } else {
        writeResponse(upload, account, to: &json)
      }
      json.raw("}")
    }
  }

  private func writeResponse(
    _ upload: AccountUpload, _ account: Account, to json: inout JSONBytes
  ) {
    let rows = rows(of: account, upload)
    let chains = chains(of: account, rows)
    json.raw("{")
    if upload.style & 128 == 0 { json.raw("\"status\":0,") }
    json.member("\"environment\":", account.isSandbox ? "Sandbox" : "Production")
    if upload.style & 256 == 0 {
      writeReceipt(upload, account, rows, to: &json)
      writeLatest(upload, account, rows, to: &json)
    } else {
      writeLatest(upload, account, rows, to: &json)
      writeReceipt(upload, account, rows, to: &json)
    }
    if account.purchases.isEmpty {
      json.raw(",\"latest_receipt\":\"")
      writeLongFiller(upload, to: &json)
      json.raw("\"")
    } else if !chains.isEmpty {
      json.raw(",\"latest_receipt\":\"")
      writeFiller(rows.count, upload, to: &json)
      json.raw("\",\"pending_renewal_info\":")
      writeStates(chains, upload, account, to: &json)
    }
    if upload.style & 128 != 0 { json.raw(",\"status\":0") }
    json.raw("}")
  }

  /// Lists the rows of a response in the order of `latest_receipt_info`: mostly newest first.
  private func rows(of account: Account, _ upload: AccountUpload) -> [Int] {
    var rows = Array(account.visible(at: upload.at).reversed())
    switch upload.style & 15 {
    case 14: rows.reverse()
    case 15: rows.swapAt(0, rows.count / 2)
    default: break
    }
    return rows
  }

  private func chains(of account: Account, _ rows: [Int]) -> [Int64] {
    var chains: [Int64] = []
    for row in rows where account.purchases[row].isSubscription {
      let chain = account.purchases[row].originalID
      if !chains.contains(chain) { chains.append(chain) }
    }
    return chains.sorted()
  }

  private func writeLatest(
    _ upload: AccountUpload, _ account: Account, _ rows: [Int], to json: inout JSONBytes
  ) {
    let writer = ReceiptRowWriter(world: world, account: account, upload: upload)
    json.raw(",\"latest_receipt_info\":[")
    for (position, row) in rows.enumerated() {
      if position > 0 { json.raw(",") }
      writer.write(row, in: .latest, to: &json)
    }
    json.raw("]")
  }

  private func writeReceipt(
    _ upload: AccountUpload, _ account: Account, _ rows: [Int], to json: inout JSONBytes
  ) {
    let first = account.purchases.map(\.purchasedAt).min() ?? upload.at
    json.raw(",\"receipt\":{\"receipt_type\":")
    json.quoted(account.isSandbox ? "ProductionSandbox" : "Production")
    json.raw(",\"adam_id\":1450031877,\"app_item_id\":1450031877")
    json.member(",\"bundle_id\":", account.bundle)
    json.raw(",\"application_version\":\"212\",\"download_id\":")
    if upload.style & 512 == 0 {
      json.number(502_093_417_000_000_000 + first)
    } else {
      json.raw("null")
    }
    json.raw(",\"version_external_identifier\":839557584,")
    json.appleDate("receipt_creation_date", upload.inAppAsOf / 1000 * 1000)
    json.raw(",")
    json.appleDate("request_date", upload.at)
    json.raw(",")
    json.appleDate("original_purchase_date", first / 1000 * 1000 - 86_400_000)
    json.raw(",\"original_application_version\":\"187\",\"in_app\":[")
    let writer = ReceiptRowWriter(world: world, account: account, upload: upload)
    var isFirst = true
    // A server that requests only the newest rows does not keep the phone's receipt.
    let own = account.rowsShown == nil ? rows : []
    for row in own where account.purchases[row].knownFrom <= upload.inAppAsOf {
      if !isFirst { json.raw(",") }
      isFirst = false
      writer.write(row, in: .inApp, to: &json)
    }
    json.raw("]}")
  }

  /// Writes filler bytes instead of a base64 receipt.
  ///
  /// The first 1,200 bytes are equal in all receipts, the other bytes differ. The length grows with
  /// the number of rows.
  private func writeFiller(_ rows: Int, _ upload: AccountUpload, to json: inout JSONBytes) {
    json.bytes.append(contentsOf: filler[0..<1200])
    let length = 700 + rows * 90
    let start = (upload.style &* 7919 &+ Int(upload.at / 977)) & 0xffff
    json.bytes.append(contentsOf: filler[start..<min(start + length, filler.count)])
    json.raw("==")
  }

  /// Writes filler bytes for a receipt without purchases, which is as long as Apple's receipts.
  ///
  /// The first bytes are equal in all receipts, like Apple's certificates; the other bytes differ.
  private func writeLongFiller(_ upload: AccountUpload, to json: inout JSONBytes) {
    json.bytes.append(contentsOf: filler[0..<4800])
    let length = 1600 + upload.style & 0xfff
    let start = (upload.style &* 7919 &+ Int(upload.at / 977)) & 0xffff
    json.bytes.append(contentsOf: filler[start..<min(start + length, filler.count)])
    json.raw("==")
  }

  private func writeStates(
    _ chains: [Int64], _ upload: AccountUpload, _ account: Account, to json: inout JSONBytes
  ) {
    json.raw("[")
    var isFirst = true
    for chain in chains {
      guard let state = account.state(of: chain, at: upload.at) else { continue }
      if !isFirst { json.raw(",") }
      isFirst = false
      json.raw("{")
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

  /// Writes a version 1 notification, with the lists of a response under `unified_receipt`.
  private func writeNotification(
    _ upload: AccountUpload, _ account: Account, to json: inout JSONBytes
  ) {
    let rows = rows(of: account, upload)
    json.raw("{\"notification_type\":\"DID_RENEW\",\"environment\":\"PROD\",\"bid\":")
    json.quoted(account.bundle)
    json.raw(",\"auto_renew_status\":\"true\",\"unified_receipt\":{\"status\":0,")
    json.raw("\"environment\":\"Production\"")
    writeLatest(upload, account, rows, to: &json)
    json.raw(",\"pending_renewal_info\":")
    writeStates(chains(of: account, rows), upload, account, to: &json)
    json.raw("}}")
  }
}
