internal import Diagnostics
internal import ReceiptSigning
internal import SignedTransactions

/// A signer, and payloads in Apple's format.
enum Sample {
  /// A signer without flaws; its certificate is valid from 2021 to 2029.
  static let signer = Result { try TokenSigner() }

  /// A reader that trusts only the signer's root.
  static func reader(
    _ policy: SignaturePolicy = SignaturePolicy(), roots: TrustedRoots? = nil
  ) throws -> SignedRecordReader {
    let own = try TrustedRoots(certificates: [signer.get().root])
    return SignedRecordReader(
      verifier: SignatureVerifier(roots: roots ?? own ?? .apple), policy: policy)
  }

  /// A renewal at 9.99 USD, bought and signed on 2024-05-01.
  static let renewal: [String: String] = [
    "transactionId": #""2000000400000017""#,
    "originalTransactionId": #""2000000300000001""#,
    "webOrderLineItemId": #""2000000090000017""#,
    "bundleId": #""com.example.shop""#,
    "productId": #""pro.monthly""#,
    "subscriptionGroupIdentifier": #""20611001""#,
    "purchaseDate": "1714557600000",
    "originalPurchaseDate": "1704067200000",
    "expiresDate": "1717236000000",
    "quantity": "1",
    "type": #""Auto-Renewable Subscription""#,
    "inAppOwnershipType": #""PURCHASED""#,
    "signedDate": "1714557605000",
    "environment": #""Production""#,
    "transactionReason": #""RENEWAL""#,
    "storefront": #""USA""#,
    "storefrontId": #""143441""#,
    "price": "9990",
    "currency": #""USD""#,
  ]

  /// The JSON text of a payload with some changed members; `nil` removes a member.
  static func payload(
    _ members: [String: String] = renewal, _ changes: [String: String?] = [:]
  ) -> String {
    var members = members
    for (key, value) in changes { members[key] = value }
    let texts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(texts.joined(separator: ","))}"
  }

  /// A token of the sample's renewal with some changed members.
  static func token(_ changes: [String: String?] = [:]) throws -> String {
    try signer.get().sign(payload(renewal, changes))
  }

  /// The renewal state of the sample's chain.
  static let state: [String: String] = [
    "originalTransactionId": #""2000000300000001""#,
    "productId": #""pro.monthly""#,
    "autoRenewProductId": #""pro.yearly""#,
    "autoRenewStatus": "1",
    "signedDate": "1714557606000",
    "environment": #""Production""#,
    "renewalDate": "1717236000000",
    "renewalPrice": "99990",
    "currency": #""USD""#,
  ]

  /// A token of the sample's renewal state.
  static func stateToken() throws -> String { try signer.get().sign(payload(state)) }
}

extension SignedRecordReader {
  /// Reads a record that is given as text.
  mutating func read(_ text: String) throws -> SignedRecord {
    let bytes = Array(text.utf8)
    return try read(bytes.span)
  }

  /// The only transaction of a record.
  mutating func transaction(_ text: String) throws -> SignedTransaction {
    let record = try read(text)
    guard record.findings.count == 1,
      case .transaction(let transaction) = try record.findings[0]
        .content.get()
    else { throw RecordIsOther(record: record) }
    return transaction
  }
}

/// The error for a record with other content than one transaction.
struct RecordIsOther: Error {
  let record: SignedRecord
}

extension SignedFinding {
  /// The reason why the token is not used.
  var fault: TokenFault? {
    switch content {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  /// The kind of the finding, for comparisons.
  var kind: String {
    switch content {
    case .success(.transaction): "transaction"
    case .success(.renewal): "renewal"
    case .success(.notification(let notification)): notification.type
    case .failure(let fault): fault.reason.rawValue
    }
  }
}
