/// Writes whole responses of verifyReceipt and the export records around them.
struct ResponseWriter {
  private let filler: [UInt8]

  /// Creates a writer; the seed determines the bytes that fill `latest_receipt`.
  init(seed: UInt64) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var random = SampleRandom(seed: seed, stream: .max - 1)
    filler = (0..<(1 << 17)).map { _ in alphabet[random.below(64)] }
  }

  /// Writes one record, without a line feed.
  func write(_ upload: SampleUpload, of customer: SampleCustomer, to json: inout JSONBytes) {
    switch upload.form {
    case .bare: writeResponse(upload, customer, to: &json)
    case .notification: writeNotification(upload, customer, to: &json)
    case .record, .text, .flat:
      json.raw("{\"received_at\":")
      json.isoTime(upload.at)
      if !customer.id.isEmpty { json.member(",\"customer_id\":", customer.id) }
      if upload.namesStorefront {
        json.member(",\"storefront\":", customer.market(at: upload.at).storefront)
      }
      if upload.report >= 0 {
        json.raw(",\"price_report\":")
        PriceReportWriter(customer: customer).write(upload.report, to: &json)
      }
      json.raw(",\"response\":")
      if upload.form == .flat {
        FlatResponseWriter(customer: customer).write(upload, to: &json)
      } else if upload.form == .text {
        var response = JSONBytes()
        writeResponse(upload, customer, to: &response)
        json.text(of: response.bytes)
      } else {
        writeResponse(upload, customer, to: &json)
      }
      json.raw("}")
    }
  }

  private func writeResponse(
    _ upload: SampleUpload, _ customer: SampleCustomer, to json: inout JSONBytes
  ) {
    let rows = rows(of: customer, upload)
    let chains = chains(of: customer, rows)
    json.raw("{")
    if upload.style & 128 == 0 { json.raw("\"status\":0,") }
    json.member("\"environment\":", customer.isSandbox ? "Sandbox" : "Production")
    if upload.style & 256 == 0 {
      writeReceipt(upload, customer, rows, to: &json)
      writeLatest(upload, customer, rows, to: &json)
    } else {
      writeLatest(upload, customer, rows, to: &json)
      writeReceipt(upload, customer, rows, to: &json)
    }
    if customer.purchases.isEmpty {
      json.raw(",\"latest_receipt\":\"")
      writeLongFiller(upload, to: &json)
      json.raw("\"")
    } else if !chains.isEmpty {
      json.raw(",\"latest_receipt\":\"")
      writeFiller(rows.count, upload, to: &json)
      json.raw("\",\"pending_renewal_info\":")
      writeStates(chains, upload, customer, to: &json)
    }
    if upload.style & 128 != 0 { json.raw(",\"status\":0") }
    json.raw("}")
  }

  /// Lists the rows of a response in the order of `latest_receipt_info`: mostly newest first.
  private func rows(of customer: SampleCustomer, _ upload: SampleUpload) -> [Int] {
    var rows = customer.purchases.indices.filter { upload.shows(customer.purchases[$0]) }
    rows.sort {
      (customer.purchases[$0].purchasedAt, $0) > (customer.purchases[$1].purchasedAt, $1)
    }
    switch upload.style & 15 {
    case 14: rows.reverse()
    case 15: rows.swapAt(0, rows.count / 2)
    default: break
    }
    return rows
  }

  private func chains(of customer: SampleCustomer, _ rows: [Int]) -> [Int64] {
    var chains: [Int64] = []
    for row in rows where customer.purchases[row].isSubscription {
      let chain = customer.purchases[row].originalID
      if !chains.contains(chain) { chains.append(chain) }
    }
    return chains.sorted()
  }

  private func writeLatest(
    _ upload: SampleUpload, _ customer: SampleCustomer, _ rows: [Int], to json: inout JSONBytes
  ) {
    let writer = ReceiptRowWriter(customer: customer, upload: upload)
    json.raw(",\"latest_receipt_info\":[")
    for (position, row) in rows.enumerated() {
      if position > 0 { json.raw(",") }
      writer.write(row, in: .latest, to: &json)
    }
    json.raw("]")
  }

  private func writeReceipt(
    _ upload: SampleUpload, _ customer: SampleCustomer, _ rows: [Int], to json: inout JSONBytes
  ) {
    let first = customer.purchases.map(\.purchasedAt).min() ?? upload.at
    json.raw(",\"receipt\":{\"receipt_type\":")
    json.quoted(customer.isSandbox ? "ProductionSandbox" : "Production")
    json.raw(",\"adam_id\":1450031877,\"app_item_id\":1450031877")
    json.member(",\"bundle_id\":", customer.bundle)
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
    let writer = ReceiptRowWriter(customer: customer, upload: upload)
    var isFirst = true
    for row in rows where upload.showsInApp(customer.purchases[row]) {
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
  private func writeFiller(_ rows: Int, _ upload: SampleUpload, to json: inout JSONBytes) {
    json.bytes.append(contentsOf: filler[0..<1200])
    let length = 700 + rows * 90
    let start = (upload.style &* 7919 &+ Int(upload.at / 977)) & 0xffff
    json.bytes.append(contentsOf: filler[start..<min(start + length, filler.count)])
    json.raw("==")
  }

  /// Writes filler bytes for a receipt without purchases, which is as long as Apple's receipts.
  ///
  /// The first bytes are equal in all receipts, like Apple's certificates; the other bytes differ.
  private func writeLongFiller(_ upload: SampleUpload, to json: inout JSONBytes) {
    json.bytes.append(contentsOf: filler[0..<4800])
    let length = 1600 + upload.style & 0xfff
    let start = (upload.style &* 7919 &+ Int(upload.at / 977)) & 0xffff
    json.bytes.append(contentsOf: filler[start..<min(start + length, filler.count)])
    json.raw("==")
  }

  private func writeStates(
    _ chains: [Int64], _ upload: SampleUpload, _ customer: SampleCustomer, to json: inout JSONBytes
  ) {
    json.raw("[")
    var isFirst = true
    for chain in chains {
      guard let state = customer.state(of: chain, at: upload.at) else { continue }
      if !isFirst { json.raw(",") }
      isFirst = false
      json.raw("{")
      if state.intent > 0 {
        json.member("\"expiration_intent\":", state.intent)
        json.raw(",")
      }
      json.member("\"auto_renew_product_id\":", state.nextProduct.id)
      if state.retry >= 0 { json.member(",\"is_in_billing_retry_period\":", state.retry) }
      if state.graceUntil > 0 {
        json.raw(",")
        json.appleDate("grace_period_expires_date", state.graceUntil)
      }
      if state.consent >= 0 { json.member(",\"price_consent_status\":", state.consent) }
      json.member(",\"product_id\":", state.product.id)
      json.member(",\"original_transaction_id\":", chain)
      json.member(",\"auto_renew_status\":", state.willRenew ? "1" : "0")
      json.raw("}")
    }
    json.raw("]")
  }

  /// Writes a version 1 notification, with the lists of a response under `unified_receipt`.
  private func writeNotification(
    _ upload: SampleUpload, _ customer: SampleCustomer, to json: inout JSONBytes
  ) {
    let rows = rows(of: customer, upload)
    json.raw("{\"notification_type\":\"DID_RENEW\",\"environment\":\"PROD\",\"bid\":")
    json.quoted(customer.bundle)
    json.raw(",\"auto_renew_status\":\"true\",\"unified_receipt\":{\"status\":0,")
    json.raw("\"environment\":\"Production\"")
    writeLatest(upload, customer, rows, to: &json)
    json.raw(",\"pending_renewal_info\":")
    writeStates(chains(of: customer, rows), upload, customer, to: &json)
    json.raw("}}")
  }
}
