public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// The place and price of Apple's charges that may prove what rows cost.
///
/// For example `plus` in Germany on the 10th of May at 4.99 EUR, without an offer.
public struct AppleCharge: Hashable, Sendable {
  /// The Pacific day.
  public var day: CivilDay
  /// The product.
  public var productID: String
  /// The storefront.
  public var storefront: Storefront
  /// The currency.
  public var currency: Currency
  /// The offer.
  public var offer: AppleOffer
  /// The price of one unit, above 0.
  public var price: Milliunits
  /// The developer's proceeds per unit, if reported.
  public var proceeds: Milliunits?
  /// The currency of the developer's proceeds.
  public var proceedsCurrency: Currency?
  /// Whether it comes from Finance Detail, which does not name the offer.
  public var isSettlement = false

  /// Creates a charge from its fields.
  public init(
    day: CivilDay, productID: String, storefront: Storefront, currency: Currency,
    offer: AppleOffer, price: Milliunits
  ) {
    self.day = day
    self.productID = productID
    self.storefront = storefront
    self.currency = currency
    self.offer = offer
    self.price = price
  }

  /// The charge in a line of a product; `nil` for a refund, for a free unit, and for a
  /// subscription in the Sales report, which does not distinguish offers.
  public init?(_ line: AppleReportLine, of productID: String) {
    guard !line.isRefund, let price = line.unitPrice, price > .zero,
      line.report == .subscriber || line.isSubscription != true, let currency = line.currency
    else { return nil }
    self.init(
      day: line.day, productID: productID, storefront: line.storefront, currency: currency,
      offer: line.offer, price: price)
    isSettlement = line.report == .financeDetail
    if let amount = line.proceeds, amount > .zero {
      (proceeds, proceedsCurrency) = (amount, line.proceedsCurrency)
    }
  }
}
