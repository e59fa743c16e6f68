public import Amounts
public import CivilTime
public import PurchaseModel

extension PriceBook {
  /// Rebuilds a price book from its published parts, for a process that did not learn it.
  ///
  /// The verdicts on the reports are not included.
  ///
  /// - Parameters:
  ///   - parts: The prices in force, the currencies, and the price lists of storefronts; the
  ///     markets of their series are renumbered.
  public init(
    _ parts: PublishedPrices,
    markets: [(product: ProductID, currency: Currency, instalment: Instalment?)],
    catalogue: Catalogue
  ) {
    let markets = Markets(markets)
    let intervals = parts.intervals.compactMap { interval in
      markets.index(interval.productID, interval.currency, interval.instalment).map { market in
        var interval = interval
        interval.series.market = market
        return interval
      }
    }
    var apart = StorefrontPriceLists()
    for place in parts.apart {
      apart.insert(place.storefront, in: place.currency, isListed: place.isListed)
    }
    self.init(
      markets: markets, apart: apart, history: PriceHistory(intervals, markets: markets.count),
      currencies: StorefrontCurrencies(learned: parts.currencies),
      reportVerdicts: ReportVerdicts(places: []),
      doubtedUnits: parts.doubtedUnits, catalogue: catalogue)
  }
}

// Initializers of learned values, for a process that reads them instead of learning.

extension PriceInterval {
  /// Creates an interval without votes; it has neither a start nor an end until they are set.
  public init(
    productID: ProductID, currency: Currency, kind: SeriesKind, storefront: Storefront?,
    price: Milliunits, lastReportedAt: Instant
  ) {
    self.init(
      productID: productID, currency: currency,
      series: SeriesKey(MarketIndex(0), kind, in: storefront), from: nil, to: nil,
      endsAtCatalogueDate: false, price: price, paymentMode: nil,
      length: OfferLength(numberOfPeriods: nil, period: nil), voters: 0, reports: 0,
      rejectedReports: 0, firstReport: nil, lastReportedAt: lastReportedAt)
  }
}

extension LearnedCurrency {
  /// Creates the currency of a storefront for all times.
  public init(_ currency: Currency, of storefront: Storefront) {
    self.init(storefront: storefront, from: nil, to: nil, currency: currency)
  }
}

extension SeparateStorefront {
  /// Creates a storefront whose own price list was found from reports.
  public init(_ storefront: Storefront, in currency: Currency) {
    self.init(currency: currency, storefront: storefront, isListed: false)
  }
}

extension ReportVerdict.Outvoting {
  /// Creates the result of a vote in which a report's price loses.
  public init(by inForce: Int32, for priceInForce: Milliunits, against same: Int32) {
    self.init(priceInForce: priceInForce, inForce: inForce, same: same)
  }
}
