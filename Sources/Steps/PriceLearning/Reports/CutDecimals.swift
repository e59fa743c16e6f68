internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds reports whose prices lost their decimals.
///
/// Some apps read a price from the text on the screen, and stop at the decimal comma: 12,99 becomes
/// 12. Some servers round prices to whole numbers: 12.99 becomes 13. Such a price is near the true
/// price, so only the pattern shows the fault.
extension PriceInference {
  /// A report whose prices lost their decimals, and the price that others report.
  struct CutReport: Sendable {
    var position: ReportPosition
    var whole: Milliunits
    var storefront: Storefront?
  }

  /// The time before and after a report in which others must report the price with decimals: 90
  /// days.
  private static let reachOfDecimals = Milliseconds.days(90)
  /// The minimum number of other voters for the price with decimals.
  private static let leastWithDecimals = 2
  /// The minimum number of products, or of storefronts, in which a currency has such reports.
  private static let leastSpread = (products: 2, storefronts: 3)

  /// Finds the reports whose prices are all whole, and whose regular price is a price that at least
  /// two other voters report within 90 days, cut or rounded.
  ///
  /// A price that was rounded up may also be the next price. So two other voters must report the
  /// price with decimals at or before the report, and two at or after it.
  ///
  /// The reports are returned only if the currency has them for two products or in three
  /// storefronts; otherwise the price may have changed.
  ///
  /// Example: 12 EUR where others report 12.99 EUR, and 4 EUR for another product at 4.99 EUR.
  func findCutDecimals() -> [CutReport] {
    let found = inParallel(markets.count, workers: workers) { cutReports(of: markets[$0]) }
    var products: [Currency: Set<ProductID>] = [:]
    var storefronts: [Currency: Set<Storefront>] = [:]
    for (market, reports) in zip(markets, found) where !reports.isEmpty {
      let currency = table.markets.currency(market)
      products[currency, default: []].insert(table.markets.product(market))
      storefronts[currency, default: []].formUnion(reports.compactMap(\.storefront))
    }
    return zip(markets, found).flatMap { market, reports -> [CutReport] in
      let currency = table.markets.currency(market)
      let isSpread =
        products[currency]?.count ?? 0 >= Self.leastSpread.products
        || storefronts[currency]?.count ?? 0 >= Self.leastSpread.storefronts
      return isSpread ? reports : []
    }
  }

  /// Finds the reports of one market; each report at most once.
  private func cutReports(of market: MarketIndex) -> [CutReport] {
    var byPrice: [Int64: [MarketReport]] = [:]
    let reports = members[market]
    guard reports.contains(where: { $0.price % 1000 == 0 }),
      reports.contains(where: { $0.price % 1000 != 0 })
    else { return [] }
    for report in reports { byPrice[report.price, default: []].append(report) }
    var found: [ReportPosition: CutReport] = [:]
    for (price, witnesses) in byPrice.sorted(by: { $0.key < $1.key }) where price % 1000 != 0 {
      let cut = price - price % 1000
      var suspects: [MarketReport] = []
      if cut > 0, let same = byPrice[cut] {
        suspects = Self.contradicted(same, by: witnesses, Self.around)
      }
      if price % 1000 >= 500, let same = byPrice[cut + 1000] {
        let before = Self.contradicted(same, by: witnesses, Self.before)
        suspects += Self.contradicted(before, by: witnesses, Self.after)
      }
      for report in suspects
      where found[report.position] == nil && hasOnlyWholePrices(report.position) {
        found[report.position] = CutReport(
          position: report.position, whole: Milliunits(price), storefront: report.place)
      }
    }
    return found.values.sorted { $0.position < $1.position }
  }

  /// Returns true if a report is not signed and has no price with decimals.
  private func hasOnlyWholePrices(_ position: ReportPosition) -> Bool {
    let report = table.placed[position.index]
    return !report.isSigned
      && table.offers[report.offers].allSatisfy { $0.price.rawValue % 1000 == 0 }
  }

  /// The times of witnesses relative to a report, in milliseconds: within 90 days, and the halves
  /// of this time.
  private static let around = before.lowerBound...after.upperBound
  private static let before = -reachOfDecimals.rawValue...0
  private static let after = 0...reachOfDecimals.rawValue

  /// The reports near which enough other voters are among the witnesses; both are sorted by time.
  private static func contradicted(
    _ reports: [MarketReport], by witnesses: [MarketReport], _ reach: ClosedRange<Int64>
  ) -> [MarketReport] {
    var (low, high) = (0, 0)
    var near: [Voter: Int] = [:]
    return reports.filter { report in
      while high < witnesses.count, witnesses[high].time - report.time <= reach.upperBound {
        near[witnesses[high].voter, default: 0] += 1
        high += 1
      }
      while low < high, witnesses[low].time - report.time < reach.lowerBound {
        let left = near[witnesses[low].voter, default: 0] - 1
        near[witnesses[low].voter] = left == 0 ? nil : left
        low += 1
      }
      let others = near.count - (near[report.voter] == nil ? 0 : 1)
      return others >= leastWithDecimals
    }
  }
}
