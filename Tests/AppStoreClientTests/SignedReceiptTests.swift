@testable internal import AppStoreClient
internal import CivilTime
internal import Foundation
internal import ReceiptSigning
internal import Testing

private func read(_ container: [UInt8], root: [UInt8]) async throws -> Result<
  LocalReceipt, LocalFault
> {
  let reader = try #require(SignedReceiptReader(rootCertificate: root))
  return await reader.read(Array(Data(container).base64EncodedString().utf8))
}

private func instant(_ text: String) throws -> Instant { try #require(Instant(text: text)) }

@Test(arguments: [false, true])
func `a receipt whose signature is right is read`(_ signsAttributes: Bool) async throws {
  let signer = try ReceiptSigner()
  let container = try signer.sign(
    ReceiptText.monthly(more: [(1721, .text("WIN50"))]).bytes(), signsAttributes: signsAttributes)
  let receipt = try await read(container, root: signer.root).get()
  #expect(receipt.receiptType == "Production")
  #expect(receipt.bundleID == "com.example")
  #expect(receipt.createdAt == (try instant("2021-03-05T10:00:00Z")))
  var purchase = LocalPurchase()
  purchase.quantity = 1
  purchase.productID = "pro"
  purchase.transactionID = "1001"
  purchase.originalTransactionID = "1001"
  purchase.webOrderLineItemID = 5001
  purchase.purchasedAt = try instant("2021-03-01T10:00:00Z")
  purchase.originallyPurchasedAt = try instant("2021-03-01T10:00:00Z")
  purchase.expiresAt = try instant("2021-04-01T10:00:00Z")
  purchase.isTrialPeriod = false
  purchase.isInIntroOfferPeriod = false
  purchase.promotionalOfferID = "WIN50"
  #expect(receipt.purchases == [purchase])
}

@Test func `no changed byte of content, signature or signer goes unnoticed`() async throws {
  let signer = try ReceiptSigner()
  let container = try signer.sign(try ReceiptText.monthly().bytes())
  let fine = try await read(container, root: signer.root).get()
  // Every 7th byte of about 1,800, so every part of the container is changed.
  for position in stride(from: 0, to: container.count, by: 7) {
    var changed = container
    changed[position] ^= 0x04
    if case .success(let receipt) = try await read(changed, root: signer.root) {
      // The algorithm names that occur twice are not signed; the purchases are signed.
      #expect(receipt == fine, "byte \(position)")
    }
  }
}

@Test func `a changed price of a product is an invalid signature`() async throws {
  let signer = try ReceiptSigner()
  var container = try signer.sign(try ReceiptText.monthly().bytes())
  let product = try #require(Data(container).range(of: Data("pro".utf8)))
  container[product.lowerBound] = UInt8(ascii: "q")
  #expect(try await read(container, root: signer.root) == .failure(.signatureInvalid))
}

@Test func `a signer whom the root does not know, or who signs no receipts, is not trusted`()
  async throws
{
  let signer = try ReceiptSigner()
  let container = try signer.sign(try ReceiptText.monthly().bytes())
  let stranger = try ReceiptSigner()
  #expect(try await read(container, root: stranger.root) == .failure(.signerNotTrusted))
  // A developer's certificate has the same root, but lacks Apple's extension for receipts.
  let developer = try ReceiptSigner(isForReceipts: false)
  let own = try developer.sign(try ReceiptText.monthly().bytes())
  #expect(try await read(own, root: developer.root) == .failure(.signerNotTrusted))
}

@Test func `a receipt created while no certificate was valid is not trusted`() async throws {
  let signer = try ReceiptSigner()
  let content = ReceiptText([(0, .text("Production")), (12, .time("2014-12-31T23:59:59Z"))])
  let container = try signer.sign(try content.bytes())
  #expect(try await read(container, root: signer.root) == .failure(.signerNotTrusted))
}

@Test func `a content that is no receipt is not used, signed or not`() async throws {
  let signer = try ReceiptSigner()
  let contents: [[UInt8]] = [
    [], Array("text".utf8), [0x31, 0x00], try ReceiptText([(2, .text("com.example"))]).bytes(),
    try ReceiptText([(12, .time("yesterday"))]).bytes(),
    try ReceiptText.monthly(more: [(1704, .text("soon"))]).bytes(),
    try ReceiptText.monthly(more: [(1701, .text("many"))]).bytes(),
  ]
  for content in contents {
    #expect(
      try await read(try signer.sign(content), root: signer.root) == .failure(.contentUnreadable))
  }
}

@Test func `unknown attributes are passed over, and empty values are absent`() async throws {
  let signer = try ReceiptSigner()
  let content = ReceiptText([
    (12, .time("2021-03-05T10:00:00Z")), (9999, .nothing), (2, .nothing),
    (17, .attributes([(1702, .text("coins")), (1708, .nothing), (1711, .number(0))])),
  ])
  let receipt = try await read(try signer.sign(try content.bytes()), root: signer.root).get()
  #expect(receipt.bundleID == nil && receipt.receiptType == nil)
  var coins = LocalPurchase()
  coins.productID = "coins"
  #expect(receipt.purchases == [coins])
}

@Test func `bytes that are no container are named as such`() async throws {
  let signer = try ReceiptSigner()
  for bytes: [UInt8] in [[], [0x30, 0x80], [0x30, 0x00], Array(repeating: 0x30, count: 200)] {
    #expect(try await read(bytes, root: signer.root) == .failure(.notSigned))
  }
  let reader = try #require(SignedReceiptReader(rootCertificate: signer.root))
  #expect(await reader.read(Array("===".utf8)) == .failure(.notBase64))
  for root: [UInt8] in [[], Array("no certificate".utf8), [0x30, 0x00]] {
    #expect(SignedReceiptReader(rootCertificate: root) == nil)
  }
}
