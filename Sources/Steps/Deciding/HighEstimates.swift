internal import Amounts
internal import CivilTime
internal import ExchangeRates
internal import PaidAmounts
internal import PriceLearning
internal import PurchaseModel
internal import Purchases
internal import Synchronization

/// The highest price of each product on a day in any storefront, in the reporting currency.
///
/// Example: a product costs 999 JPY and 9.99 USD, and a dollar is 150 JPY on that day → 9.99 USD.
/// Results are cached, because many rows need them; they depend only on the price book, the rates
/// and the day.
final class HighestPrices: Sendable {
  private struct Key: Hashable {
    var product: ProductID
    var day: CivilDay
    var times: Int64
  }

  private let prices: PriceBook
  private let reporting: ReportingCurrency
  private let markets: [ProductID: [MarketIndex]]
  private let known = Mutex<[Key: Micros?]>([:])

  init(_ prices: PriceBook, _ reporting: ReportingCurrency) {
    self.prices = prices
    self.reporting = reporting
    markets = Dictionary(
      grouping: (0..<Int32(prices.markets.count)).map(MarketIndex.init),
      by: prices.markets.product)
  }

  /// Finds the highest price of some units and periods; `nil` if no price can be converted.
  ///
  /// The whole amount is rounded, not each unit.
  func price(of product: ProductID, times: Int64, on day: CivilDay) throws(AmountError) -> Micros? {
    let key = Key(product: product, day: day, times: times)
    if let price = known.withLock({ $0[key] }) { return price }
    var highest: Micros?
    for market in markets[product] ?? [] {
      let lists = Set(prices.lists(of: market, for: nil) + [nil])
      for list in lists {
        for time in [day.start, day.advanced(by: 1).start.advanced(by: Milliseconds(-1))] {
          guard let price = prices.highestPrice(market, in: list, at: time),
            let converted = try reporting.converted(
              price.multiplied(by: times), from: prices.markets.currency(market), on: day)
          else { continue }
          highest = max(highest ?? .zero, converted.micros)
        }
      }
    }
    known.withLock { [highest] in $0[key] = .some(highest) }
    return highest
  }
}

extension HighestPrices {
  /// Estimates upper bounds, in the reporting currency, for unresolved rows without an upper bound.
  ///
  /// The results are keyed by row. Example: a month of `pro` in an unknown country → the highest
  /// price of `pro` in any storefront on that day; an offer of three months → three times that
  /// price. Rows with status `conflict` have no estimate.
  func estimates(
    _ book: PurchaseHistory, _ timelines: BillingTimelines, _ amounts: PaidAmountResults
  ) throws(AmountError) -> [Int: Micros] {
    var estimates: [Int: Micros] = [:]
    for (row, amount) in amounts.amounts.enumerated()
    where amount.status == .unresolved && amount.high == nil {
      let purchase = book.purchases[row]
      guard let periods = periods(of: purchase, timelines.rows[row], timelines) else { continue }
      let (times, overflow) = periods.multipliedReportingOverflow(
        by: Int64(max(1, purchase.quantity)))
      guard !overflow else { throw .overflow }
      estimates[row] = try price(
        of: purchase.productID, times: times, on: purchase.purchasedAt.day)
    }
    return estimates
  }

  /// Computes the number of product periods that a row covers: 1 for a row without an offer.
  ///
  /// `nil` if the length of the offer or the period of the product is unknown.
  private func periods(
    of purchase: Purchase, _ timeline: BillingTimeline, _ timelines: BillingTimelines
  ) -> Int64? {
    guard timeline.kind.isOffer else { return 1 }
    guard timeline.coveredPeriod != nil, let usual = timelines.productPeriods[purchase.productID]
    else { return nil }
    return Int64(usual.count(in: purchase.endsAt.since(purchase.purchasedAt)))
  }
}
