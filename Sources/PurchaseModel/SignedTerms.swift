public import Amounts
public import CivilTime

/// An amount with its currency, as Apple signs it.
public struct SignedPrice: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Thousandths of the currency's main unit, for every currency alike: 300 JPY are 300,000.
  public var amount: Milliunits
  /// The currency.
  public var currency: Currency

  /// Describes an amount.
  public init(amount: Milliunits, currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// By amount, then currency: which of two contradicting prices counts must not turn on chance.
  public static func < (left: SignedPrice, right: SignedPrice) -> Bool {
    (left.amount, left.currency) < (right.amount, right.currency)
  }
}

/// How much of a purchase Apple gave back.
public struct SignedRefund: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// When; the same as the cancellation that it belongs to.
  public var at: Instant
  /// The share of the whole amount in thousandths of a per cent: 67,932 is 67.932 %.
  public var share: Int32

  /// Describes a refund.
  public init(at: Instant, share: Int32) {
    self.at = at
    self.share = share
  }

  /// By time, then share.
  public static func < (left: SignedRefund, right: SignedRefund) -> Bool {
    (left.at, left.share) < (right.at, right.share)
  }
}

/// What a signed transaction tells of a purchase and no receipt does (RULES section 1).
///
/// Nothing of it stands without a signature: a payload that somebody decoded has none.
public struct SignedTerms: Hashable, BitwiseCopyable, Sendable {
  /// What was charged for the whole quantity, offers and taxes included; `nil` is not known.
  public var price: SignedPrice?
  /// Where it was bought.
  public var storefront: Storefront?
  /// What was bought.
  public var productKind: ProductKind?
  /// How its offer is paid; `nil` without an offer, and where Apple does not say.
  public var paymentMode: PaymentMode?
  /// How much came back; `nil` where nothing did, and where Apple does not say how much.
  public var refund: SignedRefund?
  /// Whether it belongs to an offer, so that its price is no list price.
  public var isOffer = false

  /// Terms that say nothing.
  public init() {}
}
