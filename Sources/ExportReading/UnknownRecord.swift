internal import Diagnostics

/// What a record that is no receipt seems to be: says what to do with it.
///
/// Only keys of a closed list are named, since a key may be a customer's id.
enum UnknownRecord {
  /// What a key hints at.
  private enum Hint {
    case answer, rawReceipt, signed, price
  }

  /// Looked up as text: a key table of its own would make the walker's more expensive.
  private static let hints: [String: Hint] = Dictionary(
    uniqueKeysWithValues: [
      ("receipt-data", .rawReceipt), ("receipt_data", .rawReceipt), ("receiptData", .rawReceipt),
      ("signedPayload", .signed), ("signedTransactions", .signed), ("signedTransaction", .signed),
      ("signedTransactionInfo", .signed), ("signedRenewalInfo", .signed),
      ("jwsRepresentation", .signed), ("notificationType", .signed), ("transactionId", .signed),
      ("originalTransactionId", .signed), ("price", .price), ("receipt", .answer),
      ("data", .answer),
      ("body", .answer), ("payload", .answer), ("result", .answer), ("results", .answer),
      ("receipts", .answer), ("responses", .answer), ("records", .answer), ("rows", .answer),
      ("items", .answer), ("value", .answer), ("values", .answer), ("json", .answer),
      ("raw", .answer), ("content", .answer), ("message", .answer), ("document", .answer),
      ("_source", .answer), ("Item", .answer), ("Items", .answer), ("apple_response", .answer),
      ("appleResponse", .answer), ("receipt_json", .answer), ("receiptJson", .answer),
      ("receipt_response", .answer), ("receiptResponse", .answer), ("response_json", .answer),
      ("responseJson", .answer), ("response_body", .answer), ("responseBody", .answer),
      ("raw_response", .answer), ("rawResponse", .answer), ("verify_response", .answer),
      ("verifyResponse", .answer), ("verify_receipt", .answer), ("verifyReceipt", .answer),
      ("validation_response", .answer), ("validationResponse", .answer),
      ("latest_receipt", .answer), ("transactions", .answer),
    ])

  /// What to say of a record of receipts that holds neither a response nor a transaction.
  static func advice(on cursor: JSONCursor) -> String? {
    var cursor = cursor
    return try? advice(reading: &cursor)
  }

  private static func advice(reading cursor: inout JSONCursor) throws(JSONFault) -> String? {
    try cursor.enter(1)
    var isFirst = true
    var hasPrice = false
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let first = cursor.byte(at: cursor.position)
      let start = cursor.position
      try cursor.skipValue(level: 1)
      let key = text(of: name, in: cursor)
      switch hints[key] {
      case nil: continue
      case .price: hasPrice = true
      case .signed:
        return "data of the App Store Server API and version 2 notifications are not read"
      case .rawReceipt where first == Byte.quote:
        return "a receipt that Apple has not answered is for paidline-validate"
      case .answer, .rawReceipt:
        if first == Byte.openBracket {
          return "write each element of the list under \"\(key)\" as a record of its own"
        }
        guard first == Byte.openBrace || first == Byte.quote, cursor.position - start > 40 else {
          continue
        }
        return "if what lies under \"\(key)\" is Apple's answer, name it \"response\""
      }
    }
    return hasPrice ? "it looks like a price report, which belongs under inputs.prices" : nil
  }

  private static func text(of name: Scalar, in cursor: JSONCursor) -> String {
    let start = Int(name.start)
    let bytes = (start..<(start + Int(name.length))).map { cursor.byte(at: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
