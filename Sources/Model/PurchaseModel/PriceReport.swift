public import Amounts
public import CivilTime

/// The payment mode of an offer.
public enum PaymentMode: UInt8, Hashable, Comparable, BitwiseCopyable, Sendable, CaseIterable {
  /// One price for each billing period of the offer.
  case payAsYouGo = 0
  /// One price for the whole offer.
  case payUpFront = 1
  /// Free of charge for the whole offer.
  case freeTrial = 2

  /// The name in the warehouse and in price reports.
  public var name: String {
    switch self {
    case .payAsYouGo: "pay_as_you_go"
    case .payUpFront: "pay_up_front"
    case .freeTrial: "free_trial"
    }
  }

  /// Orders modes by StoreKit's numbers: as you go, up front, free.
  public static func < (left: PaymentMode, right: PaymentMode) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The price of one offer in a report.
public struct OfferPrice: Hashable, BitwiseCopyable, Sendable {
  /// The id of the promotional offer; `nil` for the introductory offer.
  public var offerID: OfferID?
  /// The price per period for an offer paid as you go, or of the whole offer if paid up front.
  public var price: Milliunits
  /// The payment mode of the offer.
  public var paymentMode: PaymentMode
  /// The number of periods of the offer, at least 1; `nil` if not stated.
  public var numberOfPeriods: Int32?
  /// The length of one period; `nil` if not stated.
  public var period: Period?

  /// Creates the price of an offer as StoreKit reported it.
  public init(
    offerID: OfferID?, price: Milliunits, paymentMode: PaymentMode, numberOfPeriods: Int32?,
    period: Period?
  ) {
    self.offerID = offerID
    self.price = price
    self.paymentMode = paymentMode
    self.numberOfPeriods = numberOfPeriods
    self.period = period
  }
}

/// The meaning of the price in a price report.
public enum PriceMeaning: String, Hashable, BitwiseCopyable, Sendable, CaseIterable {
  /// The price that StoreKit showed for the product.
  case list
  /// The amount paid for one transaction of any kind, such as 0.99 for an introductory period.
  case charged
}

/// A price that StoreKit showed on a device, as the app reported it; it may be wrong.
///
/// Example: `pro.monthly`, 9.99 USD, shown at 2024-05-01T10:00:00Z in the storefront `USA`.
public struct PriceReport: Hashable, BitwiseCopyable, Sendable {
  /// A hash of the report's content; equal reports have the same id.
  public var evidenceID: Int64
  /// The file and line of the report; for a repeated report, those of its first occurrence.
  public var source: SourceLine
  /// The customer who sent the report; `nil` if the report has no customer id.
  public var customer: CustomerID?
  /// The transaction id in the report; `nil` if there is none.
  public var transactionID: TransactionID?
  /// The product; its app is set later, when products are matched with apps.
  public var productID: ProductID
  /// The bundle id of the app in the report; `nil` if there is none.
  public var bundle: BundleID?
  /// The storefront at the time of the report; `nil` if unknown.
  public var storefront: Storefront?
  /// The currency of every price in the report.
  public var currency: Currency
  /// The time at which the app read the price, UTC.
  public var reportedAt: Instant
  /// The list price of one unit, or the charge for the whole transaction; see ``meaning``.
  public var price: Milliunits
  /// The meaning of ``price``: the list price or a charge.
  public var meaning: PriceMeaning
  /// The sender of a charge; meaningless for a list price.
  public var sender: ChargeSender
  /// Whether the owner's server verified the charge, according to the pipeline.
  public var isTrusted: Bool
  /// The id of the discount that the app reports as applied; `nil` without a discount.
  public var appliedDiscount: OfferID?
  /// The positions of the report's offers in ``Observations/offers``.
  ///
  /// The introductory offer is first; promotional offers follow, sorted by id.
  public var offers: Range<Int> {
    get { Int(firstOffer)..<Int(endOfOffers) }
    set { (firstOffer, endOfOffers) = (Int32(newValue.lowerBound), Int32(newValue.upperBound)) }
  }
  private var firstOffer: Int32
  private var endOfOffers: Int32

  /// Creates a report from its fields.
  public init(
    evidenceID: Int64, source: SourceLine, customer: CustomerID?, transactionID: TransactionID?,
    productID: ProductID, bundle: BundleID? = nil, storefront: Storefront?, currency: Currency,
    reportedAt: Instant, price: Milliunits, meaning: PriceMeaning = .list,
    sender: ChargeSender = .app, isTrusted: Bool = false, appliedDiscount: OfferID?,
    offers: Range<Int>
  ) {
    self.evidenceID = evidenceID
    self.source = source
    self.customer = customer
    self.transactionID = transactionID
    self.productID = productID
    self.bundle = bundle
    self.storefront = storefront
    self.currency = currency
    self.reportedAt = reportedAt
    self.price = price
    self.meaning = meaning
    self.sender = sender
    self.isTrusted = isTrusted
    self.appliedDiscount = appliedDiscount
    (firstOffer, endOfOffers) = (Int32(offers.lowerBound), Int32(offers.upperBound))
  }
}
