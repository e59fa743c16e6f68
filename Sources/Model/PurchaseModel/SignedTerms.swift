public import Amounts
public import CivilTime

/// An amount with its currency, as Apple signs it.
public struct SignedPrice: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Thousandths of the currency's main unit, for every currency alike: 300 JPY are 300,000.
  public var amount: Milliunits
  /// The currency.
  public var currency: Currency

  /// Creates an amount from its fields.
  public init(amount: Milliunits, currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// Sorted by amount, then currency, so that the choice between contradicting prices is
  /// deterministic.
  public static func < (left: SignedPrice, right: SignedPrice) -> Bool {
    (left.amount, left.currency) < (right.amount, right.currency)
  }
}

/// The share of a purchase that Apple gave back.
public struct SignedRefund: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The time; the same as that of the cancellation it belongs to.
  public var at: Instant
  /// The share of the whole amount in thousandths of a per cent: 67,932 is 67.932 %.
  public var share: Int32

  /// Creates a refund from its fields.
  public init(at: Instant, share: Int32) {
    self.at = at
    self.share = share
  }

  /// Sorted by time, then share.
  public static func < (left: SignedRefund, right: SignedRefund) -> Bool {
    (left.at, left.share) < (right.at, right.share)
  }
}

/// The way in which a subscription with a commitment of a year is paid: `billingPlanType`.
public enum BillingPlan: UInt8, Hashable, Comparable, BitwiseCopyable, Sendable {
  /// A charge each month.
  case monthly = 1
  /// One charge at the beginning.
  case upfront

  /// The word in `fct_revenue.billing_plan`.
  public var name: String { self == .monthly ? "monthly" : "upfront" }

  /// Monthly before up front.
  public static func < (left: BillingPlan, right: BillingPlan) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The terms of a purchase that a signed transaction states and receipts lack.
///
/// They count with a verified signature only: a decoded payload has none.
public struct SignedTerms: Hashable, BitwiseCopyable, Sendable {
  /// The charge for the whole quantity, offers and taxes included; `nil` if unknown.
  public var price: SignedPrice?
  /// The storefront of the purchase.
  public var storefront: Storefront?
  /// The kind of the product.
  public var productKind: ProductKind?
  /// The payment mode of its offer; `nil` without an offer, and if Apple does not state it.
  public var paymentMode: PaymentMode?
  /// The refunded share; `nil` without a refund, and if Apple does not state the share.
  public var refund: SignedRefund?
  /// Whether it belongs to an offer, so that its price differs from the list price.
  public var isOffer = false
  /// The way in which a subscription with a commitment is paid; `nil` if Apple does not state it.
  public var billingPlan: BillingPlan?
  /// The end of the commitment to a subscription that is paid by the month.
  public var commitmentEndsAt: Instant?
  /// The refunds of single items, as ``ItemRefundsText`` writes them; `nil` without any.
  public var itemRefunds: Symbol?
  /// The bundle that the subscription belongs to, as Apple names it; `nil` outside of bundles.
  public var bundle: Symbol?

  /// Terms without values.
  public init() {}
}
