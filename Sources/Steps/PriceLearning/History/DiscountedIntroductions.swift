internal import Amounts
internal import CivilTime
public import PurchaseModel

/// The introductory offers whose price clearly differs from the regular price in some currency.
///
/// Such an offer costs less than the regular price, or at least 1.5 times as much. If a report has
/// the same price for such an offer and for the regular price, its app sends the wrong price. So
/// the report is no evidence of the offer's price.
///
/// Example: a month costs 12.99 USD, and an offer of three months, paid up front, costs 24.99 USD.
/// Then a report with 59.99 RON for both the month and the offer is no evidence of the offer's
/// price. If an offer costs as much as one month in every currency, equal prices are accepted.
public struct DiscountedIntroductions: Hashable, Sendable {
  private struct Offer: Hashable {
    var productID: ProductID
    var mode: PaymentMode
    var length: OfferLength
  }

  private var offers: Set<Offer> = []

  init() {}

  init(_ intervals: [PriceInterval]) {
    struct List: Hashable {
      var productID: ProductID
      var currency: Currency
      var storefront: Storefront?
    }
    var regular: [List: [PriceInterval]] = [:]
    for interval in intervals
    where interval.series.kind == .regular && interval.instalment == nil {
      let list = List(
        productID: interval.productID, currency: interval.currency,
        storefront: interval.series.storefront)
      regular[list, default: []].append(interval)
    }
    for interval in intervals {
      guard case .introductory(let mode, let length) = interval.series.kind else { continue }
      let time = interval.lastReportedAt
      let prices = [interval.series.storefront, nil].compactMap { storefront in
        regular[
          List(
            productID: interval.productID, currency: interval.currency, storefront: storefront)]?
          .first { ($0.from ?? .distantPast) <= time && time < ($0.to ?? .distantFuture) }?.price
      }
      // Several periods paid up front may cost more than one period. And an offer equal to the
      // regular price costs slightly more than it after a small price cut. So a higher price is
      // found only if it is at least half as much again.
      if let price = prices.first,
        interval.price < price || 2 * interval.price.rawValue >= 3 * price.rawValue
      {
        offers.insert(Offer(productID: interval.productID, mode: mode, length: length))
      }
    }
  }

  /// Returns true for a paid introductory price that is no evidence, because it equals the regular
  /// price of the same report.
  ///
  /// An equal price is no evidence if the offer is paid period by period, or if the offer's price
  /// clearly differs from the regular price in some currency.
  public func refutes(_ offer: OfferPrice, beside regular: Int64, of product: ProductID)
    -> Bool
  {
    guard offer.offerID == nil, offer.price.rawValue == regular, offer.paymentMode != .freeTrial
    else { return false }
    let length = OfferLength(numberOfPeriods: offer.numberOfPeriods, period: offer.period)
    return offer.paymentMode == .payAsYouGo
      || offers.contains(Offer(productID: product, mode: offer.paymentMode, length: length))
  }
}
