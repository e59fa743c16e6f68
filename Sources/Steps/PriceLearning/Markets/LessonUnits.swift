internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// The storefronts whose unit of money is in doubt.
extension PriceLesson {
  private struct Place: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// A doubt with the reports that it refuses.
  struct UnitDoubt: Sendable {
    var unit: DoubtedUnit
    /// The reports in the other unit.
    var reports: [ReportPosition]
  }

  /// Finds the storefronts in which most customers report the same factor in at least two products,
  /// while neither the catalogue nor a signed price shows which unit is right.
  func findUnitDoubts() -> [UnitDoubt] {
    let searched = inParallel(markets.count, workers: workers) { number in
      let market = markets[number]
      var own: [Storefront: [MarketReport]] = [:]
      for report in members[market] {
        if let place = report.place, !table.placed[report.position.index].isSigned {
          own[place, default: []].append(report)
        }
      }
      return own
    }
    var places: [Place: [(market: MarketIndex, reports: [MarketReport])]] = [:]
    for (market, own) in zip(markets, searched) {
      for (storefront, reports) in own {
        let place = Place(storefront: storefront, currency: table.markets.currency(market))
        places[place, default: []].append((market, reports))
      }
    }
    let all = places.filter { $0.value.count >= UnitChangeSearch.leastProducts }
      .sorted { ($0.key.currency, $0.key.storefront) < ($1.key.currency, $1.key.storefront) }
    return inParallel(all.count, workers: workers) { doubt(all[$0].key, all[$0].value) }
      .compactMap(\.self)
  }

  private func doubt(_ place: Place, _ reports: [(market: MarketIndex, reports: [MarketReport])])
    -> UnitDoubt?
  {
    let search = UnitChangeSearch(reports)
    guard let change = search.change(), !isSettled(place, change) else { return nil }
    let from = Instant(milliseconds: change.from).day.start
    return UnitDoubt(
      unit: DoubtedUnit(
        storefront: place.storefront, currency: place.currency, from: from, factor: change.factor),
      reports: search.entries.lazy.filter {
        $0.report.time >= from.milliseconds && $0.factors.contains(change.factor)
      }.map(\.report.position))
  }

  /// Whether the catalogue has a date or a fetched price there, or Apple signed a price of one of
  /// the products since.
  private func isSettled(_ place: Place, _ change: UnitChangeSearch.Change) -> Bool {
    change.markets.contains { market in
      let dates = CatalogueDates(
        table.catalogue.products[table.markets.product(market)],
        rebased: table.catalogue.rebased(place.currency), currency: place.currency,
        storefront: place.storefront)
      let reach = UnitChangeSearch.reach.rawValue
      return dates.stretch(at: change.from - reach) != dates.stretch(at: change.from + reach)
        || listed.price(market, in: place.storefront, at: Instant(milliseconds: change.from)) != nil
        || members[market].contains {
          table.placed[$0.position.index].isSigned && $0.place == place.storefront
            && $0.time >= change.from
        }
    }
  }
}
