public import Amounts
public import CivilTime

/// An amount with its currency, as a signed transaction states it.
public struct SignedPrice: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Thousandths of the currency's main unit, in every currency: 300 JPY is 300,000.
  public var amount: Milliunits
  /// The currency of the amount.
  public var currency: Currency

  /// Creates an amount from its fields.
  public init(amount: Milliunits, currency: Currency) {
    self.amount = amount
    self.currency = currency
  }

  /// Orders prices by amount, then currency.
  ///
  /// With a fixed order, the choice between contradicting prices is deterministic.
  public static func < (left: SignedPrice, right: SignedPrice) -> Bool {
    (left.amount, left.currency) < (right.amount, right.currency)
  }
}

/// The part of a purchase that Apple refunded.
public struct SignedRefund: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The time of the refund, equal to the cancellation time of the purchase.
  public var at: Instant
  /// The refunded part in thousandths of a percent: 67,932 is 67.932 %.
  public var share: Int32

  /// Creates a refund from its fields.
  public init(at: Instant, share: Int32) {
    self.at = at
    self.share = share
  }

  /// Orders refunds by time, then refunded part.
  public static func < (left: SignedRefund, right: SignedRefund) -> Bool {
    (left.at, left.share) < (right.at, right.share)
  }
}

/// The billing plan of a subscription with a commitment of a year: `billingPlanType`.
public enum BillingPlan: UInt8, Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The customer pays one charge per month.
  case monthly = 1
  /// The customer pays one charge at the beginning of the commitment.
  case upfront

  /// Creates the plan of Apple's word; `nil` for an unknown word.
  public init?(apple word: String) {
    switch word {
    case "MONTHLY": self = .monthly
    case "BILLED_UPFRONT", "UPFRONT": self = .upfront
    default: return nil
    }
  }

  /// The name in `fct_revenue.billing_plan`.
  public var name: String { self == .monthly ? "monthly" : "upfront" }

  /// Orders the monthly plan before the upfront plan.
  public static func < (left: BillingPlan, right: BillingPlan) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The terms of a purchase that Apple's transaction states and a receipt lacks.
///
/// The signature was verified, or the pipeline trusts signatures without a check. The terms of a
/// decoded payload have neither price nor storefront: these are a charge, which is a price report.
public struct SignedTerms: Hashable, BitwiseCopyable, Sendable {
  /// The charge for the whole quantity, offers and taxes included; `nil` if unknown.
  public var price: SignedPrice?
  /// The storefront of the purchase; `nil` if unknown.
  public var storefront: Storefront?
  /// The kind of the product; `nil` if unknown.
  public var productKind: ProductKind?
  /// The payment mode of the purchase's offer; `nil` without an offer, or if Apple does not state
  /// it.
  public var paymentMode: PaymentMode?
  /// The refunded part; `nil` without a refund, or if Apple does not state it.
  public var refund: SignedRefund?
  /// Whether the purchase has an offer, so that its price may differ from the list price.
  public var isOffer = false
  /// The billing plan of a subscription with a commitment; `nil` if Apple does not state it.
  public var billingPlan: BillingPlan?
  /// The end of the commitment of a subscription that is billed monthly; otherwise `nil`.
  public var commitmentEndsAt: Instant?
  /// The tax as a part of the charge; `nil` if Apple does not state it.
  public var taxShare: BasisPoints?
  /// The refunds of single items in the format of ``ItemRefundsText``; `nil` if there are none.
  public var itemRefunds: Symbol?
  /// The bundle of subscriptions in which this subscription was bought; `nil` if bought separately.
  ///
  /// The text contains Apple's ids of the bundle: `bundleProductId com.example.all,
  /// bundleTransactionId 2000000012345678`.
  public var bundle: Symbol?
  /// Whether the customer bought a further transaction of the chain: `PURCHASE` in
  /// `transactionReason`.
  ///
  /// A renewal that Apple charged late is none.
  public var isBoughtAgain = false
  /// Whether the terms come from a decoded payload without a signature.
  public var isDecoded = false

  /// Creates empty terms.
  public init() {}
}
