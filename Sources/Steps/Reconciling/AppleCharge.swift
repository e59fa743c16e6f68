public import Amounts
public import AppleReports
public import CivilTime
public import PurchaseModel

/// A charge in Apple's reports that may prove the price of rows.
///
/// Example: `plus` in Germany on May 10 at 4.99 EUR, without an offer.
public struct AppleCharge: Hashable, Sendable {
  /// The day of the charge, in Pacific time.
  public var day: CivilDay
  /// The product that was sold.
  public var productID: String
  /// The storefront of the charge, from the report's country code.
  public var storefront: Storefront
  /// The currency of the price.
  public var currency: Currency
  /// The offer of the charge.
  public var offer: AppleOffer
  /// The price of one unit, above 0.
  public var price: Milliunits
  /// The developer's proceeds per unit, if reported.
  public var proceeds: Milliunits?
  /// The currency of the developer's proceeds.
  public var proceedsCurrency: Currency?
  /// Whether the charge comes from Finance Detail, which does not identify offers.
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

  /// Creates the charge of a report's line; `nil` for a refund, for free units and without a
  /// currency.
  ///
  /// A Sales report names an offer only by its type, such as `promotional offer`. So without a
  /// Subscriber report only regular and introductory prices can be proven.
  public init?(_ line: AppleReportLine, of productID: String) {
    guard !line.isRefund, let price = line.unitPrice, price > .zero, let currency = line.currency
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
