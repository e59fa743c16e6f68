internal import CivilTime

/// A receipt read without Apple: the content of its signed container at its creation.
///
/// It lacks fields of Apple's response: renewals and refunds since, the renewal state, the
/// subscription group, whether a row was upgraded, its owner, the name of an offer code and the
/// reason of a cancellation.
package struct LocalReceipt: Hashable, Sendable {
  /// `Production`, `ProductionSandbox` or another of Apple's types; `nil` if it is missing.
  var receiptType: String?
  var bundleID: String?
  /// The time at which Apple created it: the time of the snapshot.
  var createdAt: Instant
  /// Its in-app purchases, in the order of the container.
  var purchases: [LocalPurchase]
}

/// An in-app purchase of a receipt; missing and empty fields are `nil`.
struct LocalPurchase: Hashable, Sendable {
  var quantity: Int64?
  var productID: String?
  var transactionID: String?
  /// The first transaction of its chain.
  var originalTransactionID: String?
  /// The line item of a subscription's charge.
  var webOrderLineItemID: Int64?
  /// The time of the purchase, restore or renewal.
  var purchasedAt: Instant?
  /// The start of its chain.
  var originallyPurchasedAt: Instant?
  /// The end of a subscription's period.
  var expiresAt: Instant?
  /// The time of the refund or revocation.
  var cancelledAt: Instant?
  /// Whether it is a free trial.
  var isTrialPeriod: Bool?
  /// Whether it is an introductory period.
  var isInIntroOfferPeriod: Bool?
  /// The promotional offer or offer code.
  var promotionalOfferID: String?

  /// A purchase without values.
  init() {}
}

/// The reason why a receipt's container is not used.
package enum LocalFault: String, Error, Hashable, Sendable, CaseIterable {
  /// The text is not base64.
  case notBase64 = "receipt_not_base64"
  /// The bytes are not a signed container (PKCS#7) with one signer.
  case notSigned = "container_unreadable"
  /// The container was signed by something that is not supported.
  case signatureUnsupported = "signature_unsupported"
  /// The signature is not that of the content.
  case signatureInvalid = "signature_invalid"
  /// The signer is not one that the root certificate vouches for to sign receipts.
  case signerNotTrusted = "signer_not_trusted"
  /// The signature is right, but the content is not a receipt.
  case contentUnreadable = "content_unreadable"
}
