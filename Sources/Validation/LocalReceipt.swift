public import CivilTime

/// A receipt read without Apple: what stood in its signed container when it was created.
///
/// It lacks what only Apple's answer has: renewals and refunds since, the renewal state, the
/// subscription group, whether a row was upgraded, who owns it, the name of an offer code and the
/// reason of a cancellation.
public struct LocalReceipt: Hashable, Sendable {
  /// `Production`, `ProductionSandbox` or another of Apple's types; `nil` where it does not say.
  public var receiptType: String?
  /// The app.
  public var bundleID: String?
  /// When Apple created it: the time of the snapshot.
  public var createdAt: Instant
  /// Its in-app purchases, in the order of the container.
  public var purchases: [LocalPurchase]

  /// Describes a receipt.
  public init(
    receiptType: String?, bundleID: String?, createdAt: Instant, purchases: [LocalPurchase]
  ) {
    self.receiptType = receiptType
    self.bundleID = bundleID
    self.createdAt = createdAt
    self.purchases = purchases
  }
}

/// An in-app purchase of a receipt; what the receipt leaves out or leaves empty is `nil`.
public struct LocalPurchase: Hashable, Sendable {
  /// How many were bought.
  public var quantity: Int64?
  /// The product.
  public var productID: String?
  /// The transaction.
  public var transactionID: String?
  /// The first transaction of its chain.
  public var originalTransactionID: String?
  /// The line item of a subscription's charge.
  public var webOrderLineItemID: Int64?
  /// When it was bought, restored or renewed.
  public var purchasedAt: Instant?
  /// When its chain began.
  public var originallyPurchasedAt: Instant?
  /// When a subscription's period ends.
  public var expiresAt: Instant?
  /// When it was refunded or revoked.
  public var cancelledAt: Instant?
  /// Whether it is a free trial.
  public var isTrialPeriod: Bool?
  /// Whether it is an introductory period.
  public var isInIntroOfferPeriod: Bool?
  /// The promotional offer or offer code.
  public var promotionalOfferID: String?

  /// A purchase that says nothing.
  public init() {}
}

/// Why nothing of a receipt's container is used.
public enum LocalFault: String, Error, Hashable, Sendable, CaseIterable {
  /// The text is no base64.
  case notBase64 = "receipt_not_base64"
  /// The bytes are no signed container (PKCS#7) with one signer.
  case notSigned = "container_unreadable"
  /// The container was signed by something that is not supported.
  case signatureUnsupported = "signature_unsupported"
  /// The signature is not that of the content.
  case signatureInvalid = "signature_invalid"
  /// The signer is not one that the root certificate vouches for to sign receipts.
  case signerNotTrusted = "signer_not_trusted"
  /// The signature is right and the content is no receipt.
  case contentUnreadable = "content_unreadable"
}
