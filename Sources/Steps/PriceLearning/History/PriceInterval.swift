public import Amounts
public import CivilTime
public import PurchaseModel

/// A span of time in which a price was in force, learned from believed reports or fetched with the
/// price list.
public struct PriceInterval: Hashable, BitwiseCopyable, Sendable {
  /// The product that had this price.
  public var productID: ProductID
  /// The currency of the price.
  public var currency: Currency
  /// The series of the price: its market, kind of price and storefront.
  public var series: SeriesKey
  /// The start of the interval, inclusive; `nil` if the price has no known start.
  public var from: Instant?
  /// The end of the interval, exclusive; `nil` if the price has no known end.
  public var to: Instant?
  /// Whether the interval ends at a date in the catalogue.
  public var endsAtCatalogueDate: Bool
  /// The price of one unit: for one period, or for the whole offer if it is paid up front.
  public var price: Milliunits
  /// The payment mode of the offer; `nil` for a regular price.
  public var paymentMode: PaymentMode?
  /// The length of the offer; if reports differ, the length that most voters report.
  ///
  /// For a regular price, it is the length of the instalment, or empty for a whole period.
  public var length: OfferLength
  /// The number of voters for the price in the interval.
  public var voters: Int32
  /// The number of believed reports of the price in the interval.
  public var reports: Int32
  /// The number of reports that are not believed, for any price of the series in the interval.
  public var rejectedReports: Int32
  /// The evidence id of the first believed report in the interval; `nil` if only signed prices
  /// show the price.
  public var firstReport: Int64?
  /// The time of the last report of the price in the interval, UTC.
  public var lastReportedAt: Instant
  /// The lowest believed price of the series after ``lastReportedAt`` and before ``to``.
  ///
  /// Prices in that time are too rare to be in force, but any of them may have been. `nil` without
  /// a believed report in that time.
  public var lowestStray: Milliunits?
  /// The highest believed price of the series after ``lastReportedAt`` and before ``to``.
  public var highestStray: Milliunits?
  /// The time of the first report of the price in the interval, UTC; `nil` for a fetched price.
  public var firstReportedAt: Instant?
  /// The lowest believed price of the series in the interval before ``firstReportedAt``.
  public var lowestEarlyStray: Milliunits?
  /// The highest believed price of the series in the interval before ``firstReportedAt``.
  public var highestEarlyStray: Milliunits?
  /// Whether the price was fetched from App Store Connect; otherwise it is learned from reports.
  public var isListed = false
  /// Whether enough voters report the price in the interval.
  ///
  /// At least three voters must report the price, and more than twice as many as any other price of
  /// the series. Only such a price of an offer can make an amount exact.
  public var isAgreed = false

  /// The instalment for which a regular price pays; `nil` for a whole period, and for an offer.
  public var instalment: Instalment? {
    guard series.kind == .regular, let count = length.numberOfPeriods, let period = length.period
    else { return nil }
    return Instalment(count: count, length: period)
  }
}
