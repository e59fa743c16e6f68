@testable internal import AppStoreClient
internal import CivilTime
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import TestSupport
internal import Testing

/// Receipts that Apple signed, from public repositories; skipped if they are missing.
struct RealReceiptTests {
  static let areThere = Checkout.fixtures != nil
  static let notice: Comment = "../shared/fixtures is not there: no real receipt is read"

  static func fixture(_ path: String) throws -> URL {
    try #require(Checkout.fixtures).appendingPathComponent(path)
  }

  static func receipt(_ path: String) throws -> [UInt8] {
    let text = try String(contentsOf: fixture(path), encoding: .utf8)
    return Array(text.utf8.filter { $0 > 0x20 })
  }

  /// Finds Apple Root CA, which every container includes, by its SHA-256.
  static func appleRoot() throws -> [UInt8] {
    let text = try receipt("tikhop__TPInAppReceipt/Tests/Assets/receipt-production")
    let container = Array(try #require(Data(base64Encoded: Data(text))))
    func find(_ node: ASN1Node) -> [UInt8]? {
      let bytes = Array(node.encodedBytes)
      if Array(SHA256.hash(data: bytes)) == appleRootHash { return bytes }
      guard case .constructed(let nodes) = node.content else { return nil }
      return nodes.lazy.compactMap(find).first
    }
    return try #require(find(try BER.parse(container)))
  }

  /// The SHA-256 that Apple publishes for "Apple Root CA".
  private static let appleRootHash: [UInt8] = [
    0xB0, 0xB1, 0x73, 0x0E, 0xCB, 0xC7, 0xFF, 0x45, 0x05, 0x14, 0x2C, 0x49, 0xF1, 0x29, 0x5E, 0x6E,
    0xDA, 0x6B, 0xCA, 0xED, 0x7E, 0x2C, 0x68, 0xC5, 0xBE, 0x91, 0xB5, 0xA1, 0x10, 0x01, 0xF0, 0x24,
  ]

  static let signedByApple = [
    "tikhop__TPInAppReceipt/Tests/Assets/receipt-production",
    "tikhop__TPInAppReceipt/Tests/Assets/receipt-sandbox-g5",
    "linjunpop__receipt_verifier/test/fixtures/receipts/auto_renewable_receipt",
    "linjunpop__receipt_verifier/test/fixtures/receipts/griddiary_production",
    "linjunpop__receipt_verifier/test/fixtures/receipts/gridnote",
    "RevenueCat__purchases-ios/Tests/UnitTests/Resources/receipts/base64encodedreceiptsample1.txt",
  ]

  @Test(.enabled(if: areThere, notice), arguments: signedByApple)
  func `a receipt that Apple signed is read under Apple's root`(_ path: String) async throws {
    let reader = try #require(SignedReceiptReader(rootCertificate: try Self.appleRoot()))
    let receipt = try await reader.read(try Self.receipt(path)).get()
    #expect(receipt.receiptType?.hasPrefix("Production") == true)
    #expect(receipt.bundleID?.contains(".") == true)
    for purchase in receipt.purchases {
      #expect(purchase.transactionID != nil && purchase.productID != nil)
      #expect(purchase.purchasedAt != nil)
    }
  }

  @Test(.enabled(if: areThere, notice))
  func `a receipt of Xcode is not trusted, as it signs for itself`() async throws {
    let reader = try #require(SignedReceiptReader(rootCertificate: try Self.appleRoot()))
    let receipt = try Self.receipt(
      "apple__app-store-server-library-swift/Tests/AppStoreServerLibraryTests/resources/xcode/"
        + "xcode-app-receipt-empty")
    #expect(await reader.read(receipt) == .failure(.signerNotTrusted))
  }

  @Test(.enabled(if: areThere, notice))
  func `a signed transaction of StoreKit 2 is no receipt`() async throws {
    let reader = try #require(SignedReceiptReader(rootCertificate: try Self.appleRoot()))
    let folder = "apple__app-store-server-library-swift/Tests/AppStoreServerLibraryTests/resources"
    let transaction = try Self.receipt("\(folder)/xcode/xcode-signed-app-transaction")
    #expect(await reader.read(transaction) == .failure(.notBase64))
    let legacy = try Self.receipt("\(folder)/mock_signed_data/legacyTransaction")
    #expect(await reader.read(legacy) == .failure(.notSigned))
    // A test root for another kind of signature must not make any receipt trusted.
    let root = try Data(
      contentsOf: Self.fixture("\(folder)/certs/testCA.der"))
    let other = try #require(SignedReceiptReader(rootCertificate: Array(root)))
    for path in Self.signedByApple {
      #expect(await other.read(try Self.receipt(path)) == .failure(.signerNotTrusted))
    }
  }

  @Test(.enabled(if: areThere, notice))
  func `a changed receipt of Apple's is not used`() async throws {
    let reader = try #require(SignedReceiptReader(rootCertificate: try Self.appleRoot()))
    for path in Self.signedByApple {
      var container = Array(try #require(Data(base64Encoded: Data(try Self.receipt(path)))))
      // Changes the first letter of the receipt's type, which comes first in the content.
      let type = try #require(Data(container).range(of: Data("Production".utf8)))
      container[type.lowerBound] = UInt8(ascii: "p")
      let text = Array(Data(container).base64EncodedString().utf8)
      #expect(await reader.read(text) == .failure(.signatureInvalid), "\(path)")
    }
  }

  /// RevenueCat's repository has Apple's response for this receipt in the same folder.
  @Test(.enabled(if: areThere, notice))
  func `a receipt says the same as Apple's answer about it`() async throws {
    let folder = "RevenueCat__purchases-ios/Tests/UnitTests/Resources/receipts"
    let reader = try #require(SignedReceiptReader(rootCertificate: try Self.appleRoot()))
    let receipt = try await reader.read(
      try Self.receipt("\(folder)/base64encodedreceiptsample1.txt")
    ).get()
    let data = try Data(
      contentsOf: Self.fixture("\(folder)/verifyReceiptSample1.txt"))
    let answer = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let stated = try #require(answer["receipt"] as? [String: Any])
    #expect(receipt.bundleID == stated["bundle_id"] as? String)
    #expect(receipt.receiptType == stated["receipt_type"] as? String)
    let rows = try #require(stated["in_app"] as? [[String: Any]])
    func text(_ row: [String: Any], _ keys: [String]) -> String {
      keys.map { row[$0].map { "\($0)" } ?? "-" }.joined(separator: " ")
    }
    let expected = rows.map { row in
      text(
        row,
        [
          "transaction_id", "original_transaction_id", "product_id", "quantity",
          "purchase_date_ms", "original_purchase_date_ms", "expires_date_ms",
          "web_order_line_item_id", "is_trial_period", "is_in_intro_offer_period",
        ])
    }
    let found = receipt.purchases.map { purchase in
      func text(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "-" }
      return [
        text(purchase.transactionID), text(purchase.originalTransactionID),
        text(purchase.productID), text(purchase.quantity),
        text(purchase.purchasedAt?.milliseconds),
        text(purchase.originallyPurchasedAt?.milliseconds), text(purchase.expiresAt?.milliseconds),
        text(purchase.webOrderLineItemID), text(purchase.isTrialPeriod),
        text(purchase.isInIntroOfferPeriod),
      ].joined(separator: " ")
    }
    #expect(found.sorted() == expected.sorted())
    #expect(!found.isEmpty)
  }
}
