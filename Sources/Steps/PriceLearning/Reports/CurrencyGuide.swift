internal import Amounts
internal import PurchaseModel

/// What a price should be about, by what the product costs in other currencies.
///
/// A report without any reference is compared with the guide of its market (RULES section 3,
/// "Plausibility", 2): the product's commonest price in another currency, converted by what other
/// products commonly cost in both; of all such values the median.
///
/// For example `pro` commonly costs 9.99 USD, and `plus`, `coins` and `news` cost as many yen a
/// dollar as 120, 121 and 125: the guide of `pro` in JPY is about 1,209.
struct CurrencyGuide: Sendable {
  /// How many values it takes.
  static let leastValues = 3

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

  /// The guide for a market in thousandths; `nil` where too few values can be had.
  func price(of market: MarketIndex) -> Int64? {
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
    guard values.count >= Self.leastValues else { return nil }
    values.sort()
    return values[(values.count - 1) / 2]
  }

  private func commonPrice(_ market: MarketIndex) -> Int64? { commonest[Int(market.rawValue)] }

  /// `price × here ÷ there`, rounded down; `nil` where that does not fit.
  private static func converted(_ price: Int64, _ here: Int64, _ there: Int64) -> Int64? {
    let product = UInt64(price).multipliedFullWidth(by: UInt64(here))
    let divisor = UInt64(there)
    guard product.high < divisor else { return nil }
    return Int64(exactly: divisor.dividingFullWidth(product).quotient)
  }
}
