internal import Diagnostics
internal import PurchaseModel

/// Reads transaction rows without a response around them, as other services store them.
///
/// A row is a record itself, an element of an array, or the value of `response`. It is read like a
/// row of `latest_receipt_info`. Example of a whole record:
/// `{"customer_id":"c-1","transaction_id":"1000000831360853",
/// "product_id":"pro.monthly","purchase_date_ms":"1619638921000"}`.
extension RecordReader {
  /// Reads a record that is an array of rows.
  mutating func readBareRows(_ cursor: inout JSONCursor) throws(JSONFault) {
    draft = ResponseDraft()
    let start = StagingMark(set: set)
    guard !isPriceLog(cursor, level: 1) else { throw JSONFault(reason: .notAReceipt, offset: 0) }
    try readRows(&cursor, list: "", rank: .latest, level: 1)
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
    try stage(FieldBank<ReceiptKey>(), cursor, since: start)
  }

  /// Reads an object as a row, unless the record has a part of a response.
  ///
  /// `start` is the beginning of the object, which was first read as a response. An object without
  /// a transaction id is not a row and is ignored.
  ///
  /// An object that has a price, but no value that only Apple's rows have, is ignored too. It is a
  /// price report or a signed transaction under other names. As a row, it would become a second
  /// purchase.
  mutating func readBareRow(
    _ start: JSONCursor, under list: StaticString, level: Int
  ) throws(JSONFault) {
    guard !draft.hasRows, !draft.hasParts else { return }
    var cursor = start
    var row = FieldBank<ReceiptKey>()
    do {
      try cursor.readObject(into: &row, names: receiptTables.row, level: level)
    } catch {
      // A value under a row's key has an unexpected type. The object is not a row, but a
      // well-formed response.
      return
    }
    guard row.has(.transactionID), row.isAppleRow(cursor) || !start.hasPrice(level: level) else {
      return
    }
    draft.hasRows = true
    try stageRow(row, cursor, list: list, index: nil, rank: .latest)
  }

  /// Returns true if a list seems to contain price reports instead of Apple's rows.
  ///
  /// The first object of such a list has a transaction id and a price, but no value that only
  /// Apple's rows have.
  func isPriceLog(_ list: JSONCursor, level: Int) -> Bool {
    var cursor = list
    var isFirst = true
    guard (try? cursor.enter(level)) != nil, (try? cursor.nextElement(isFirst: &isFirst)) == true,
      cursor.byte(at: cursor.position) == Byte.openBrace
    else { return false }
    let start = cursor
    var row = FieldBank<ReceiptKey>()
    guard (try? cursor.readObject(into: &row, names: receiptTables.row, level: level + 1)) != nil
    else { return false }
    return row.has(.transactionID) && !row.isAppleRow(cursor) && start.hasPrice(level: level + 1)
  }
}

extension FieldBank<ReceiptKey> {
  /// Returns true if a row has a value under a name that only Apple's rows use, or a date in the
  /// form of Apple's rows: `2021-05-03 10:00:07 Etc/GMT`.
  fileprivate func isAppleRow(_ cursor: JSONCursor) -> Bool {
    has(.isTrialPeriod) || has(.isInIntroOfferPeriod) || has(.purchaseMilliseconds)
      || has(.originalPurchaseMilliseconds) || has(.expiresMilliseconds)
      || has(.cancellationDate) || has(.cancellationMilliseconds) || has(.cancellationReason)
      || has(.promotionalOfferID) || has(.offerCodeRefName)
      || self[.purchaseDate].map(cursor.isAppleDate) ?? false
  }
}

extension JSONCursor {
  /// Whether a text ends like the dates in Apple's rows.
  fileprivate func isAppleDate(_ date: Scalar) -> Bool {
    unsafe bytes(date).suffix(7).elementsEqual("Etc/GMT".utf8)
  }

  /// Whether an object has a member `price` that is not null.
  fileprivate func hasPrice(level: Int) -> Bool {
    var cursor = self
    guard (try? cursor.enter(level)) != nil else { return false }
    var isFirst = true
    while let name = try? cursor.nextKey(isFirst: &isFirst) {
      if cursor.isText(name, "price"), cursor.byte(at: cursor.position) != UInt8(ascii: "n") {
        return true
      }
      guard (try? cursor.skipValue(level: level)) != nil else { return false }
    }
    return false
  }
}
