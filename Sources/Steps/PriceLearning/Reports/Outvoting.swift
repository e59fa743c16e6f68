internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

extension ListedReports {
  /// Finds the reports that other voters outvote.
  ///
  /// A report is outvoted if its price is not in force at its time and storefront, and enough other
  /// voters report the price in force within 30 days. Enough means:
  ///
  /// - at least four other voters,
  /// - of whom two report the price at the time of the report or later,
  /// - and more voters than the report's price has.
  ///
  /// Example: nine voters report 9.99 before and after a report of 4.99, which is outvoted. The
  /// first report of a new price is not outvoted.
  ///
  /// Some SDKs send the amount in dollars with the local currency. So if the price equals the
  /// product's price in US dollars, two others within 90 days are enough, if at least one reports
  /// the price at the time of the report or later. They must still be more than the voters for the
  /// report's price. Example: 6.99 EUR with two other reports of 5.99 EUR, while the product costs
  /// 6.99 USD.
  ///
  /// - Parameters:
  ///   - dollars: The price in US dollars at a report's time, in thousandths; `nil` for a report in
  ///     dollars, or without a price.
  func outvoted(
    in history: PriceHistory, dollars: (MarketReport) -> Int64?
  ) -> [(report: ReportPosition, by: ReportVerdict.Outvoting)] {
    var outvoted: [(report: ReportPosition, by: ReportVerdict.Outvoting)] = []
    for stretch in stretches {
      let reports = members[stretch]
      let rivals = reports.map { report -> Int64? in
        guard isChecked(report), let price = priceInForce(at: report.time, in: history) else {
          return nil
        }
        return price == report.price ? nil : price
      }
      guard rivals.contains(where: { $0 != nil }) else { continue }
      let inDollars = zip(reports, rivals).map { report, rival in
        rival != nil && dollars(report) == report.price
      }
      let window = ReportWindow(Array(reports))
      for majority in [Majority.any, .overDollars] {
        let isAsked = { majority.isOverDollars == inDollars[$0] && rivals[$0] != nil }
        guard rivals.indices.contains(where: isAsked) else { continue }
        let later = window.voters(of: rivals, before: .days(0), after: majority.reach)
        window.forEachMember(reach: majority.reach) { member, tally in
          guard isAsked(member), let price = rivals[member], later[member] >= majority.leastLater
          else { return }
          let inForce = window.others(than: member, reporting: price, in: tally)
          let same = tally.voters(of: window.price[member])
          guard inForce >= majority.least, inForce > same else { return }
          outvoted.append(
            (
              window.members[member].position,
              ReportVerdict.Outvoting(priceInForce: Milliunits(price), inForce: inForce, same: same)
            ))
        }
      }
    }
    return outvoted
  }
}

/// The conditions under which other voters outvote a report.
private struct Majority {
  /// The longest time between the report and the other reports that are used.
  var reach: Milliseconds
  /// The minimum number of other voters.
  var least: Int32
  /// The minimum number of other voters who report at the time of the report or later.
  var leastLater: Int32
  /// Whether this majority applies to a price that equals the product's price in US dollars.
  ///
  /// False for the majority that applies to all other prices.
  var isOverDollars: Bool

  static let any = Majority(reach: .days(30), least: 4, leastLater: 2, isOverDollars: false)
  static let overDollars = Majority(
    reach: .days(90), least: 2, leastLater: 1, isOverDollars: true)
}

extension ReportWindow {
  /// Returns, for each member, the number of other voters who report a given price near the
  /// member's time.
  ///
  /// `prices` has the given price of each member; if it is `nil`, the number is 0. Reports at most
  /// `before` earlier or `after` later than the member are used.
  fileprivate func voters(
    of prices: [Int64?], before: Milliseconds, after: Milliseconds
  ) -> [Int32] {
    var voters = [Int32](repeating: 0, count: members.count)
    forEachMember(before: before, after: after) { member, tally in
      if let price = prices[member] {
        voters[member] = others(than: member, reporting: price, in: tally)
      }
    }
    return voters
  }

  /// The number of voters for a price in a tally, without the voter of the given report.
  func others(than member: Int, reporting claim: Int64, in tally: VoteTally) -> Int32 {
    let number = prices.firstPosition { $0 >= claim }
    guard number < prices.count, prices[number] == claim else { return 0 }
    let isOwn = ownPairs[member].contains { pairPrices[$0] == number && tally.holds(pair: $0) }
    return tally.voters(of: Int32(number)) - (isOwn ? 1 : 0)
  }
}
