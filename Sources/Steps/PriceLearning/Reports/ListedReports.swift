internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// The believed reports for one price list of a market.
///
/// If the market has separate price lists, the reports without a storefront form a group of their
/// own: they are compared with all reports of the market. A price is then in force only if no list
/// has another price.
struct ListedReports: Sendable {
  /// The believed reports of the list, oldest first.
  let members: [MarketReport]
  /// The number of other voters who must report the same price within 90 days to confirm a report.
  ///
  /// Usually two. Four in a storefront whose price list is known only from reports, because all
  /// these reports may be wrong.
  let leastOthers: Int32
  /// Whether this is the group that checks the reports without a storefront.
  ///
  /// Its ``members`` are all reports of the market.
  private let isOfUnknownPlace: Bool
  private let lists: [SeriesKey]
  private let dates: CatalogueDates

  /// Groups the believed reports of a market by price list.
  static func all(
    of market: MarketIndex, _ reports: [MarketReport], apart: StorefrontPriceLists,
    isBelieved: [Bool], markets: Markets, catalogue: Catalogue
  ) -> [ListedReports] {
    let currency = markets.currency(market)
    let product = catalogue.product(of: market, in: markets)
    let believed = reports.filter { isBelieved[$0.position.index] }
    var own: [PriceListName?: [MarketReport]] = [:]
    for report in believed {
      own[apart.list(for: report.place, in: currency), default: []].append(report)
    }
    return own.map { list, judged in
      let names = list.map { [$0.storefront] } ?? apart.lists(for: nil, in: currency)
      let isByReports =
        list?.storefront.map { apart.isByReports($0, in: currency) } ?? false
      return ListedReports(
        members: list == nil ? believed : judged,
        leastOthers: isByReports ? 4 : 2, isOfUnknownPlace: list == nil,
        lists: names.map { SeriesKey(market, .regular, in: $0) },
        dates: CatalogueDates(
          product, rebased: catalogue.rebased(currency), currency: currency,
          storefront: list?.storefront))
    }
  }

  /// The regular price in force at a moment, in thousandths; `nil` if there is none, or if the
  /// price lists differ.
  func priceInForce(at time: Int64, in history: PriceHistory) -> Int64? {
    var found: Int64?
    for list in lists {
      guard let price = history.interval(of: list, at: Instant(milliseconds: time))?.price
      else { continue }
      guard found == nil || found == price.rawValue else { return nil }
      found = price.rawValue
    }
    return found
  }

  /// The interval in force at a moment; `nil` if there is none, or if the price lists differ.
  ///
  /// If several lists have the price, returns the interval that ends first.
  func interval(at time: Int64, in history: PriceHistory) -> PriceInterval? {
    let found = lists.compactMap {
      history.interval(of: $0, at: Instant(milliseconds: time))
    }
    guard let first = found.first, found.allSatisfy({ $0.price == first.price }) else { return nil }
    return found.min { ($0.to ?? .distantFuture) < ($1.to ?? .distantFuture) }
  }

  /// Returns true if a report is checked in this group; false if it is only compared with other
  /// reports.
  ///
  /// The group for unknown storefronts contains all reports of the market, but checks only those
  /// without a storefront.
  func isChecked(_ report: MarketReport) -> Bool { !isOfUnknownPlace || report.place == nil }

  /// The reports of each stretch, as ranges of ``members``.
  var stretches: [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0
    while start < members.count {
      let stretch = dates.stretch(at: members[start].time)
      var end = start + 1
      while end < members.count, dates.stretch(at: members[end].time) == stretch { end += 1 }
      stretches.append(start..<end)
      start = end
    }
    return stretches
  }
}
