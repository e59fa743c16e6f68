import Amounts
import CivilTime
import PriceLearning
import PurchaseModel

/// A price in force, as the naive version finds it.
struct PlainInterval {
  var from: Int64?
  var to: Int64?
  var endsAtCut: Bool
  var price: Int64
  /// The reports of the series within the interval.
  var reports: [PlainReport]
}

extension PlainReading {
  // MARK: The step function

  /// The intervals of a series: for each stretch, the step function with the lowest cost.
  ///
  /// Each contradicted vote costs 1, each step 2.5.
  static func intervals(
    _ series: [PlainReport], isBelieved: (PlainReport) -> Bool,
    isLate: (PlainReport) -> Bool = { _ in false }, cuts: [Int64], changeDates: [Int64] = [],
    listed: [(from: Int64, price: Int64)] = []
  ) -> [PlainInterval] {
    var found: [PlainInterval] = []
    for stretch in 0...cuts.count {
      let from = stretch > 0 ? cuts[stretch - 1] : nil
      let to = stretch < cuts.count ? cuts[stretch] : nil
      let inside = series.filter { report in
        (from.map { report.time >= $0 } ?? true) && (to.map { report.time < $0 } ?? true)
      }
      // The price of the next date of the catalogue is not in force before its day.
      let next = listed.last { $0.from == to }?.price
      let now = inside.first.flatMap { first in listed.last { $0.from <= first.time } }?.price
      let votes = inside.filter {
        isBelieved($0) && ($0.price != next || now == nil || next == now)
      }
      let prompt = votes.filter { !isLate($0) }
      var steps = steps(prompt.isEmpty ? votes : prompt)
      // Removes the step that is based on phones with a cached price from before a listed change.
      if let from, steps.count > 1, steps[0].price == found.last?.price {
        let isListed = listed.contains { $0.from == from && $0.price == steps[1].price }
        let delay = isListed ? days(120) : changeDates.contains(from) ? days(30) : 0
        if steps[1].from - from <= delay { steps.removeFirst() }
      }
      for (index, step) in steps.enumerated() {
        let start = index == 0 ? from : step.from
        let end = index + 1 < steps.count ? steps[index + 1].from : to
        found.append(
          PlainInterval(
            from: start, to: end, endsAtCut: index + 1 == steps.count && to != nil,
            price: step.price,
            reports: inside.filter { report in
              (start.map { report.time >= $0 } ?? true) && (end.map { report.time < $0 } ?? true)
            }))
      }
    }
    return found
  }

  /// The prices that can be in force, the best first.
  ///
  /// They have two voters; without these, only the most frequent price.
  private static func levels(_ votes: [PlainReport]) -> [Int64] {
    let groups = Dictionary(grouping: votes, by: \.price).sorted { left, right in
      let (first, second) = (voters(left.value), voters(right.value))
      return first != second
        ? first > second
        : left.value.count != right.value.count
          ? left.value.count > right.value.count : left.key < right.key
    }
    let shared = groups.filter { voters($0.value) >= 2 }
    return (shared.isEmpty ? Array(groups.prefix(1)) : shared).map(\.key)
  }

  /// The steps with the lowest cost, from a table of the cost of each level after each moment.
  ///
  /// A step begins at a vote for its price. If the cost is equal without a step, there is no step.
  /// Of levels with equal costs, the better level is in force.
  private static func steps(_ reports: [PlainReport]) -> [(from: Int64, price: Int64)] {
    let levels = levels(reports)
    guard !levels.isEmpty else { return [] }
    struct Vote: Hashable {
      var voter: Voter
      var price: Int64
      var day: Int64
    }
    var seen: Set<Vote> = []
    let votes = reports.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.filter {
      levels.contains($0.price)
        && seen.insert(
          Vote(
            voter: $0.voter, price: $0.price,
            day: Instant(milliseconds: $0.time).day.daysSinceEpoch)
        ).inserted
    }
    let moments = Set(votes.map(\.time)).sorted()
    // The costs in half votes and the previous level, by moment and level.
    var costs = [[Int]](repeating: [0], count: 1)
    costs[0] = levels.map { _ in 0 }
    var before: [[Int]] = []
    for moment in moments {
      let last = costs[costs.count - 1]
      let cheapest = last.indices.min { (last[$0], $0) < (last[$1], $1) } ?? 0
      let now = votes.filter { $0.time == moment }
      var row: [Int] = []
      var origin: [Int] = []
      for level in levels.indices {
        let isVoted = now.contains { $0.price == levels[level] }
        let isStep = isVoted && last[cheapest] + 5 < last[level]
        origin.append(isStep ? cheapest : level)
        let contradicted = now.count { $0.price != levels[level] }
        row.append((isStep ? last[cheapest] + 5 : last[level]) + 2 * contradicted)
      }
      costs.append(row)
      before.append(origin)
    }
    let end = costs[costs.count - 1]
    var level = end.indices.min { (end[$0], $0) < (end[$1], $1) } ?? 0
    var steps: [(from: Int64, price: Int64)] = []
    for (index, moment) in moments.enumerated().reversed() where before[index][level] != level {
      steps.insert((moment, levels[level]), at: 0)
      level = before[index][level]
    }
    let first = votes.first { $0.price == levels[level] }?.time ?? 0
    return [(first, levels[level])] + steps
  }

  // MARK: Currencies over time

  /// The currency of a storefront according to its reports, without contradicted reports.
  ///
  /// Without reports, the App Store's own currency.
  func currency(of place: Storefront, at time: Int64) -> Currency? {
    currencySpans(of: place).first { $0.holds(at: time) }.map { span in
      span.price == 0 ? ownCurrencies[place] : Currency(rawValue: UInt32(span.price))
    } ?? ownCurrencies[place]
  }

  /// The currencies of a storefront over time, as numbers; 0 is the App Store's own currency.
  func currencySpans(of place: Storefront) -> [PlainInterval] {
    let claims = reports.filter {
      $0.place == place && $0.rival == nil && !isMismatch[$0.index]
    }.map { claim in
      var vote = claim
      vote.price = currencyNumber(claim.currency, in: place)
      return vote
    }
    var spans = claims.isEmpty ? [] : Self.intervals(claims, isBelieved: { _ in true }, cuts: [])
    // A phone may show yesterday's currency, but not tomorrow's.
    for index in spans.indices.dropLast() {
      guard let end = spans[index].to else { continue }
      let early = spans[index].reports.filter { $0.price == spans[index + 1].price }
      guard let first = early.map(\.time).min(), end - first <= Self.days(30),
        Self.voters(early) >= 3
      else { continue }
      spans[index].to = first
      spans[index + 1].from = first
    }
    // One report of the App Store's own currency before another currency is enough.
    guard var former = spans.first, former.price != 0 else { return spans }
    let sorted = former.reports.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    let before = sorted.prefix { $0.price != former.price }
    guard before.count < sorted.count, let newest = before.lastIndex(where: { $0.price == 0 })
    else { return spans }
    spans[0].from = sorted[newest].time + 1
    spans[0].reports = Array(sorted.dropFirst(newest + 1))
    former.price = 0
    former.to = spans[0].from
    former.endsAtCut = false
    former.reports = Array(sorted.prefix(newest + 1))
    return [former] + spans
  }

  /// Votes for currencies are treated like votes for prices; of equally frequent currencies the App
  /// Store's own currency wins.
  func currencyNumber(_ currency: Currency, in place: Storefront) -> Int64 {
    currency == ownCurrencies[place] ? 0 : Int64(currency.rawValue)
  }

  // MARK: Storefronts with their own price lists

  /// The storefronts that have their own prices in a currency.
  func apart(_ verdicts: [Verdict]) -> [Currency: [Storefront]] {
    var apart: [Currency: Set<Storefront>] = [:]
    for currency in Set(reports.map(\.currency)) {
      apart[currency] = listedStorefronts(in: currency)
    }
    let believed = reports.filter { verdicts[$0.index].isBelieved }.map { report in
      var report = report
      if report.rival != nil { report.place = nil }
      return report
    }
    for product in Set(reports.map(\.product)) {
      for currency in Set(reports.map(\.currency)) {
        let market = believed.filter { $0.product == product && $0.currency == currency }
        let dollars = believed.filter {
          $0.product == product && $0.currency.code == "USD" && currency.code != "USD"
        }
        for place in Set(market.compactMap(\.place)) where isApart(place, in: market, dollars) {
          apart[currency, default: []].insert(place)
        }
      }
    }
    return apart.mapValues { $0.sorted() }
  }

  /// The storefronts for which the catalogue has separate lines in a currency.
  func listedStorefronts(in currency: Currency) -> Set<Storefront> {
    let lines = catalogue.products.values.flatMap { product in
      product.prices.map { ($0.currency, $0.storefront) }
        + product.priceChanges.map { ($0.currency, $0.storefront) }
    }
    return Set(lines.filter { $0.0 == currency }.compactMap(\.1))
  }

  private func isApart(
    _ place: Storefront, in market: [PlainReport], _ dollars: [PlainReport]
  ) -> Bool {
    let own = market.filter { $0.place == place }
    let elsewhere = market.filter { $0.place != nil && $0.place != place }
    let spans = Self.intervals(
      own, isBelieved: { _ in true }, cuts: cuts(own[0], list: place),
      changeDates: changeDates(own[0], list: place))
    return spans.contains { span in
      let same = span.reports.filter { $0.price == span.price }
      let others = Set(span.reports.map(\.voter)).subtracting(same.map(\.voter)).count
      guard Self.voters(same) >= 3, Self.voters(same) > 2 * others else { return false }
      let times = same.map(\.time)
      let inDollars = dollars.filter { report in
        report.price == span.price && times.contains { $0 <= report.time + Self.days(90) }
          && times.contains { $0 >= report.time - Self.days(90) }
      }
      if Self.voters(inDollars) >= 2, Self.voters(same) < 6 || Self.voters(same) <= 4 * others {
        return false
      }
      let rivals = Set(same.compactMap { rival(of: $0, among: elsewhere) })
      return rivals.contains { price in
        let here = same.filter { rival(of: $0, among: elsewhere) == price }
        guard Self.voters(here) >= 3, let first = here.map(\.time).min(),
          let last = here.map(\.time).max()
        else { return false }
        let there = elsewhere.filter {
          $0.price == price && $0.time >= first - Self.days(90) && $0.time <= last + Self.days(90)
        }
        return Self.voters(here) >= 6 && last - first >= Self.days(30)
          || Self.isFollowed(here, by: there) && Self.isFollowed(there, by: here)
      }
    }
  }

  /// Whether three voters report after the third voter of other reports.
  private static func isFollowed(_ reports: [PlainReport], by others: [PlainReport]) -> Bool {
    let firsts = Dictionary(grouping: reports, by: \.voter).values.compactMap {
      $0.map(\.time).min()
    }.sorted()
    return firsts.count >= 3 && voters(others.filter { $0.time > firsts[2] }) >= 3
  }

  /// The price that most other reports in the currency have around a report.
  ///
  /// `nil` if it equals the report's price.
  private func rival(of report: PlainReport, among elsewhere: [PlainReport]) -> Int64? {
    for reach in [30, 90] as [Int64] {
      let near = Self.near(report, days: reach, elsewhere)
      guard Self.voters(near) >= 3, let best = Self.mode(near) else { continue }
      let count = Self.tally(near)
      let rivals = count[best] ?? 0
      let isRival =
        best != report.price && rivals >= 3 && rivals > 2 * (count[report.price] ?? 0)
      return isRival ? best : nil
    }
    return nil
  }

  // MARK: Series

  /// A price list: that of a storefront with its own list, or `nil` for the list of all others.
  typealias List = Storefront?

  /// The price lists that may apply in a storefront.
  static func lists(_ place: Storefront?, _ apart: [Storefront]) -> [List] {
    guard let place else { return [nil] + apart }
    return [apart.contains(place) ? place : nil]
  }

  /// The intervals of the regular price in one list of a report's market.
  func history(
    like report: PlainReport, list: List, apart: [Currency: [Storefront]], _ verdicts: [Verdict]
  ) -> [PlainInterval] {
    let series = learned.filter {
      $0.product == report.product && $0.currency == report.currency
        && Self.lists($0.place, apart[report.currency] ?? []) == [list]
    }
    return Self.intervals(
      series, isBelieved: { verdicts[$0.index].isBelieved }, isLate: { $0.isLate },
      cuts: cuts(report, list: list), changeDates: changeDates(report, list: list),
      listed: listed(report, list: list))
  }
}
