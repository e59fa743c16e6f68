internal import Amounts
internal import PurchaseModel

/// An estimate of a product's price from its prices in other currencies.
///
/// A report without any reference is compared with the guide of its market. The product's commonest
/// prices in other currencies are converted by the common prices of other products in both; the
/// guide is the median of these values.
///
/// For example `pro` commonly costs 9.99 USD, and `plus`, `coins` and `news` cost 120, 121 and 125
/// yen a dollar: the guide of `pro` in JPY is about 1,209.
struct CurrencyGuide: Sendable {
  /// The least number of values for a guide.
  static let leastValues = 3
  /// The least number of customers who report a price that is treated as a value.
  static let leastVoters = 2

  /// An estimate, in thousandths, and the number of values that it is the median of.
  struct Estimate: Hashable, Sendable {
    var price: Int64
    var values: Int

    /// Whether a price cannot be, with three values outside of [⅓, 3] times the estimate, with
    /// fewer 20 times too high or too low.
    func refuses(_ price: Int64) -> Bool {
      if values >= CurrencyGuide.leastValues { return !Plausibility.isNear(price, self.price) }
      return isFarFrom(price)
    }

    /// Whether a price is 20 times too high or too low beside at least three values.
    func isOfOtherUnit(_ price: Int64) -> Bool {
      price > 0 && values >= CurrencyGuide.leastValues && isFarFrom(price)
    }

    private func isFarFrom(_ price: Int64) -> Bool {
      price / 20 >= self.price || self.price / 20 >= price
    }
  }

  /// The commonest price of each market, in thousandths; `nil` for one without a price above 0.
  private let commonest: [Int64?]
  private let markets: Markets
  private let byProduct: [ProductID: [MarketIndex]]
  private let byCurrency: [Currency: [MarketIndex]]

  /// Reads the commonest prices of all markets, by ``MarketIndex``.
  init(commonest: [Int64?], markets: Markets) {
    self.commonest = commonest
    self.markets = markets
    let all = (0..<Int32(markets.count)).map(MarketIndex.init)
    byProduct = Dictionary(grouping: all, by: markets.product)
    byCurrency = Dictionary(grouping: all, by: markets.currency)
  }

  /// The guide for a market in thousandths; `nil` if too few values can be had.
  func price(of market: MarketIndex) -> Int64? {
    estimate(of: market).flatMap { $0.values >= Self.leastValues ? $0.price : nil }
  }

  /// The estimate for a market, of however few values; `nil` without any.
  func estimate(of market: MarketIndex) -> Estimate? {
    let product = markets.product(market)
    let currency = markets.currency(market)
    var values: [Int64] = []
    for same in byProduct[product] ?? [] where same != market {
      guard let known = commonPrice(same) else { continue }
      for other in byCurrency[currency] ?? [] where other != market {
        let there = markets.index(markets.product(other), markets.currency(same))
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

  /// `price × here ÷ there`, rounded down; `nil` if that does not fit.
  private static func converted(_ price: Int64, _ here: Int64, _ there: Int64) -> Int64? {
    let product = UInt64(price).multipliedFullWidth(by: UInt64(here))
    let divisor = UInt64(there)
    guard product.high < divisor else { return nil }
    return Int64(exactly: divisor.dividingFullWidth(product).quotient)
  }
}
