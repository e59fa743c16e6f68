internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

extension ListedReports {
  /// The reports that others outvote, with the price in force and its voters.
  ///
  /// A report's price is not the one in force at its time and place. Within 30 days at least four
  /// other voters, two of them no earlier than the report, report the price in force, and more than
  /// report this one. For example 4.99 in a month in which nine others report 9.99 before and after
  /// it is outvoted; the first report of a new price is not.
  func outvoted(in history: PriceHistory) -> [(report: ReportPosition, by: Judgement.Outvoting)] {
    var outvoted: [(report: ReportPosition, by: Judgement.Outvoting)] = []
    for stretch in stretches {
      let reports = members[stretch]
      let rivals = reports.map { report -> Int64? in
        guard isJudged(report), let price = priceInForce(at: report.time, in: history) else {
          return nil
        }
        return price == report.price ? nil : price
      }
      guard rivals.contains(where: { $0 != nil }) else { continue }
      let window = ReportWindow(Array(reports))
      let later = window.voters(of: rivals, before: .days(0), after: .days(30))
      window.sweep(reach: .days(30)) { member, tally in
        guard let price = rivals[member], later[member] >= 2 else { return }
        let inForce = window.others(than: member, reporting: price, in: tally)
        let same = tally.voters(of: window.price[member])
        guard inForce >= 4, inForce > same else { return }
        outvoted.append(
          (
            window.members[member].position,
            Judgement.Outvoting(priceInForce: Milliunits(price), inForce: inForce, same: same)
          ))
      }
    }
    return outvoted
  }
}

extension ReportWindow {
  /// The other voters who report a price, by member, among the reports from a reach before each
  /// member to a reach after it; 0 for members without a price.
  fileprivate func voters(
    of prices: [Int64?], before: Milliseconds, after: Milliseconds
  ) -> [Int32] {
    var voters = [Int32](repeating: 0, count: members.count)
    sweep(before: before, after: after) { member, tally in
      if let price = prices[member] {
        voters[member] = others(than: member, reporting: price, in: tally)
      }
    }
    return voters
  }

  /// The counted voters of a price without the voter of a member.
  fileprivate func others(than member: Int, reporting claim: Int64, in tally: VoteTally) -> Int32 {
    let number = prices.firstPosition { $0 >= claim }
    guard number < prices.count, prices[number] == claim else { return 0 }
    let isOwn = ownPairs[member].contains { pairPrices[$0] == number && tally.holds(pair: $0) }
    return tally.voters(of: Int32(number)) - (isOwn ? 1 : 0)
  }
}
