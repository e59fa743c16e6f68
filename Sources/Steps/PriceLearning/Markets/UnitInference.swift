internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds the storefronts in which the unit of prices is doubtful.
extension PriceInference {
  private struct Place: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// A doubtful unit, and the reports that are rejected because of the doubt.
  struct UnitDoubt: Sendable {
    var unit: DoubtedUnit
    var reports: [ReportPosition]
  }

  /// Finds the storefronts in which, according to most customers, the prices of at least two
  /// products changed by the same power of ten.
  ///
  /// Leaves out a storefront if the catalogue or a signed price shows the right unit.
  func findUnitDoubts() -> [UnitDoubt] {
    let found = inParallel(markets.count, workers: workers) { number in
      reportsByStorefront(of: markets[number]).filter { UnitChangeSearch.hasSeveralUnits($0.value) }
        .keys.sorted()
    }
    var products: [Place: Int] = [:]
    for (market, storefronts) in zip(markets, found) {
      for storefront in storefronts {
        let currency = table.markets.currency(market)
        products[Place(storefront: storefront, currency: currency), default: 0] += 1
      }
    }
    // Few storefronts pass the previous check, so few reports are copied.
    let places = products.filter { $0.value >= UnitChangeSearch.leastProducts }.keys
      .sorted { ($0.currency, $0.storefront) < ($1.currency, $1.storefront) }
    return inParallel(places.count, workers: workers) { doubt(places[$0]) }.compactMap(\.self)
  }

  /// Groups the reports of a market by storefront, oldest first, without signed prices.
  private func reportsByStorefront(of market: MarketIndex) -> [Storefront: [MarketReport]] {
    var own: [Storefront: [MarketReport]] = [:]
    for report in members[market] {
      if let place = report.place, !report.isSigned {
        own[place, default: []].append(report)
      }
    }
    return own
  }

  private func doubt(_ place: Place) -> UnitDoubt? {
    let search = UnitChangeSearch(
      markets.filter { table.markets.currency($0) == place.currency }.map { market in
        (market, reportsByStorefront(of: market)[place.storefront] ?? [])
      })
    guard let change = search.change(), !isSettled(place, change) else { return nil }
    let from = Instant(milliseconds: change.from).day.start
    return UnitDoubt(
      unit: DoubtedUnit(
        storefront: place.storefront, currency: place.currency, from: from, factor: change.factor),
      reports: search.entries.lazy.filter {
        $0.report.time >= from.milliseconds && $0.factors.contains(change.factor)
      }.map(\.report.position))
  }

  /// Returns the doubts that remain after a comparison with the product's prices in other
  /// currencies.
  ///
  /// A rebased currency always loses zeros. So if prices rise tenfold or more, and all of them are
  /// then at least 20 times too high compared with other currencies, the app sends another unit,
  /// and the doubt is removed.
  /// Example: 10.99 EUR becomes 1099 EUR on most phones in Spain, while the product costs 11.99
  /// USD, 9.99 GBP and 49.99 PLN.
  func unsettled(_ doubts: [UnitDoubt]) -> [UnitDoubt] {
    guard doubts.contains(where: { $0.unit.factor.exponent < 0 }) else { return doubts }
    let guide = currencyGuide()
    return doubts.filter { doubt in
      guard doubt.unit.factor.exponent < 0 else { return true }
      let isOfOtherUnit = doubt.reports.map { position -> Bool? in
        let report = table.placed[position.index]
        return table.markets.index(of: report)
          .flatMap(guide.estimate)?.isOfOtherUnit(report.price.rawValue)
      }
      return !isOfOtherUnit.allSatisfy { $0 ?? false }
    }
  }

  /// Whether something shows the unit of a storefront's prices after a change by a power of ten.
  ///
  /// Any of these shows the unit: a price in the catalogue that begins near the change, a price in
  /// App Store Connect at that time, or a signed price of one of the products after the change.
  private func isSettled(_ place: Place, _ change: UnitChangeSearch.Change) -> Bool {
    change.markets.contains { market in
      let dates = CatalogueDates(
        table.catalogue.product(of: market, in: table.markets),
        rebased: table.catalogue.rebased(place.currency), currency: place.currency,
        storefront: place.storefront)
      let reach = UnitChangeSearch.reach.rawValue
      return dates.stretch(at: change.from - reach) != dates.stretch(at: change.from + reach)
        || listed.price(market, in: place.storefront, at: Instant(milliseconds: change.from)) != nil
        || members[market].contains {
          $0.isSigned && $0.place == place.storefront && $0.time >= change.from
        }
    }
  }
}
