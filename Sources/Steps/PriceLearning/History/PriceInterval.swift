public import Amounts
public import CivilTime
public import PurchaseModel

/// A time in which a price was in force, learned from believed reports.
public struct PriceInterval: Hashable, BitwiseCopyable, Sendable {
  /// The product.
  public var productID: ProductID
  /// The currency.
  public var currency: Currency
  /// Which of the product's prices, and where.
  public var series: SeriesKey
  /// When it begins; `nil` since ever.
  public var from: Instant?
  /// When it ends, itself excluded; `nil` for ever.
  public var to: Instant?
  /// Whether it ends at a date of the catalogue.
  public var endsAtCatalogueDate: Bool
  /// The price of one unit, one period or the whole offer.
  public var price: Milliunits
  /// How the offer is paid; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// How long the offer lasts, as most voters say.
  public var length: OfferLength
  /// Distinct voters for the price within the interval.
  public var voters: Int32
  /// Believed reports of the price within the interval.
  public var reports: Int32
  /// Reports of the series within the interval that are not believed.
  public var rejectedReports: Int32
  /// The first believed report of the price within the interval, by its evidence id; `nil` where only
  /// signed prices tell it.
  public var firstReport: Int64?
  /// When the price was last reported within the interval.
  public var lastReportedAt: Instant
}
