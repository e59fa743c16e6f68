public import Purchases
public import Amounts
public import CivilTime
public import PriceLearning
public import PurchaseModel

/// Renewals of one chain after an unexplained price rise.
///
/// The catalogue must state whether existing subscribers pay the new price.
public struct UnexplainedPriceRise: Hashable, BitwiseCopyable, Sendable {
  /// The position of the chain in the purchase history.
  public var chain: ChainPosition
  /// The product of the renewals.
  public var productID: ProductID
  /// The currency of both prices.
  public var currency: Currency
  /// The storefront, if it has its own price list; `nil` for the list of all other storefronts.
  public var storefront: Storefront?
  /// The time from which the new price was in force, UTC.
  public var from: Instant
  /// The price before the rise; the lowest if the chain's rows had several older prices.
  public var oldPrice: Milliunits
  /// The price after the rise.
  public var newPrice: Milliunits
  /// The number of rows that are unresolved because of the rise; at least 1.
  public var rows: Int
  /// The instalment whose price rose; `nil` for the price of a whole period.
  public var instalment: Instalment?

  /// Creates a rise from its fields.
  public init(
    chain: ChainPosition, productID: ProductID, currency: Currency, storefront: Storefront?,
    from: Instant, oldPrice: Milliunits, newPrice: Milliunits, rows: Int,
    instalment: Instalment? = nil
  ) {
    self.instalment = instalment
    self.chain = chain
    self.productID = productID
    self.currency = currency
    self.storefront = storefront
    self.from = from
    self.oldPrice = oldPrice
    self.newPrice = newPrice
    self.rows = rows
  }

  /// Returns true if both values describe the same price rise; their old prices may differ.
  func isSame(as other: UnexplainedPriceRise) -> Bool {
    productID == other.productID && currency == other.currency && storefront == other.storefront
      && from == other.from && instalment == other.instalment
  }
}

/// A question to the catalogue's owner: one price rise, with the unresolved rows of all chains.
///
/// Example: `pro.monthly` rose from 9.99 to 12.99 USD on May 5, 2024, and for 311 renewals there is
/// no evidence whether existing subscribers pay the new price.
public struct PriceChangeQuestion: Hashable, Sendable {
  /// The product of the renewals.
  public var productID: ProductID
  /// The currency of both prices.
  public var currency: Currency
  /// The storefront, if it has its own price list; `nil` for the list of all other storefronts.
  public var storefront: Storefront?
  /// The first day of the new price in the price history, UTC.
  public var from: CivilDay
  /// The list price just before the rise; if unknown, the lowest earlier price of the rows.
  public var oldPrice: Milliunits
  /// The price after the rise.
  public var newPrice: Milliunits
  /// The number of unresolved rows, at least 1.
  public var rows: Int

  /// Merges the rises of all chains into one question per price rise.
  ///
  /// The questions are sorted by product, currency, storefront and day.
  public static func all(_ unexplainedRises: [UnexplainedPriceRise], prices: PriceBook)
    -> [PriceChangeQuestion]
  {
    let sorted = unexplainedRises.sorted {
      ($0.productID, $0.currency, $0.storefront?.rawValue ?? 0, $0.from, $0.instalment?.count ?? 1)
        < (
          $1.productID, $1.currency, $1.storefront?.rawValue ?? 0, $1.from,
          $1.instalment?.count ?? 1
        )
    }
    var all: [PriceChangeQuestion] = []
    var last: UnexplainedPriceRise?
    for rise in sorted {
      if last?.isSame(as: rise) == true {
        all[all.count - 1].oldPrice = min(all[all.count - 1].oldPrice, rise.oldPrice)
        all[all.count - 1].rows += rise.rows
      } else {
        all.append(
          PriceChangeQuestion(
            productID: rise.productID, currency: rise.currency,
            storefront: rise.storefront, from: rise.from.day,
            oldPrice: rise.oldPrice, newPrice: rise.newPrice, rows: rise.rows))
      }
      last = rise
      // Uses the list price just before the change, not an older price that some customers kept.
      let before = rise.from.advanced(by: Milliseconds(-1))
      if let market = prices.markets.index(rise.productID, rise.currency, rise.instalment),
        let common = prices.priceInForce(market, in: rise.storefront, at: before)
      {
        all[all.count - 1].oldPrice = common.price
      }
    }
    return all
  }
}
