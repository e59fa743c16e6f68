public import Amounts
public import CivilTime
public import PurchaseModel

/// The prices known from reports and the catalogue: the output of price learning.
///
/// It depends only on the placed reports and the catalogue, not on purchases or households.
public struct PriceBook: Sendable {
  /// All pairs of a product and a currency with a known price.
  public let markets: Markets
  /// The storefronts with price lists of their own.
  public let apart: StorefrontPriceLists
  /// The prices that were in force, each with its start and end.
  public let history: PriceHistory
  /// The currency of each storefront.
  public let currencies: StorefrontCurrencies
  /// The verdict on each placed report, in the order of the reports.
  public let reportVerdicts: ReportVerdicts
  /// The introductory offers that, in some currency, cost less than the regular price or at least
  /// 1.5 times as much.
  public let discounted: DiscountedIntroductions
  /// The storefronts in which the unit of prices is doubtful, sorted by currency, then storefront.
  public let doubtedUnits: [DoubtedUnit]
  /// The catalogue's prices and price changes for storefronts without separate ones, indexed by
  /// market.
  private let dates: [CatalogueDates]
  /// The catalogue's prices and price changes for each storefront that has separate ones.
  private let ownDates: [OwnList: CatalogueDates]
  private let listed: ListedPrices
  /// The rebased currencies, sorted by currency, then day.
  private let rebased: [RebasedCurrency]

  private struct OwnList: Hashable {
    var market: MarketIndex
    var storefront: Storefront
  }

  init(
    markets: Markets, apart: StorefrontPriceLists, history: PriceHistory,
    currencies: StorefrontCurrencies, reportVerdicts: ReportVerdicts, doubtedUnits: [DoubtedUnit],
    catalogue: Catalogue
  ) {
    discounted = DiscountedIntroductions(history.intervals)
    self.doubtedUnits = doubtedUnits
    self.markets = markets
    self.apart = apart
    rebased = catalogue.rebased
    let listed = ListedPrices(catalogue, markets: markets)
    self.listed = listed
    self.history = history.listing(listed, apart: apart, markets: markets)
    self.currencies = currencies
    self.reportVerdicts = reportVerdicts
    let catalogue = catalogue.adopting(self.history, apart, markets)
    let all = (0..<Int32(markets.count)).map(MarketIndex.init)
    dates = all.map { market in
      CatalogueDates(
        catalogue.product(of: market, in: markets),
        rebased: catalogue.rebased(markets.currency(market)), currency: markets.currency(market),
        storefront: nil)
    }
    var ownDates: [OwnList: CatalogueDates] = [:]
    for market in all {
      let product = catalogue.product(of: market, in: markets)
      for storefront in product?.storefronts(in: markets.currency(market)) ?? [] {
        ownDates[OwnList(market: market, storefront: storefront)] = CatalogueDates(
          product, rebased: catalogue.rebased(markets.currency(market)),
          currency: markets.currency(market), storefront: storefront)
      }
    }
    self.ownDates = ownDates
  }

  /// The price lists of a market that may apply in a storefront.
  ///
  /// - If the fetched list has a price of the market in the storefront, only the storefront's own
  ///   list applies.
  /// - If the storefront is unknown, and the fetched list has prices of the market, the list of
  ///   every storefront with its own list may apply, fetched or not.
  /// - Otherwise ``learnedLists(of:for:)`` decides.
  public func lists(of market: MarketIndex, for place: Storefront?) -> [Storefront?] {
    let own = listed.storefronts(of: market)
    guard !own.isEmpty else { return learnedLists(of: market, for: place) }
    guard let place else {
      return own + apart[markets.currency(market)].filter { !own.contains($0) }
    }
    return own.contains(place) ? [place] : learnedLists(of: market, for: place)
  }

  /// The price lists of a market that may apply in a storefront, according to reports and to prices
  /// and price changes that the owner entered.
  ///
  /// The fetched list is ignored.
  public func learnedLists(of market: MarketIndex, for place: Storefront?) -> [Storefront?] {
    apart.lists(for: place, in: markets.currency(market))
  }

  /// The catalogue's list price of a market in a price list, and the moment from which it applies.
  public func listPrice(_ market: MarketIndex, in list: Storefront?, at time: Instant)
    -> (price: Milliunits, from: Instant)?
  {
    dates(market, list).listPrice(at: time.milliseconds).map {
      ($0.price, Instant(milliseconds: $0.from))
    }
  }

  /// The catalogue's price changes of a price list, oldest first.
  ///
  /// Includes changes after `after` up to and including `through`.
  public func priceChanges(
    _ market: MarketIndex, in list: Storefront?, after: Instant, through: Instant
  ) -> [(at: Instant, existingSubscribers: ExistingSubscribers)] {
    dates(market, list).changes(after: after.milliseconds, through: through.milliseconds).map {
      (Instant(milliseconds: $0.from), $0.existingSubscribers)
    }
  }

  /// Returns true if the catalogue has a date for a price list after `after` and up to `through`,
  /// inclusive.
  public func hasCatalogueDate(
    _ market: MarketIndex, in list: Storefront?, after: Instant, through: Instant
  ) -> Bool {
    let dates = dates(market, list)
    return dates.stretch(at: after.milliseconds) != dates.stretch(at: through.milliseconds)
  }

  /// Returns true if the unit of prices is doubtful at the storefront and time of a purchase.
  public func isUnitDoubted(_ place: Storefront?, _ currency: Currency, at time: Instant) -> Bool {
    doubtedUnits.contains { $0.concerns(place, currency, at: time) }
  }

  /// Returns the times at which a currency was rebased, after `after` and up to `through`,
  /// inclusive.
  public func rebasings(of currency: Currency, after: Instant, through: Instant)
    -> [RebasedCurrency]
  {
    rebased.filter { $0.currency == currency && after < $0.from.start && $0.from.start <= through }
  }

  private func dates(_ market: MarketIndex, _ list: Storefront?) -> CatalogueDates {
    list.flatMap { ownDates[OwnList(market: market, storefront: $0)] }
      ?? dates[Int(market.rawValue)]
  }
}

extension Catalogue.Product {
  /// The storefronts for which the catalogue has separate prices or price changes in a currency.
  func storefronts(in currency: Currency) -> Set<Storefront> {
    Set(
      prices.filter { $0.currency == currency }.compactMap(\.storefront)
        + priceChanges.filter { $0.currency == currency }.compactMap(\.storefront))
  }
}
