internal import Amounts
internal import Parallel
internal import PurchaseModel

/// Finds price lists of single storefronts, and reports with a contested storefront.
extension PriceInference {
  /// The storefronts with a list of their own according to the reports or the catalogue.
  func separateStorefronts(_ isBelieved: [Bool]) -> StorefrontPriceLists {
    var apart = StorefrontPriceLists()
    for product in table.catalogue.products.values {
      // The fetched list does not separate a storefront before the list begins.
      let fetched = Set(product.prices.lazy.filter(\.isFetched).map(\.storefront))
      for price in product.prices where !fetched.contains(price.storefront) {
        if let storefront = price.storefront {
          apart.insert(storefront, in: price.currency, isListed: true)
        }
      }
      for change in product.priceChanges where !fetched.contains(change.storefront) {
        if let storefront = change.storefront {
          apart.insert(storefront, in: change.currency, isListed: true)
        }
      }
    }
    let dollar = Currency("USD")
    let found = inParallel(markets.count, workers: workers) { number in
      let market = markets[number]
      let dollars =
        table.markets.currency(market) == dollar
        ? nil : dollar.flatMap { table.markets.index(of: market, in: $0) }
      return PriceListDetector(
        believed(market, isBelieved),
        currency: table.markets.currency(market),
        product: table.catalogue.product(of: market, in: table.markets),
        rebased: table.catalogue.rebased(table.markets.currency(market))
      ).storefronts { dollars.map { believed($0, isBelieved) } ?? [] }
    }
    for (number, storefronts) in found.enumerated() {
      for storefront in storefronts {
        apart.insert(storefront, in: table.markets.currency(markets[number]))
      }
    }
    return apart
  }

  /// The believed reports of a market, oldest first.
  ///
  /// If the household's nearest export record shows another storefront than a report, the report is
  /// returned without its storefront.
  private func believed(_ market: MarketIndex, _ isBelieved: [Bool]) -> [MarketReport] {
    members[market].compactMap { report in
      guard isBelieved[report.position.index] else { return nil }
      var report = report
      if report.hasRival { report.place = nil }
      return report
    }
  }

  /// Marks reports as contested if the price list of their ``PlacedReport/rivalPlace`` is another
  /// list than that of their storefront.
  ///
  /// If the fetched list has a price for both storefronts, these prices are compared instead.
  func contest(_ reportVerdicts: inout ReportVerdicts, apart: StorefrontPriceLists) {
    for (position, report) in table.placed.enumerated() {
      guard report.setAside == nil, let place = report.place, let rival = report.rivalPlace,
        let market = table.markets.index(of: report)
      else { continue }
      let fetched = [place, rival].map { listed.price(market, in: $0, at: report.time) }
      let isOther =
        fetched.contains(nil)
        ? apart.lists(for: place, in: report.currency)
          != apart.lists(for: rival, in: report.currency)
        : fetched[0] != fetched[1]
      if isOther {
        reportVerdicts.setVerdict(ReportPosition(position), .contestedPlace, reference: nil)
      }
    }
  }
}
