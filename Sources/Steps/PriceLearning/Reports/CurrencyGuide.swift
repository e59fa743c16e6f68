internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// An estimate of a product's price in one currency from its prices in other currencies.
///
/// A report without any reference is compared with the guide of its market. The product's most
/// frequent prices in other currencies are converted by the prices of other products that are sold
/// in both currencies; the guide is the median of the results.
///
/// Example: `pro` usually costs 9.99 USD, and the prices of `plus`, `coins` and `news` are 120, 121
/// and 125 yen per dollar: the guide of `pro` in JPY is about 1,209.
///
/// If an app version sends all prices of a currency in another unit, this estimate is wrong by the
/// same factor. So a second, rough estimate converts by Apple's usual price levels. It is used if
/// the first estimate is missing. If it is based on at least three other currencies, it is also
/// used if the two differ by a factor of at least 8, or if the first is based on fewer than three
/// values.
///
/// A currency that the catalogue lists as rebased has only the rough estimate, in the old unit.
struct CurrencyGuide: Sendable {
  /// The minimum number of converted prices from which a guide is computed.
  static let leastValues = 3
  /// The minimum number of customers who must report a price before it is used for a guide.
  static let leastVoters = 2
  /// The factor between the two estimates from which the rough estimate is used instead of the
  /// first.
  static let factorOfLevels: Int64 = 8

  /// An estimated price in thousandths: the median of `values` converted prices.
  struct Estimate: Hashable, Sendable {
    var price: Int64
    var values: Int
    /// Whether the estimate is based only on Apple's usual price levels.
    var isRough = false

    /// Whether the estimate is based on the prices of other products, and on at least three values.
    var isFirm: Bool { values >= CurrencyGuide.leastValues && !isRough }

    /// Returns true if a price differs too much from the estimate.
    ///
    /// An estimate from three values or more refuses prices below a third or above three times the
    /// estimate. An estimate from fewer values, or only from Apple's usual price levels, refuses
    /// prices that are at least 20 times too high or too low.
    func refuses(_ price: Int64) -> Bool {
      if isFirm {
        return !Plausibility.isNear(price, self.price)
      }
      return isFarFrom(price, times: 20)
    }

    /// Returns true if a price is at least 20 times too high or too low, and the estimate has at
    /// least three values.
    func isOfOtherUnit(_ price: Int64) -> Bool {
      price > 0 && values >= CurrencyGuide.leastValues && isFarFrom(price, times: 20)
    }

    /// Converts the estimate to the unit that the currency has at a given time.
    ///
    /// `rebased` contains the days on which this currency was rebased.
    func inUnit(at time: Int64, _ rebased: [RebasedCurrency]) -> Estimate {
      var estimate = self
      for change in rebased where change.from.start.milliseconds <= time {
        for _ in 0..<change.factor.exponent.magnitude {
          estimate.price =
            change.factor.exponent > 0
            ? max(1, estimate.price / 10) : min(estimate.price, .max / 10) * 10
        }
      }
      return estimate
    }

    /// Returns true if a price is at least `factor` times too high or too low.
    fileprivate func isFarFrom(_ price: Int64, times factor: Int64) -> Bool {
      price / factor >= self.price || self.price / factor >= price
    }
  }

  /// The most frequent price of each market, in thousandths; `nil` without a price above 0.
  private let commonest: [Int64?]
  private let markets: Markets
  private let byProduct: [Item: [MarketIndex]]
  private let byCurrency: [Currency: [MarketIndex]]

  /// A product, or an instalment of it.
  private struct Item: Hashable {
    var product: ProductID
    var instalment: Instalment?

    init(_ market: MarketIndex, _ markets: Markets) {
      product = markets.product(market)
      instalment = markets.instalment(market)
    }
  }

  /// Reads the most frequent price of each market, indexed by ``MarketIndex``.
  init(commonest: [Int64?], markets: Markets) {
    self.commonest = commonest
    self.markets = markets
    let all = (0..<Int32(markets.count)).map(MarketIndex.init)
    byProduct = Dictionary(grouping: all) { Item($0, markets) }
    byCurrency = Dictionary(grouping: all, by: markets.currency)
  }

  /// The guide for a market in thousandths.
  ///
  /// `nil` with fewer than three values, or if there is only the rough estimate.
  func price(of market: MarketIndex) -> Int64? {
    estimate(of: market).flatMap { $0.isFirm ? $0.price : nil }
  }

  /// The estimate for a market from any number of values; `nil` without values.
  func estimate(of market: MarketIndex) -> Estimate? {
    let byProducts = estimateByProducts(of: market)
    guard let byLevels = estimateByLevels(of: market),
      byLevels.values >= Self.leastValues || byProducts == nil
    else { return byProducts }
    guard let byProducts, byProducts.values >= Self.leastValues,
      !byLevels.isFarFrom(byProducts.price, times: Self.factorOfLevels)
    else { return byLevels }
    return byProducts
  }

  /// Converts the product's most frequent prices in other currencies by Apple's usual price levels,
  /// and returns the median; `nil` without such a price.
  private func estimateByLevels(of market: MarketIndex) -> Estimate? {
    let currency = markets.currency(market)
    guard let here = PriceLevels.level(of: currency) else { return nil }
    let values = (byProduct[Item(market, markets)] ?? []).compactMap { same -> Int64? in
      guard same != market, let known = commonPrice(same),
        let there = PriceLevels.level(of: markets.currency(same))
      else { return nil }
      return Self.converted(known, here, there)
    }.sorted()
    guard !values.isEmpty else { return nil }
    return Estimate(price: values[(values.count - 1) / 2], values: values.count, isRough: true)
  }

  private func estimateByProducts(of market: MarketIndex) -> Estimate? {
    let currency = markets.currency(market)
    var values: [Int64] = []
    for same in byProduct[Item(market, markets)] ?? [] where same != market {
      guard let known = commonPrice(same) else { continue }
      for other in byCurrency[currency] ?? [] where other != market {
        let there = markets.index(of: other, in: markets.currency(same))
        guard let here = commonPrice(other), let there = there.flatMap({ commonPrice($0) }),
          let value = Self.converted(known, here, there)
        else { continue }
        values.append(value)
      }
    }
    guard !values.isEmpty else { return nil }
    values.sort()
    return Estimate(price: values[(values.count - 1) / 2], values: values.count)
  }

  private func commonPrice(_ market: MarketIndex) -> Int64? { commonest[Int(market.rawValue)] }

  /// `price × here ÷ there`, rounded down; `nil` on overflow.
  private static func converted(_ price: Int64, _ here: Int64, _ there: Int64) -> Int64? {
    let product = UInt64(price).multipliedFullWidth(by: UInt64(here))
    let divisor = UInt64(there)
    guard product.high < divisor else { return nil }
    return Int64(exactly: divisor.dividingFullWidth(product).quotient)
  }
}
