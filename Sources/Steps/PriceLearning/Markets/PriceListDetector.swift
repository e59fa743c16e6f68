internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds the storefronts with a price list of their own.
///
/// A storefront has its own list if three conditions hold for some product:
///
/// 1. At least three voters of the storefront report a price, and they are more than twice as many
///    as the storefront's other voters.
/// 2. Around the reports of at least three of these voters, voters elsewhere report another price:
///    at least three voters, and more than twice as many as report the first price elsewhere.
///    Elsewhere means in other storefronts. Only reports within 30 days are used, or within 90 days
///    if 30 days have fewer than three voters.
/// 3. The two prices overlap in time: at least three voters elsewhere report the other price after
///    three voters of the storefront have reported theirs, and vice versa. Without an
///    overlap, six voters of the storefront who report its price over 30 days are enough.
///
/// So a price that changes everywhere at once does not separate a storefront. Example: France
/// reports 10.99 EUR in May and June, and other storefronts report 9.99 in both months → `FRA` has
/// its own list.
///
/// Some SDKs send the amount in US dollars with the local currency. So if two voters report the
/// price in dollars, at most 90 days earlier or later, condition 1 is stricter: six voters, and
/// more than four times as many as the storefront's other voters.
struct PriceListDetector: Sendable {
  static let leastVoters = 3
  private static let reaches = [Milliseconds.days(30), Milliseconds.days(90)]

  /// The believed reports of one market, oldest first.
  private let believed: [MarketReport]
  private let currency: Currency
  private let product: Catalogue.Product?
  private let rebased: [RebasedCurrency]

  init(
    _ believed: [MarketReport], currency: Currency, product: Catalogue.Product?,
    rebased: [RebasedCurrency] = []
  ) {
    self.rebased = rebased
    self.believed = believed
    self.currency = currency
    self.product = product
  }

  /// The storefronts with their own price list, according to the reports of this market.
  ///
  /// - Parameter dollars: Returns the believed reports of the product in US dollars, oldest first;
  ///   none for a market in US dollars. The function is called at most once.
  /// - Returns: The storefronts, sorted.
  func storefronts(dollars: () -> [MarketReport] = { [] }) -> [Storefront] {
    guard hasSeveralPrices else { return [] }
    var members: [Storefront: [Int]] = [:]
    for (index, report) in believed.enumerated() {
      if let place = report.place { members[place, default: []].append(index) }
    }
    guard members.count > 1 else { return [] }
    let candidates = members.filter { $0.value.count >= Self.leastVoters }
    guard !candidates.isEmpty else { return [] }
    let window = ReportWindow(believed)
    let dollars = dollars()
    return candidates.keys.sorted().filter { place in
      isApart(place, own: candidates[place] ?? [], window, dollars)
    }
  }

  /// Whether at least two prices have enough voters to show a separate price list.
  private var hasSeveralPrices: Bool {
    var voters: [Int64: Set<Voter>] = [:]
    for report in believed where voters[report.price]?.count ?? 0 < Self.leastVoters {
      voters[report.price, default: []].insert(report.voter)
    }
    return voters.values.count { $0.count >= Self.leastVoters } >= 2
  }

  private func isApart(
    _ place: Storefront, own: [Int], _ window: ReportWindow, _ dollars: [MarketReport]
  ) -> Bool {
    let dates = CatalogueDates(
      product, rebased: rebased, currency: currency, storefront: place)
    let votes = own.map { index in
      PriceVote(
        position: ReportPosition(index), offer: nil, voter: believed[index].voter,
        time: believed[index].time, price: believed[index].price, isBelieved: true)
    }
    let inference = PriceSeriesInference(
      votes[...], cuts: dates.cuts, changeDates: dates.changeDates)
    for span in inference.spans {
      let reports = span.votes.map { own[$0] }
      let same = reports.filter { believed[$0].price == span.price }
      let others = voters(reports) - voters(same)
      guard voters(same) >= Self.leastVoters, voters(same) > 2 * others else { continue }
      if voters(same) < Self.inDollars.voters || voters(same) <= Self.inDollars.majority * others,
        isPrice(of: same, in: dollars)
      {
        continue
      }
      let rivals = Dictionary(grouping: contradicted(same, place: place, window), by: \.rival)
      let isApart = rivals.contains { rival, found in
        let reports = found.map(\.report)
        return voters(reports) >= Self.leastVoters
          && (isLasting(reports) || isInterleaved(reports, with: rival, elsewhereThan: place))
      }
      if isApart { return true }
    }
    return false
  }

  /// The minimum of votes for a storefront's price if the same price is also reported in US
  /// dollars.
  ///
  /// At least six voters of the storefront must report it, and more than four times as many as
  /// report other prices there.
  private static let inDollars = (voters: 6, majority: 4)

  /// Returns true if at least two voters report the price of the given reports as an amount in US
  /// dollars.
  ///
  /// All given reports have the same price. Reports in dollars are used from 90 days before the
  /// first given report to 90 days after the last.
  private func isPrice(of reports: [Int], in dollars: [MarketReport]) -> Bool {
    guard let first = reports.min(), let last = reports.max() else { return false }
    let reach = Milliseconds.days(90).rawValue
    let price = believed[first].price
    let start = dollars.firstPosition { $0.time >= believed[first].time - reach }
    var voter: Voter?
    for report in dollars[start...] {
      guard report.time <= believed[last].time + reach else { return false }
      guard report.price == price else { continue }
      if let voter, voter != report.voter { return true }
      voter = report.voter
    }
    return false
  }

  /// The requirements for a storefront's price that does not overlap in time with the rival price.
  ///
  /// It needs at least six voters, whose reports span at least 30 days.
  private static let lasting = (voters: 6, time: Milliseconds.days(30))

  /// Returns true if reports have enough voters over enough time to exclude out-of-date devices as
  /// the cause of their price.
  ///
  /// ``lasting`` has the minimum of voters and time.
  private func isLasting(_ reports: [Int]) -> Bool {
    guard let first = reports.min(), let last = reports.max() else { return false }
    return voters(reports) >= Self.lasting.voters
      && believed[last].time - believed[first].time >= Self.lasting.time.rawValue
  }

  /// Returns true if the storefront's price and the rival price of other storefronts overlap in
  /// time.
  ///
  /// Three voters of other storefronts must report the rival price after three voters of this
  /// storefront have reported their price, and vice versa. Only rival reports within 90 days of
  /// this storefront's reports are used.
  private func isInterleaved(
    _ here: [Int], with rival: Int64, elsewhereThan place: Storefront
  ) -> Bool {
    guard let first = here.min(), let last = here.max() else { return false }
    let reach = Milliseconds.days(90).rawValue
    let times = (believed[first].time - reach, believed[last].time + reach)
    let start = believed.firstPosition { $0.time >= times.0 }
    let there = (start..<believed.count).prefix { believed[$0].time <= times.1 }.filter {
      believed[$0].price == rival && isElsewhere(believed[$0], than: place)
    }
    return isFollowed(here.sorted(), by: there) && isFollowed(there, by: here)
  }

  /// Returns true if `reports` has three voters, and three voters of `others` report after the
  /// first report of the third voter.
  ///
  /// The reports are sorted oldest first.
  private func isFollowed(_ reports: [Int], by others: [Int]) -> Bool {
    var heard: Set<Voter> = []
    for report in reports {
      heard.insert(believed[report].voter)
      guard heard.count == Self.leastVoters else { continue }
      let time = believed[report].time
      return voters(others.filter { believed[$0].time > time }) >= Self.leastVoters
    }
    return false
  }

  private func voters(_ reports: [Int]) -> Int { Set(reports.map { believed[$0].voter }).count }

  /// Returns true if a report was made in another storefront.
  ///
  /// Returns false for a report without a storefront, because it may be from this storefront.
  private func isElsewhere(_ report: MarketReport, than place: Storefront) -> Bool {
    report.place.map { $0 != place } ?? false
  }

  /// The given reports whose price is contradicted by most voters of other storefronts, each with
  /// the price that those voters report.
  private func contradicted(_ reports: [Int], place: Storefront, _ window: ReportWindow)
    -> [(report: Int, rival: Int64)]
  {
    var open = reports
    var contradicted: [(report: Int, rival: Int64)] = []
    for reach in Self.reaches {
      var tally = window.emptyTally
      var (low, high) = (0, 0)
      var unheard: [Int] = []
      for index in open {
        let time = believed[index].time
        while high < believed.count, believed[high].time - time <= reach.rawValue {
          if isElsewhere(believed[high], than: place) { window.add(high, to: &tally) }
          high += 1
        }
        while time - believed[low].time > reach.rawValue {
          if isElsewhere(believed[low], than: place) { window.remove(low, from: &tally) }
          low += 1
        }
        guard tally.voterCount >= Int32(Self.leastVoters), let best = tally.best else {
          unheard.append(index)
          continue
        }
        let rivals = tally.voters(of: best)
        if best != window.price[index], rivals >= Int32(Self.leastVoters),
          rivals > 2 * tally.voters(of: window.price[index])
        {
          contradicted.append((index, window.prices[Int(best)]))
        }
      }
      open = unheard
    }
    return contradicted
  }
}
