public import Amounts
public import CivilTime
public import PurchaseModel

/// Which of a product's prices a series follows.
public enum SeriesKind: Hashable, Sendable {
  /// The regular price.
  case regular
  /// The introductory price in a storefront, under a payment mode.
  case introductory(Storefront?, PaymentMode)
  /// The price of an offer.
  case offer(OfferID)
}

/// A price series: one price of a product in a currency over time.
public struct SeriesID: Hashable, Sendable {
  /// The product.
  public var productID: ProductID
  /// The currency.
  public var currency: Currency
  /// Which of its prices.
  public var kind: SeriesKind

  /// Names a series.
  public init(productID: ProductID, currency: Currency, kind: SeriesKind) {
    self.productID = productID
    self.currency = currency
    self.kind = kind
  }
}

/// An interval in which a price was in force, learned from believed reports.
public struct PriceInterval: Hashable, Sendable {
  /// The series.
  public var series: SeriesID
  /// When it begins; `nil` since ever.
  public var from: Instant?
  /// When it ends, itself excluded; `nil` for ever.
  public var to: Instant?
  /// The price of one unit, one period or the whole offer.
  public var price: Milliunits
  /// How the offer is paid; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// For how many periods the offer lasts, as most voters say.
  public var numberOfPeriods: Int32?
  /// The length of one of them, as most voters say.
  public var period: Period?
  /// Distinct voters for the price within the interval.
  public var voters: Int32
  /// Believed reports of the price within the interval.
  public var reports: Int32
  /// Reports of the series within the interval that were not believed.
  public var rejectedReports: Int32
  /// The first believed report of the price within the interval, by position.
  public var firstReport: Int32
}
