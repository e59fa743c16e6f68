internal import Foundation
internal import ReceiptSigning
internal import SignedTransactions

/// Times how many signed transactions one core verifies, and how many it reads unverified.
///
/// `SignatureSpeed [TOKENS]`; the tokens are signed under a root made here, each with a price and a
/// date of its own, and are as long as Apple's. Signing is not timed.
@main
enum SignatureSpeed {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 20_000
    let signer = try TokenSigner()
    // Apple's certificates are longer; what is left out of them stands beside them here.
    let padding = String(repeating: "x", count: 1_700)
    let header = signer.header(more: ",\"kid\":\"\(padding)\"")
    let records = try (0..<count).map {
      Array(try signer.sign(payload($0), header: header).utf8)
    }
    guard let roots = TrustedRoots(certificates: [signer.root]) else { return }
    let length = records.reduce(0) { $0 + $1.count } / max(1, count)
    print("\(count) tokens of \(length) bytes, one core")
    for signatures in SignaturePolicy.Signatures.allCases {
      var reader = SignedRecordReader(
        verifier: SignatureVerifier(roots: roots),
        policy: SignaturePolicy(signatures: signatures))
      var best = Double.infinity
      for _ in 0..<5 {
        let start = ContinuousClock.now
        for record in records {
          let findings = try reader.read(record.span).findings
          guard findings.count == 1, case .success = findings[0].content else {
            print("a good token was refused: \(findings)")
            exit(70)
          }
        }
        let elapsed = ContinuousClock.now - start
        best = min(best, elapsed / .seconds(1))
      }
      print(
        String(
          format: "%@: %.1f µs a token, %.0f tokens a second", signatures.rawValue,
          best * 1e6 / Double(count), Double(count) / best))
    }
  }

  /// A renewal as Apple writes it.
  private static func payload(_ number: Int) -> String {
    let day = Int64(1_704_067_200_000) + Int64(number) * 60_000
    return """
      {"transactionId":"\(2_000_000_400_000_000 + number)",\
      "originalTransactionId":"2000000300000000","webOrderLineItemId":"200000009\(number)",\
      "bundleId":"com.example.shop","productId":"com.example.shop.pro.monthly",\
      "subscriptionGroupIdentifier":"20611001","purchaseDate":\(day),\
      "originalPurchaseDate":1704067200000,"expiresDate":\(day + 2_592_000_000),"quantity":1,\
      "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED",\
      "signedDate":\(day + 5000),"environment":"Production","transactionReason":"RENEWAL",\
      "storefront":"USA","storefrontId":"143441","price":\(9990 + number),"currency":"USD",\
      "appTransactionId":"704289572311506000"}
      """
  }
}
