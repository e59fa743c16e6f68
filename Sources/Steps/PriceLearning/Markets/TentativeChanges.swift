internal import CivilTime
internal import PurchaseModel

extension Catalogue {
  /// The time within which an app's price must rise after the day of a price change that names no
  /// app: 30 days.
  fileprivate static let reach = Milliseconds.days(30)

  /// Returns the catalogue with the price changes without an app that a history shows in an app.
  ///
  /// If several apps sell a product id, a change that names none of them may be about any of them.
  /// It is about an app whose regular price rises on the day of the change or up to 30 days later,
  /// in a price list of the change's storefront. Of several changes before a rise, only the last
  /// one is about it.
  ///
  /// Example: `pro.monthly` of two apps, and a change on May 18 without an app. The notes rise on
  /// May 21, the maps stay: the change is the notes'.
  func adopting(_ history: PriceHistory, _ apart: StorefrontPriceLists, _ markets: Markets)
    -> Catalogue
  {
    var adopted = self
    for (id, product) in products where !product.tentativeChanges.isEmpty {
      let changes = product.tentativeChanges.filter { change in
        guard let market = markets.index(id, change.currency),
          !product.priceChanges.contains(change)
        else { return false }
        return apart.lists(for: change.storefront, in: change.currency).contains { list in
          history.rises(of: SeriesKey(market, .regular, in: list)).contains {
            product.lastChange(before: $0, beside: change) == change
          }
        }
      }
      guard !changes.isEmpty else { continue }
      adopted.products[id]?.priceChanges = (product.priceChanges + changes).sorted {
        ($0.currency, $0.from) < ($1.currency, $1.from)
      }
    }
    return adopted
  }
}

extension Catalogue.Product {
  /// The last change up to 30 days before a rise, of those with the currency and storefront of
  /// another change.
  fileprivate func lastChange(before rise: Instant, beside other: Catalogue.PriceChange)
    -> Catalogue.PriceChange?
  {
    (priceChanges + tentativeChanges).filter {
      $0.currency == other.currency && $0.storefront == other.storefront
        && $0.from.start <= rise && rise.since($0.from.start) <= Catalogue.reach
    }.max { $0.from < $1.from }
  }
}

extension PriceHistory {
  /// The moments at which the price of a series rises.
  fileprivate func rises(of series: SeriesKey) -> [Instant] {
    let intervals = intervals(of: series)
    return zip(intervals, intervals.dropFirst()).compactMap { before, after in
      after.price > before.price ? after.from : nil
    }
  }
}
