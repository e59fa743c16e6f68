internal import Amounts
internal import CivilTime
internal import Foundation
internal import PurchaseModel
internal import ReceiptSigning
internal import SignedTransactions
internal import TestSupport
internal import Testing

/// Apple's own library accepts and refuses the same tokens as this program, and reads the same
/// fields.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"))
struct SignedOracleTests {
  /// A purchase of 2024 as Apple writes it, with random offers, refunds and unusual words.
  private static func payload(_ number: Int, _ generator: inout SeededGenerator) -> String {
    var members = [
      "\"transactionId\":\"\(2_000_000_400_000_000 + number)\"",
      "\"originalTransactionId\":\"2000000300000001\"", "\"bundleId\":\"com.example.shop\"",
      "\"productId\":\"pro.monthly\"", "\"purchaseDate\":\(1_704_067_200_000 + number * 1000)",
      "\"signedDate\":\(1_714_557_605_000 + number)", "\"environment\":\"Production\"",
      "\"quantity\":\(Int.random(in: 1...9, using: &generator))",
    ]
    let some = [
      "\"webOrderLineItemId\":\"2000000090000017\"", "\"type\":\"Auto-Renewable Subscription\"",
      "\"subscriptionGroupIdentifier\":\"20611001\"", "\"originalPurchaseDate\":1704067200000",
      "\"expiresDate\":1717236000000", "\"inAppOwnershipType\":\"FAMILY_SHARED\"",
      "\"isUpgraded\":true", "\"offerType\":2,\"offerIdentifier\":\"win50\"",
      "\"offerDiscountType\":\"PAY_AS_YOU_GO\"", "\"offerPeriod\":\"P1M\"",
      "\"storefront\":\"POL\"", "\"transactionReason\":\"MERGE\"",
      "\"price\":44990,\"currency\":\"PLN\"",
      "\"revocationDate\":1715000000000,\"revocationReason\":1",
      "\"revocationType\":\"REFUND_PRORATED\"",
    ]
    members += some.filter { _ in Bool.random(using: &generator) }
    return "{\(members.shuffled(using: &generator).joined(separator: ","))}"
  }

  /// Compares the decoded fields with those of the payload.
  private static func compare(_ row: SignedTransaction, _ members: [String: Any]) {
    for (name, value) in fields(row) {
      let text = (members[name] as? String) ?? (members[name] as? NSNumber)?.int64Value.description
      // Without `offerType` the other offer fields are ignored.
      let isLeftOut = name.hasPrefix("offer") && members["offerType"] == nil
      #expect(value == (isLeftOut ? nil : text), "\(name)")
    }
  }

  /// The decoded fields under Apple's names; numbers as text.
  private static func fields(_ row: SignedTransaction) -> [(String, String?)] {
    func time(_ instant: Instant?) -> String? { instant.map { "\($0.milliseconds)" } }
    return [
      ("transactionId", row.transactionID), ("originalTransactionId", row.originalTransactionID),
      ("webOrderLineItemId", row.lineItemID), ("bundleId", row.bundleID),
      ("productId", row.productID), ("subscriptionGroupIdentifier", row.subscriptionGroupID),
      ("purchaseDate", time(row.purchasedAt)), ("expiresDate", time(row.expiresAt)),
      ("originalPurchaseDate", time(row.originalPurchasedAt)),
      ("signedDate", time(row.signedAt)), ("quantity", "\(row.quantity)"),
      ("isUpgraded", row.isUpgraded ? "1" : "0"), ("offerIdentifier", row.offer?.identifier),
      ("offerPeriod", row.offer?.period?.text), ("storefront", row.storefront?.code),
      ("appAccountToken", row.accountToken), ("currency", row.price?.currency.code),
      ("price", row.price.map { "\($0.amount.rawValue)" }),
      ("revocationDate", time(row.revocation?.revokedAt)),
      ("revocationReason", row.revocation?.reason.map { "\($0)" }),
    ]
  }

  /// The members of a payload; Apple writes `isUpgraded` only if it is true.
  private static func members(_ payload: String) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(payload.utf8))
    let members = try #require(json as? [String: Any])
    return ["isUpgraded": false].merging(members) { $1 }
  }

  @Test func `Apple's library agrees on thousands of tokens, good and forged`() throws {
    let signer = try TokenSigner()
    let stranger = try TokenSigner()
    var generator = SeededGenerator(seed: 18)
    let folder = try TemporaryFolder()
    let roots = try #require(TrustedRoots(certificates: [signer.root]))
    var reader = SignedRecordReader(verifier: SignatureVerifier(roots: roots))
    var lines = ""
    for number in 0..<2000 {
      let payload = Self.payload(number, &generator)
      let good = try signer.sign(payload)
      let parts = good.split(separator: ".")
      let token: String =
        switch number == 0 ? 9 : Int.random(in: 0..<10, using: &generator) {
        case 0: try stranger.sign(payload)
        case 1:
          "\(parts[0]).\(TokenSigner.base64URL(Self.payload(number, &generator))).\(parts[2])"
        case 2: try signer.sign(payload, header: signer.header(algorithm: "none"))
        case 3:
          try signer.sign(
            payload, header: signer.header(certificates: Array(signer.certificates.prefix(2))))
        case 4:
          try signer.sign(payload.replacing("\"signedDate\":17", with: "\"signedDate\":27"))
        default: good
        }
      var fields = "null"
      if case .success(.transaction(let row)) = try reader.read(Array(token.utf8).span).findings[0]
        .content
      {
        let members = try Self.members(payload)
        Self.compare(row, members)
        fields = String(
          decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
      }
      lines += "{\"token\":\"\(token)\",\"fields\":\(fields)}\n"
    }
    try folder.write("root.der", bytes: signer.root)
    try folder.write("tokens", lines)
    try folder.write("key.pem", signer.keyPEM)
    let (status, said) = try ReaderTests.run(
      "signed.py", folder.path("root.der"), folder.path("tokens"), folder.path("key.pem"),
      folder.path("signed"))
    #expect(status == 0, "\(said)")
    try checkTheirs(String(decoding: folder.bytes("signed"), as: UTF8.self), &reader)
  }

  /// Reads the tokens that Apple's library signed.
  private func checkTheirs(_ text: String, _ reader: inout SignedRecordReader) throws {
    var count = 0
    for line in text.split(separator: "\n") {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let token = try #require(entry?["token"] as? String)
      let theirs = try #require(entry?["fields"] as? [String: Any])
      guard
        case .success(.transaction(let row)) = try reader.read(Array(token.utf8).span)
          .findings[0].content
      else {
        Issue.record("refused what Apple's library signed: \(line)")
        continue
      }
      Self.compare(row, theirs)
      count += 1
    }
    #expect(count == 300)
  }
}
