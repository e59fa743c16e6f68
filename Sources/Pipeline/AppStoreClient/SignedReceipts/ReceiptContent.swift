internal import CivilTime
internal import SwiftASN1

/// The content of a receipt's container: numbered attributes, among them the in-app purchases.
///
/// Most numbers are documented by Apple ("Receipt Fields" of the Receipt Validation Programming
/// Guide). The numbers marked `Found` are not documented: they occur in receipts, and other
/// published receipt parsers agree on their meaning.
struct ReceiptContent {
  private enum Field {
    static let receiptType = 0  // Found.
    static let bundleID = 2
    static let createdAt = 12
    static let inApp = 17
  }

  private enum InApp {
    static let quantity = 1701
    static let productID = 1702
    static let transactionID = 1703
    static let purchasedAt = 1704
    static let originalTransactionID = 1705
    static let originallyPurchasedAt = 1706
    static let expiresAt = 1708
    static let webOrderLineItemID = 1711
    static let cancelledAt = 1712
    static let isTrialPeriod = 1713  // Found.
    static let isInIntroOfferPeriod = 1719
    static let promotionalOfferID = 1721  // Found.
  }

  let receipt: LocalReceipt

  init(_ bytes: [UInt8]) throws(LocalFault) {
    do {
      var receipt = LocalReceipt(
        receiptType: nil, bundleID: nil, createdAt: .distantPast, purchases: [])
      for attribute in try Self.attributes(bytes[...]) {
        switch attribute.number {
        case Field.receiptType: receipt.receiptType = try Self.text(attribute.value)
        case Field.bundleID: receipt.bundleID = try Self.text(attribute.value)
        case Field.createdAt:
          receipt.createdAt = try Self.time(attribute.value) ?? .distantPast
        case Field.inApp: receipt.purchases.append(try Self.purchase(attribute.value))
        default: continue
        }
      }
      guard receipt.createdAt > .distantPast else { throw LocalFault.contentUnreadable }
      self.receipt = receipt
    } catch {
      throw .contentUnreadable
    }
  }

  private static func purchase(_ bytes: ArraySlice<UInt8>) throws -> LocalPurchase {
    var purchase = LocalPurchase()
    for attribute in try attributes(bytes) {
      let value = attribute.value
      switch attribute.number {
      case InApp.quantity: purchase.quantity = try number(value)
      case InApp.productID: purchase.productID = try text(value)
      case InApp.transactionID: purchase.transactionID = try text(value)
      case InApp.purchasedAt: purchase.purchasedAt = try time(value)
      case InApp.originalTransactionID: purchase.originalTransactionID = try text(value)
      case InApp.originallyPurchasedAt: purchase.originallyPurchasedAt = try time(value)
      case InApp.expiresAt: purchase.expiresAt = try time(value)
      case InApp.webOrderLineItemID:
        // Purchases that are not subscriptions have the line item 0.
        purchase.webOrderLineItemID = try number(value).flatMap { $0 == 0 ? nil : $0 }
      case InApp.cancelledAt: purchase.cancelledAt = try time(value)
      case InApp.isTrialPeriod: purchase.isTrialPeriod = try number(value).map { $0 != 0 }
      case InApp.isInIntroOfferPeriod:
        purchase.isInIntroOfferPeriod = try number(value).map { $0 != 0 }
      case InApp.promotionalOfferID: purchase.promotionalOfferID = try text(value)
      default: continue
      }
    }
    return purchase
  }

  /// Reads a set of attributes; each is a sequence of a number, a version and a value.
  private static func attributes(_ bytes: ArraySlice<UInt8>) throws
    -> [(number: Int, value: ArraySlice<UInt8>)]
  {
    let root = try BER.parse(bytes)
    guard root.identifier == .set, case .constructed(let nodes) = root.content else {
      throw LocalFault.contentUnreadable
    }
    return try nodes.map { node in
      guard case .constructed(let parts) = node.content else {
        throw LocalFault.contentUnreadable
      }
      let values = Array(parts)
      guard values.count == 3 else { throw LocalFault.contentUnreadable }
      return (
        try Int(berEncoded: values[0]), try ASN1OctetString(berEncoded: values[2]).bytes
      )
    }
  }

  private static func number(_ value: ArraySlice<UInt8>) throws -> Int64? {
    guard !value.isEmpty else { return nil }
    return try Int64(berEncoded: BER.parse(value))
  }

  /// Reads a text of any ASN.1 string type; `nil` for an empty text.
  private static func text(_ value: ArraySlice<UInt8>) throws -> String? {
    guard !value.isEmpty else { return nil }
    guard case .primitive(let bytes) = try BER.parse(value).content,
      let text = String(validating: bytes, as: UTF8.self)
    else { throw LocalFault.contentUnreadable }
    return text.isEmpty ? nil : text
  }

  /// Reads a time in the format of RFC 3339; `nil` for an empty text.
  private static func time(_ value: ArraySlice<UInt8>) throws -> Instant? {
    guard let text = try text(value) else { return nil }
    guard let time = Instant(text: text) else { throw LocalFault.contentUnreadable }
    return time
  }
}
