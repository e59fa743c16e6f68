internal import Amounts
internal import CivilTime
internal import Parallel
internal import PriceLearning
internal import PurchaseModel
internal import Purchases

/// One kind of price of a market, in all storefronts: regular, introductory, or of one offer.
struct PriceFamily: Hashable, Comparable, Sendable {
  private let rawValue: UInt64

  static func regular(_ market: MarketIndex) -> PriceFamily { PriceFamily(market, 0, 0) }
  static func introductory(_ market: MarketIndex) -> PriceFamily { PriceFamily(market, 1, 0) }
  static func offer(_ market: MarketIndex, _ offer: OfferID) -> PriceFamily {
    PriceFamily(market, 2, offer.symbol.rawValue)
  }

  private init(_ market: MarketIndex, _ kind: UInt64, _ name: UInt32) {
    rawValue = UInt64(market.rawValue) << 34 | kind << 32 | UInt64(name)
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One price of a placed report.
struct ReportedPrice: Hashable, Sendable {
  /// The position of the report in the batch.
  var position: ReportPosition
  /// The offer; `nil` for the regular price.
  var offer: OfferPosition?
}

/// The believed prices that each customer, chain and household reported, sorted by time.
struct OwnReports: Sendable {
  private struct Entry: Sendable, Timed {
    var owner: Int
    var family: PriceFamily
    var time: Int64
    var doubt: Int64
    var price: ReportedPrice

    var key: (PriceFamily, Int64, Int64, ReportPosition) { (family, time, doubt, price.position) }
  }

  /// The longest time after a purchase for which a report still shows its price: 24 hours.
  static let grace = Milliseconds.hours(24)

  private var customerNumbers: [CustomerID: Int] = [:]
  private let byCustomer: Grouping<Entry>
  private let byChain: Grouping<Entry>
  private let byHousehold: Grouping<Entry>

  /// Collects the prices of the believed reports that others do not outnumber.
  init(
    _ batch: HouseholdBatch, _ named: NamedRows, reportVerdicts: [ReportVerdict], prices: PriceBook
  ) {
    var ofCustomers: [Entry] = []
    var ofChains: [Entry] = []
    var ofHouseholds: [Entry] = []
    for (position, own) in batch.reports.enumerated()
    where reportVerdicts[position].isBelieved && !reportVerdicts[position].isOutnumbered {
      let report = own.report
      let instalment = reportVerdicts[position].instalment
      guard let market = prices.markets.index(report.productID, report.currency, instalment)
      else { continue }
      let doubt = doubt(madeAt: report.reportedAt, placedAt: own.time, isBelieved: true)
      let reportedPrices = Self.prices(
        in: report, at: ReportPosition(position), market,
        offerMarket: prices.markets.index(report.productID, report.currency) ?? market,
        batch.offers, prices.discounted)
      for (family, price) in reportedPrices
      where !Self.isReplayed(
        price, own, batch.offers, market, in: reportVerdicts[position].place, prices)
      {
        var entry = Entry(
          owner: 0, family: family, time: own.time.milliseconds, doubt: doubt, price: price)
        if let customer = own.customer {
          let number = customerNumbers[customer] ?? customerNumbers.count
          customerNumbers[customer] = number
          entry.owner = number
          ofCustomers.append(entry)
        }
        if let chain = named.chain[position] {
          entry.owner = chain.index
          ofChains.append(entry)
        }
        if let household = own.household {
          entry.owner = Int(household.rawValue)
          ofHouseholds.append(entry)
        }
      }
    }
    byCustomer = Grouping(
      ofCustomers, count: customerNumbers.count, by: { $0.owner }, orderedBy: { $0.key < $1.key })
    byChain = Grouping(
      ofChains, count: batch.book.chains.count, by: { $0.owner }, orderedBy: { $0.key < $1.key })
    byHousehold = Grouping(
      ofHouseholds, count: batch.households, by: { $0.owner }, orderedBy: { $0.key < $1.key })
  }

  /// Returns true if a report has the price of the day of the report, not of the day of its
  /// purchase.
  ///
  /// Always false for a report made within a day of its purchase.
  private static func isReplayed(
    _ price: ReportedPrice, _ own: HouseholdReport, _ offers: OfferLists, _ market: MarketIndex,
    in place: Storefront?, _ prices: PriceBook
  ) -> Bool {
    guard own.isLate else { return false }
    let offer = price.offer.map { offers[$0] }
    return prices.series(of: offer, in: market, place: place).map {
      prices.history.isReplayed(offer?.price ?? own.report.price, of: $0, by: own)
    } ?? false
  }

  /// The latest price at or before a moment, else the first within 24 hours after the moment.
  ///
  /// Searches the customer's reports. If they lack the price, searches the chain's, then the
  /// household's.
  func nearest(
    to time: Instant, family: PriceFamily, chain: ChainPosition, customer: CustomerID?,
    household: HouseholdNumber?
  ) -> ReportedPrice? {
    customer.flatMap { customerNumbers[$0] }.flatMap {
      Self.nearest(to: time, family: family, in: byCustomer, $0)
    } ?? Self.nearest(to: time, family: family, in: byChain, chain.index)
      ?? household.flatMap {
        Self.nearest(to: time, family: family, in: byHousehold, Int($0.rawValue))
      }
  }

  /// All prices in a price family that the household's own reports state, oldest first.
  func all(family: PriceFamily, household: HouseholdNumber?) -> [ReportedPrice] {
    guard let household else { return [] }
    let range = Self.range(of: family, in: byHousehold, Int(household.rawValue))
    return byHousehold.items[range].map(\.price)
  }

  /// Returns the prices in a report, each with its family.
  ///
  /// `market` is the market of the regular price, and `offerMarket` that of the offers.
  /// Leaves out free trials, and introductory prices that only repeat the regular price
  /// (``DiscountedIntroductions/refutes(_:beside:of:)``).
  private static func prices(
    in report: PriceReport, at position: ReportPosition, _ market: MarketIndex,
    offerMarket: MarketIndex, _ offers: OfferLists, _ discounted: DiscountedIntroductions
  ) -> [(PriceFamily, ReportedPrice)] {
    var prices = [(PriceFamily.regular(market), ReportedPrice(position: position, offer: nil))]
    for offer in report.offers.lazy.map(OfferPosition.init)
    where offers[offer].paymentMode != .freeTrial
      && !discounted.refutes(
        offers[offer], beside: report.price.rawValue, of: report.productID)
    {
      let family =
        offers[offer].offerID.map { PriceFamily.offer(offerMarket, $0) }
        ?? .introductory(offerMarket)
      prices.append((family, ReportedPrice(position: position, offer: offer)))
    }
    return prices
  }

  private static func range(
    of family: PriceFamily, in entries: borrowing Grouping<Entry>, _ owner: Int
  ) -> Range<Int> {
    let range = entries[owner]
    let start = entries.items.firstPosition(in: range) { $0.family >= family }
    let end = entries.items.firstPosition(in: start..<range.upperBound) { $0.family > family }
    return start..<end
  }

  private static func nearest(
    to time: Instant, family: PriceFamily, in entries: borrowing Grouping<Entry>, _ owner: Int
  ) -> ReportedPrice? {
    let range = range(of: family, in: entries, owner)
    return entries.newest(at: time.milliseconds, grace: grace, in: range).map {
      entries.items[$0].price
    }
  }
}
