internal import Amounts
internal import ExportReading
internal import PurchaseModel

/// Reads the objects and lists within a payload.
extension PayloadFields {
  /// Reads the members of the object under a key; `nil` if the key is absent.
  func member(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> PayloadFields? {
    guard let start = container(key) else { return nil }
    var cursor = cursor
    cursor.position = start
    var fields = PayloadFields()
    try fields.read(&cursor, level: 2)
    return fields
  }

  /// Reads the members of each object in the list under a key; empty if the key is absent.
  func list(_ key: PayloadKey, _ cursor: JSONCursor) throws(TokenFault) -> [PayloadFields] {
    guard let start = container(key) else { return [] }
    guard cursor.byte(at: start) == Byte.openBracket else { throw invalid(key) }
    var cursor = cursor
    cursor.position = start
    do throws(JSONFault) { try cursor.enter(2) } catch { throw invalid(key) }
    var found: [PayloadFields] = []
    var isFirst = true
    while true {
      do throws(JSONFault) {
        guard try cursor.nextElement(isFirst: &isFirst) else { return found }
      } catch {
        throw invalid(key)
      }
      var fields = PayloadFields()
      try fields.read(&cursor, level: 3)
      found.append(fields)
    }
  }

  /// Reads the refunds of single items that were bought through the Advanced Commerce API.
  ///
  /// The oldest refund is first. A refund with an amount or date of 0 is ignored: programs written
  /// in Go store 0 for a missing key.
  func itemRefunds(_ cursor: JSONCursor) throws(TokenFault) -> [ItemRefund] {
    var found: [ItemRefund] = []
    for item in try member(.advancedCommerce, cursor)?.list(.items, cursor) ?? [] {
      let name = try item.text(.sku, cursor) ?? ""
      for refund in try item.list(.refunds, cursor) {
        guard let amount = try refund.number(.refundAmount, cursor),
          let at = try refund.time(.refundDate, cursor)
        else { continue }
        guard amount > 0, Milliunits(amount) <= .largestPrice else {
          throw invalid(.refundAmount)
        }
        found.append(ItemRefund(at: at, item: name, amount: Milliunits(amount)))
      }
    }
    return found.sorted()
  }

  /// Reads the tax within the price of a purchase through the Advanced Commerce API, as a part of
  /// the price; `nil` if Apple does not state it.
  ///
  /// The tax is the difference from `taxExclusivePrice`, else `estimatedTax`, else computed from
  /// `taxRate`, the part of the net price. Example: a price of 11,900 with a `taxExclusivePrice` of
  /// 10,000 → 1,900 of 11,900, or 15.97 %; the rate 0.19 → 0.19 ÷ 1.19, the same.
  func taxShare(of price: SignedPrice?, _ cursor: JSONCursor) throws(TokenFault) -> BasisPoints? {
    guard let price = price?.amount.rawValue, price > 0,
      let commerce = try member(.advancedCommerce, cursor)
    else { return nil }
    if let net = try commerce.number(.taxExclusivePrice, cursor) {
      guard (1...price).contains(net) else { throw invalid(.taxExclusivePrice) }
      return Self.share(price - net, of: price)
    }
    if let tax = try commerce.number(.estimatedTax, cursor) {
      guard (1..<price).contains(tax) else { throw invalid(.estimatedTax) }
      return Self.share(tax, of: price)
    }
    guard let rate = commerce.digits(.taxRate, cursor).flatMap(Self.rate) else { return nil }
    return Self.share(rate.part, of: rate.whole + rate.part)
  }

  private static func share(_ tax: Int64, of price: Int64) -> BasisPoints? {
    let share = try? Milliunits(BasisPoints.whole).share(tax, of: price)
    return share.map { BasisPoints(Int32($0.rawValue)) }
  }

  /// Reads a rate below 1, as a part of a whole; `nil` for any other text, which may be a
  /// percentage.
  ///
  /// Example: `0.0825` → 825 of 10,000.
  private static func rate(_ text: String) -> (part: Int64, whole: Int64)? {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0] == "0", (1...9).contains(halves[1].count),
      halves[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let part = Int64(halves[1])
    else { return nil }
    return (part, halves[1].reduce(1) { whole, _ in whole * 10 })
  }

  /// Reads the Apple bundle of a subscription, as text; `nil` for a subscription outside of
  /// bundles.
  ///
  /// Example: `bundleProductId com.example.all, bundleTransactionId 2000000012345678`.
  func bundle(_ cursor: JSONCursor) throws(TokenFault) -> String? {
    var parts: [String] = []
    for key in [
      PayloadKey.bundleProductID, .bundleTransactionID, .bundleOriginalTransactionID,
      .bundleGroupID,
    ] {
      if let text = try text(key, cursor) {
        parts.append("\(PayloadKey.table.name(of: key)) \(text)")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
