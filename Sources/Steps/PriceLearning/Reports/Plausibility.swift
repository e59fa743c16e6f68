internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Compares every report with the reports of others.
///
/// The reference of a report does not depend on the verdicts on other reports. So the order of
/// checks does not matter, and a false report cannot exclude the true reports.
enum Plausibility {
  /// The time before and after a report in which other reports may corroborate a price far from the
  /// reference: 30 days.
  static let corroborationReach = Milliseconds.days(30)
  /// The minimum number of voters who corroborate a price far from the reference.
  static let leastCorroborating: Int32 = 4
  /// The minimum number of other voters in a storefront for a reference from that storefront.
  static let leastAtPlace: Int32 = 3
  /// The minimum number of other voters behind a reference that can reject a report.
  static let leastSupporters: Int32 = 2

  /// The verdict on one report, with the values of its comparison.
  struct StoredVerdict: Sendable {
    var reference: Int64?
    var verdict: Verdict
    var position: ReportPosition
  }

  /// Checks the reports of one market.
  ///
  /// - Parameters:
  ///   - members: All reports of the market, oldest first.
  ///   - guide: An estimate of the price, or `nil`. A price far from the estimate is rejected if
  ///     the report has no reference, or only a single customer's price as its reference. A price
  ///     at least 20 times too high or too low is always rejected, unless it is near the list
  ///     price.
  ///   - dollars: The product's prices in US dollars; called at most once, and only if the guide
  ///     refuses a price. Such a price is an amount in dollars with the wrong currency.
  /// - Returns: The stored verdicts, in the order of the reports.
  static func verdicts(
    _ members: [MarketReport], product: Catalogue.Product?, rebased: [RebasedCurrency] = [],
    currency: Currency, guide: () -> CurrencyGuide.Estimate?, dollars: () -> Set<Int64> = { [] }
  ) -> [StoredVerdict] {
    guard !members.isEmpty else { return [] }
    func dates(_ place: Storefront?) -> CatalogueDates {
      CatalogueDates(product, rebased: rebased, currency: currency, storefront: place)
    }
    let everywhere = dates(nil)
    let places = byPlace(members).map { place, indices in
      (dates: dates(place), indices: indices)
    }
    let months = MonthlyPrice(product)
    var facts = members.map {
      Facts(listPrice: everywhere.listPrice(at: $0.time), months: months)
    }
    for place in places {
      for index in place.indices {
        let listPrice = place.dates.listPrice(at: members[index].time)
        facts[index] = Facts(listPrice: listPrice, months: months)
      }
    }
    compareMembers(Array(members.indices), of: members, dates: everywhere, least: 1, &facts)
    for place in places where place.indices.count > Int(leastAtPlace) {
      compareMembers(place.indices, of: members, dates: place.dates, least: leastAtPlace, &facts)
    }
    for place in places { markFalls(place.indices, of: members, &facts) }
    let known = guide()
    var inDollars: Set<Int64>?
    func isDollars(_ price: Int64, _ guide: CurrencyGuide.Estimate?) -> Bool {
      guard let guide, guide.isFirm, guide.refuses(price) else { return false }
      let prices = inDollars ?? dollars()
      inDollars = prices
      return prices.contains(price)
    }
    return members.indices.map { index in
      let price = members[index].price
      let known = known?.inUnit(at: members[index].time, rebased)
      var (verdict, reference) = facts[index].decide(price, guide: known) { isDollars($0, known) }
      // In a small country most customers may use one app version with the same fault.
      if verdict.isBelieved, known?.isOfOtherUnit(price) ?? false, !facts[index].isListed(price) {
        verdict = .unitError
      }
      if verdict.isBelieved, isDollars(price, known), !facts[index].isListed(price) {
        verdict = .outlier
      }
      return StoredVerdict(
        reference: reference, verdict: verdict, position: members[index].position)
    }
  }

  /// Compares a price with its reference; all amounts are in thousandths.
  ///
  /// Example with a reference of 9.99: 29.97 is believed, 30.00 is an outlier, 999 is a unit error.
  /// A regular price of 0 is never believed. Without a reference only the guide can reject a price.
  /// If a subscription is paid for three months or more at a time, the price of one month is an
  /// outlier.
  static func verdict(
    price: Int64, reference: Int64?, guide: CurrencyGuide.Estimate?, isCorroborated: Bool,
    months: MonthlyPrice? = nil
  ) -> Verdict {
    guard price > 0 else { return .outlier }
    guard let reference else { return guide?.refuses(price) ?? false ? .outlier : .noReference }
    if months?.isOneMonth(price, of: reference) ?? false { return .outlier }
    if isNear(price, reference) || isCorroborated { return .believed }
    return isOtherUnit(price, reference) ? .unitError : .outlier
  }

  /// Returns true if the ratio of two prices lies within 5 % of 100, 1,000 or their inverses.
  static func isOtherUnit(_ price: Int64, _ reference: Int64) -> Bool {
    guard price > 0, reference > 0 else { return false }
    for factor in [100, 1000] as [Int64] {
      let above = abs(price - factor * reference)
      if above * 20 <= factor * reference { return true }
      let below = abs(factor * price - reference)
      if below * 20 <= reference { return true }
    }
    return false
  }

  /// Returns true if a price lies between a third and three times another price.
  static func isNear(_ price: Int64, _ other: Int64) -> Bool {
    3 * price >= other && price <= 3 * other
  }

  /// The values that a report is compared with.
  private struct Facts {
    /// The most frequent price of other voters within 90 days.
    var near: References.Finding?
    /// The most frequent price of other voters in the whole stretch.
    var whole: References.Finding?
    let listPrice: Int64?
    let months: MonthlyPrice?
    var isCorroborated = false

    init(listPrice: CatalogueDates.ListPrice?, months: MonthlyPrice?) {
      self.listPrice = listPrice?.price.rawValue
      self.months = months
    }

    /// Returns true if a price differs from the list price by a factor of 100 or 1,000.
    ///
    /// Other reports with the same price do not confirm such a price: if an app sends cents, all
    /// its devices send the same wrong price.
    func isListedInOtherUnit(_ price: Int64) -> Bool {
      listPrice.map { Plausibility.isOtherUnit(price, $0) } ?? false
    }

    /// Returns true if a price is near the list price.
    func isListed(_ price: Int64) -> Bool {
      listPrice.map { Plausibility.isNear(price, $0) } ?? false
    }

    /// The reference: the price in other voters' reports, else the list price.
    ///
    /// If the list price differs from that price by a factor of 100 or 1,000, the list price is
    /// used.
    var reference: Int64? {
      guard let crowd = (near ?? whole)?.price else { return listPrice }
      if let listPrice, Plausibility.isOtherUnit(crowd, listPrice) { return listPrice }
      return crowd
    }

    /// Whether the reference may reject a report.
    ///
    /// At least two other voters must report the reference, or it must be the catalogue's list
    /// price.
    var isShared: Bool {
      guard let crowd = near ?? whole else { return true }
      if let listPrice, Plausibility.isOtherUnit(crowd.price, listPrice) { return true }
      if crowd.supporters >= Plausibility.leastSupporters { return true }
      guard let near, near.others < Plausibility.leastAtPlace, let whole else { return false }
      return whole.price == near.price && whole.supporters >= Plausibility.leastSupporters
    }

    /// Returns the verdict on a price, and the reference that the price was compared with.
    ///
    /// The price of a single other customer does not reject a report. If there are only two
    /// customers, with very different prices, one of the prices is wrong. Then the list price
    /// decides, or an estimate from other currencies that is near one of the prices. Otherwise both
    /// reports get the verdict ``Verdict/noReference``, with the other customer's price as their
    /// reference. Such reports decide no amount.
    func decide(
      _ price: Int64, guide: CurrencyGuide.Estimate?, isDollars: (Int64) -> Bool
    ) -> (Verdict, Int64?) {
      let usesCorroboration = isCorroborated && !isListedInOtherUnit(price)
      func verdict(_ reference: Int64?) -> Verdict {
        Plausibility.verdict(
          price: price, reference: reference, guide: guide, isCorroborated: usesCorroboration,
          months: months)
      }
      // If most reports are in a wrong unit, they cannot be the reference of a price in the right
      // unit.
      if price > 0, let reference, let guide, guide.isOfOtherUnit(reference),
        !isListed(reference), !guide.isOfOtherUnit(price)
      {
        return (verdict(nil), nil)
      }
      // The same holds if most reports are amounts in dollars.
      if let reference, !isListed(reference), !isDollars(price), isDollars(reference) {
        return (verdict(nil), nil)
      }
      guard price > 0, let reference, !isShared, !Plausibility.isNear(price, reference),
        !usesCorroboration
      else { return (verdict(reference), reference) }
      if let listPrice { return (verdict(listPrice), listPrice) }
      if verdict(nil) == .outlier { return (.outlier, reference) }
      let isSingleVoter = max(near?.others ?? 0, whole?.others ?? 0) == 1
      let isGuided = guide.map { Plausibility.isNear(price, $0.price) } ?? false
      return (.noReference, isSingleVoter && !isGuided ? reference : nil)
    }
  }

  /// Compares the reports of a group with each other, stretch by stretch.
  ///
  /// The group is a whole market or one storefront of it. Each report is compared with those within
  /// 90 days, and with those of the whole stretch; the result from 90 days has priority. Only
  /// results with at least `least` other voters are used. They replace the results of an earlier
  /// group, so a storefront's results replace those of its market.
  private static func compareMembers(
    _ indices: [Int], of members: [MarketReport], dates: CatalogueDates, least: Int32,
    _ facts: inout [Facts]
  ) {
    var start = 0
    while start < indices.count {
      let stretch = dates.stretch(at: members[indices[start]].time)
      var end = start + 1
      while end < indices.count, dates.stretch(at: members[indices[end]].time) == stretch {
        end += 1
      }
      let window = ReportWindow(indices[start..<end].map { members[$0] })
      let references = References(window)
      var isFar = false
      for (member, index) in indices[start..<end].enumerated() {
        if let near = references.near[member], near.others >= least {
          facts[index].near = near
        }
        if let whole = references.whole[member], whole.others >= least {
          facts[index].whole = whole
        }
        let price = members[index].price
        isFar = isFar || facts[index].reference.map { !isNear(price, $0) } ?? false
      }
      if isFar { corroborate(window, indices[start..<end], least: least, references, &facts) }
      start = end
    }
  }

  /// Marks the reports whose price is corroborated.
  ///
  /// A price is corroborated if at least `least` voters report exactly this price within 30 days of
  /// the report, and more voters report it than any other price.
  private static func corroborate(
    _ window: ReportWindow, _ indices: ArraySlice<Int>, least: Int32, _ references: References,
    _ facts: inout [Facts]
  ) {
    window.forEachMember(reach: corroborationReach) { member, tally in
      let isAsked = references.near[member].map { $0.others >= least } ?? (least == 1)
      guard isAsked else { return }
      facts[indices[indices.startIndex + member]].isCorroborated =
        tally.leads(window.price[member], atLeast: leastCorroborating)
    }
  }

  /// Marks the reports of a price below a third of the reference that began to apply in a
  /// storefront.
  ///
  /// Two voters of the storefront must report it at least seven days apart, and no voter there may
  /// report the reference after the first of these reports. A price that is a tenth, a hundredth or
  /// a thousandth of the reference may be in another unit, so it is never marked.
  ///
  /// Example: in March customers in Egypt report 99.99 EGP; from May on they report 24.99.
  private static func markFalls(
    _ indices: [Int], of members: [MarketReport], _ facts: inout [Facts]
  ) {
    var fallen: [Int64: [Int]] = [:]
    for index in indices {
      let price = members[index].price
      guard let reference = facts[index].reference, price > 0, 3 * price < reference,
        !isOtherUnit(price, reference), abs(10 * price - reference) * 20 > reference
      else { continue }
      fallen[price, default: []].append(index)
    }
    for (_, reports) in fallen {
      guard let first = reports.first, let last = reports.last,
        let reference = facts[first].reference
      else { continue }
      // The earliest and the latest report of two voters: one of them is the first or the last.
      let afterFirst = reports.last { members[$0].voter != members[first].voter }
      let beforeLast = reports.first { members[$0].voter != members[last].voter }
      let spans = [
        afterFirst.map { members[$0].time - members[first].time },
        beforeLast.map { members[last].time - members[$0].time },
      ].compactMap(\.self)
      guard spans.contains(where: { $0 >= shortestFall.rawValue }),
        !indices.contains(where: {
          members[$0].time > members[first].time && members[$0].price == reference
        })
      else { continue }
      for index in reports { facts[index].isCorroborated = true }
    }
  }

  /// The minimum time between two reports that show a fall: seven days.
  private static let shortestFall = Milliseconds.days(7)

  /// The reports of each known storefront, in their order.
  private static func byPlace(_ members: [MarketReport]) -> [(Storefront, [Int])] {
    var places: [Storefront: [Int]] = [:]
    for index in members.indices {
      if let place = members[index].place { places[place, default: []].append(index) }
    }
    return places.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
