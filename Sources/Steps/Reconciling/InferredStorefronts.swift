internal import Amounts

extension Reconciliation {
  /// Moves unmatched rows whose storefront is only inferred to an unmatched charge of another
  /// storefront.
  ///
  /// The charge must have the row's currency, price and offer, on its day or a neighboring day. A
  /// row moves only if all such charges are in one storefront. The facts keep their storefront.
  ///
  /// Example: a row of 9.99 EUR on May 10, inferred to be in Germany, where Apple has no such
  /// charge. The only unmatched charge of 9.99 EUR on May 10 is in Austria.
  mutating func moveInferred(
    in markets: inout [StorefrontMarket: MarketComparison], _ appleReports: ReconciledReports
  ) {
    struct Place: Hashable {
      var productID: String
      var currency: Currency
    }
    let places = Dictionary(grouping: markets.keys.sorted()) {
      Place(productID: $0.productID, currency: $0.currency)
    }
    for (_, near) in places.sorted(by: { $0.value[0] < $1.value[0] }) where near.count > 1 {
      for market in near {
        for index in markets[market]?.movable ?? [] {
          guard let entry = markets[market]?.factCharges[index].entry else { continue }
          let fitting = near.filter { $0 != market }.compactMap { other in
            markets[other]?.fitting(near: entry).map { (other, $0) }
          }
          guard fitting.count == 1, let (other, charge) = fitting.first else { continue }
          markets[market]?.leaveOut(index)
          markets[other]?.addAssigned(entry, at: charge, refunds: [], appleReports)
        }
      }
    }
  }
}

extension MarketComparison {
  /// The unmatched rows of the facts whose storefront is only inferred and whose price is known.
  fileprivate var movable: [Int] {
    factCharges.indices.filter {
      factCharges[$0].match == nil && factCharges[$0].entry.isStorefrontInferred
        && factCharges[$0].entry.unitPrice ?? .zero > .zero
    }
  }

  /// The unmatched charge with the price and offer of a row, within a day of it; `nil` for none.
  fileprivate func fitting(near entry: ReconciliationEntry) -> Charge? {
    entry.nearDays.lazy.flatMap { byDay[$0, default: []] }.first {
      $0.price == entry.unitPrice && $0.offer == entry.offer && left(of: $0) >= entry.quantity
    }
  }
}
