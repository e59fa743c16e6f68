internal import Diagnostics

/// Advice for a record that is not a receipt, by its likely content.
///
/// Messages contain only keys of a fixed list, because a key may be a customer's id.
enum UnknownRecord {
  /// Returns advice on a receipt record that contains neither a response nor a transaction.
  ///
  /// Example: for `{"user_id":"u-1","data":{"status":0,"receipt":{…}}}` the advice is that Apple's
  /// response is under `data`.
  static func advice(on record: JSONCursor, _ found: RecordFinder?) -> String? {
    UnknownObject.finding(in: record, found)?.advice
  }

  /// Returns advice on a record with a response that is text, but not JSON.
  ///
  /// Example: for `{"customer_id":"c-1","response":"eyJ…"}` the advice is that the record contains
  /// signed data.
  static func advice(onTextIn record: JSONCursor, _ found: RecordFinder?) -> String? {
    let finding = UnknownObject.finding(in: record, found)
    switch finding {
    case .signed, .rawReceipt: return finding?.advice
    default: return nil
    }
  }

  /// Returns advice on a receipt record in a file of another kind; `nil` for any other record.
  ///
  /// Example: for `{"customer_id":"c-1","response":{"status":0,"receipt":{…}}}` in a price file,
  /// the advice is to list the file under `inputs.receipts`.
  static func adviceOnReceipt(
    in record: JSONCursor, _ found: RecordFinder? = nil
  ) -> String? {
    guard UnknownObject.isReceipt(record, found) else { return nil }
    return "it holds receipts that Apple has answered: list the file under inputs.receipts"
  }

  /// Returns advice on a record with JSON in base64 or another form; `nil` for any other record.
  static func adviceOnEncoded(in record: JSONCursor, _ found: RecordFinder?) -> String? {
    let finding = UnknownObject.finding(in: record, found)
    guard case .encoded? = finding else { return nil }
    return finding?.advice
  }

  /// Returns advice on a record whose rows have other key names than Apple's.
  ///
  /// Example: `transactionId` for Apple's `transaction_id`.
  static func adviceOnRows(of record: JSONCursor) -> String? {
    var cursor = record
    guard let own = (try? cursor.firstForeignRowKey(depth: 1)) ?? nil else { return nil }
    return """
      its rows have the key "\(own.own)" instead of Apple's "\(own.standard)": export them with \
      Apple's key names
      """
  }
}

/// The kind of content that was recognized in a record.
private enum UnknownFinding {
  /// Signed transactions, a notification of version 2, or the data of a notification.
  case signed
  /// A receipt without Apple's response.
  ///
  /// `isReadable` is true if `paidline-validate` can read the record as it is.
  case rawReceipt(isReadable: Bool)
  /// Xcode's StoreKit configuration file, for tests.
  case storeKitFile
  /// Apple's response, with the keys that lead to it; `nil` for a key that must not be printed.
  case answer([String?])
  /// Possibly Apple's response, under a key that often contains it.
  case perhapsAnswer(String)
  /// A list under a key; its elements may be records.
  case list(String)
  case priceReport
  /// JSON in another form, with the keys that lead to it; `nil` for a key that must not be printed.
  case encoded(EncodedText, [String?], isCell: Bool)

  /// Whether the content is only likely.
  var isGuess: Bool {
    switch self {
    case .perhapsAnswer, .priceReport: true
    default: false
    }
  }

  var advice: String {
    switch self {
    case .signed:
      "it holds signed data (JWS) or decoded transactions of StoreKit 2, the App Store Server API "
        + "or a version 2 notification: list the file under inputs.signed, as it is (Docs/signed.md)"
    case .rawReceipt(isReadable: true):
      "it holds a receipt without Apple's response: list the file under validate.receipts and "
        + "run paidline-validate"
    case .rawReceipt:
      "it holds a receipt without Apple's response: write it as {\"receipt\":\"…\"} on a line of a "
        + "file under validate.receipts, and run paidline-validate"
    case .storeKitFile:
      "it is a StoreKit configuration file of Xcode, which holds products for tests, not receipts"
    case .answer(let path): Self.advice(onAnswerUnder: path)
    case .perhapsAnswer(let key):
      "if \"\(key)\" is Apple's response, name it \"response\", or set it in the "
        + "pipeline: inputs.receipt_keys: {response: \(key)}"
    case .list(let key): "write each element of the list under \"\(key)\" as a record of its own"
    case .encoded(let form, let path, let isCell):
      form.advice(
        under: path.contains(nil) ? nil : path.compactMap(\.self).joined(separator: "."),
        isCell: isCell)
    case .priceReport: "it looks like a price report, which belongs under inputs.prices"
    }
  }

  private static func advice(onAnswerUnder path: [String?]) -> String {
    let keys = path.compactMap(\.self)
    guard keys.count == path.count else {
      return "Apple's response is under a key of your own: name it \"response\", or set it in the "
        + "pipeline under inputs.receipt_keys; paidline init --from finds the key, and for an object "
        + "with many customers prints the command that makes records of it"
    }
    guard keys.count > 1 else {
      return "Apple's response is under \"\(keys[0])\": name it \"response\", or set it in the "
        + "pipeline: inputs.receipt_keys: {response: \(keys[0])}"
    }
    let name = keys.joined(separator: ".")
    return "Apple's response is under \"\(name)\": write it as \"response\", for example by "
      + "jq -c '{response: .\(name)}'"
  }
}

/// Classifies an object that is not one of Apple's responses.
private enum UnknownObject {
  /// Finds the first member of an object whose content is recognized; `nil` if there is none.
  ///
  /// Any other finding in the object has priority over a guess.
  static func finding(reading cursor: inout JSONCursor, depth: Int) throws(JSONFault)
    -> UnknownFinding?
  {
    try cursor.enter(depth)
    var isFirst = true
    var guess: UnknownFinding?
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let key = cursor.text(of: name)
      let start = cursor
      try cursor.skipValue(level: depth)
      let value = JSONValue(start, end: cursor.position)
      guard let found = try finding(under: key, value, depth: depth) else { continue }
      guard found.isGuess else { return found }
      guess = guess ?? found
    }
    return guess
  }

  /// Finds the first member of a record whose content is recognized; `nil` if there is none.
  ///
  /// If the record's values were found by paths, they are its members.
  static func finding(in record: JSONCursor, _ found: RecordFinder?) -> UnknownFinding? {
    guard let found, found.isFound else {
      var cursor = record
      return (try? finding(reading: &cursor, depth: 1)) ?? nil
    }
    let findings = found.text.read { text in
      found.values.enumerated().compactMap { field, value -> UnknownFinding? in
        guard let value else { return nil }
        var start = text
        start.position = value.range.lowerBound
        let content = JSONValue(start, end: value.range.upperBound, isCell: value.isText)
        return (try? finding(under: found.layout.names[field], content, depth: 1)) ?? nil
      }
    }
    return findings.first { !$0.isGuess } ?? findings.first
  }

  /// Returns true if a record is Apple's response, contains it, or is one of its rows.
  static func isReceipt(_ record: JSONCursor, _ found: RecordFinder?) -> Bool {
    if !(found?.isFound ?? false) {
      guard record.byte(at: 0) == Byte.openBrace else { return false }
      var row = record
      if JSONValue(record, end: record.end).holdsAnswer { return true }
      if (try? row.hasKey(of: UnknownKeys.row)) ?? false { return true }
    }
    guard case .answer = finding(in: record, found) else { return false }
    return true
  }

  private static func finding(under key: String, _ value: JSONValue, depth: Int)
    throws(JSONFault) -> UnknownFinding?
  {
    if value.isSigned || UnknownKeys.signed.contains(key) { return .signed }
    if UnknownKeys.storeKitFile.contains(key) { return .storeKitFile }
    if UnknownKeys.requests.contains(key), value.isText { return .rawReceipt(isReadable: false) }
    let isReceipt = UnknownKeys.rawReceipts.contains(key)
    if let form = EncodedText(value) {
      let isKnown = isReceipt || UnknownKeys.wrappers.contains(key)
      return .encoded(form, [isKnown ? key : nil], isCell: value.isCell)
    }
    if isReceipt, value.isBase64 {
      return .rawReceipt(isReadable: key == "receipt" && depth == 1)
    }
    if value.holds(UnknownKeys.requests) { return .rawReceipt(isReadable: false) }
    if key == "price" { return .priceReport }
    let named = UnknownKeys.wrappers.contains(key) || isReceipt ? key : nil
    if value.holdsAnswer { return .answer([named]) }
    if value.first == Byte.openBracket {
      return try holdsSigned(listAt: value.start, depth: depth)
        ? .signed : named.map(UnknownFinding.list)
    }
    if value.first == Byte.openBrace, depth < 4 {
      var inner = value.start
      switch try finding(reading: &inner, depth: depth + 1) {
      case .some(.answer(let path)): return .answer([named] + path)
      case .some(.signed): return .signed
      case .some(.encoded(let form, let path, let isCell)):
        return .encoded(form, [named] + path, isCell: isCell)
      case .some(.rawReceipt): return .rawReceipt(isReadable: false)
      case .some(.priceReport) where named != nil: return .priceReport
      case .some, nil: break
      }
    }
    guard let named, depth == 1, value.isText || value.first == Byte.openBrace, value.length > 40
    else { return nil }
    return .perhapsAnswer(named)
  }

  /// Returns true if the first element of a list contains signed data, as in the App Store Server
  /// API's response on subscription statuses.
  private static func holdsSigned(listAt start: JSONCursor, depth: Int) throws(JSONFault) -> Bool {
    var cursor = start
    try cursor.enter(depth + 1)
    var isFirst = true
    guard depth < 4, try cursor.nextElement(isFirst: &isFirst),
      cursor.byte(at: cursor.position) == Byte.openBrace,
      case .some(.signed) = try finding(reading: &cursor, depth: depth + 2)
    else { return false }
    return true
  }
}

/// Keys that show the kind of an object.
///
/// They are compared as text, because additional keys would slow down the parser's key tables.
private enum UnknownKeys {
  static let signed: Set<String> = [
    "signedPayload", "signedTransactions", "signedTransaction", "signedTransactionInfo",
    "signedRenewalInfo", "jwsRepresentation", "notificationType", "signedDate",
    "inAppOwnershipType", "transactionReason", "signed_date", "transaction_reason",
    "offer_discount_type",
  ]
  /// Keys of Apple's rows that price reports do not have.
  static let row: Set<String> = [
    "original_purchase_date_ms", "is_trial_period", "original_purchase_date",
  ]
  static let storeKitFile: Set<String> = ["subscriptionGroups", "nonRenewingSubscriptions"]
  /// The names under which a request to Apple contains the receipt.
  static let requests: Set<String> = ["receipt-data", "receipt_data", "receiptData"]
  static let rawReceipts: Set<String> = [
    "receipt", "latest_receipt", "payload", "body", "data", "response",
  ]
  /// The names under which programs store Apple's response.
  static let wrappers: Set<String> = [
    "receipt", "data", "body", "payload", "result", "results", "receipts", "responses", "records",
    "rows", "items", "value", "values", "json", "raw", "content", "message", "document", "_source",
    "Item", "Items", "apple_response", "appleResponse", "receipt_json", "receiptJson",
    "receipt_response", "receiptResponse", "response_json", "responseJson", "response_body",
    "responseBody", "raw_response", "rawResponse", "verify_response", "verifyResponse",
    "verify_receipt", "verifyReceipt", "validation_response", "validationResponse",
    "latest_receipt", "transactions", "request", "response", "event", "receipt-data",
    "receipt_data", "receiptData", "webhook",
  ]
}
