internal import CivilTime

/// A receipt that was read from its signed content, without a request to Apple.
///
/// It shows the purchases at the time at which the receipt was created. Unlike Apple's response, it
/// lacks the renewals and refunds after that time, the renewal state, and the subscription group.
/// Its rows lack the upgrade flag, the ownership, the name of an offer code, and the reason of a
/// cancellation.
package struct LocalReceipt: Hashable, Sendable {
  /// `Production`, `ProductionSandbox` or another of Apple's types; `nil` if missing.
  var receiptType: String?
  var bundleID: String?
  /// The time at which Apple created the receipt, which is the time of the snapshot.
  var createdAt: Instant
  /// The in-app purchases, in the order of the container.
  var purchases: [LocalPurchase]
}

/// An in-app purchase in a receipt; missing and empty fields are `nil`.
struct LocalPurchase: Hashable, Sendable {
  var quantity: Int64?
  var productID: String?
  var transactionID: String?
  /// The id of the chain (`original_transaction_id`).
  var originalTransactionID: String?
  /// The id of a subscription's charge (`web_order_line_item_id`).
  var webOrderLineItemID: Int64?
  /// The time of the purchase, restore or renewal.
  var purchasedAt: Instant?
  /// The start of the chain: the time of its first purchase.
  var originallyPurchasedAt: Instant?
  /// The end of a subscription's period.
  var expiresAt: Instant?
  /// The time of the refund or revocation.
  var cancelledAt: Instant?
  /// Whether the purchase is a free trial.
  var isTrialPeriod: Bool?
  /// Whether the purchase is at an introductory price; `nil` if the receipt does not show it.
  var isInIntroOfferPeriod: Bool?
  /// The id of the promotional offer or offer code.
  var promotionalOfferID: String?

  init() {}
}

/// The reason why a receipt's container is not usable.
package enum LocalFault: String, Error, Hashable, Sendable, CaseIterable {
  /// The text is not base64.
  case notBase64 = "receipt_not_base64"
  /// The bytes are not a signed container (PKCS#7) with one signer.
  case notSigned = "container_unreadable"
  /// The algorithm of the signature is not supported.
  case signatureUnsupported = "signature_unsupported"
  /// The signature does not match the content.
  case signatureInvalid = "signature_invalid"
  /// The signer's certificate is not for receipts, or is not issued under the root certificate.
  case signerNotTrusted = "signer_not_trusted"
  /// The signature is valid, but the content is not a receipt.
  case contentUnreadable = "content_unreadable"
}
