internal import Amounts
internal import CivilTime

extension ListedReports {
  /// The price and voters that outvote a report; `nil` if none do.
  ///
  /// The report's price is not the one in force at its time and place. Within 30 days at least four
  /// other voters, two of them no earlier than the report, report the price in force, and more than
  /// report this one. For example 4.99 in a month in which nine others report 9.99 before and after
  /// it is outvoted; the first report of a new price is not.
  func outvoting(of report: MarketReport, in history: PriceHistory) -> Judgement.Outvoting? {
    guard let inForce = priceInForce(at: report.time, in: history), inForce != report.price else {
      return nil
    }
    var supporters: Set<Voter> = []
    var later: Set<Voter> = []
    var same: Set<Voter> = [report.voter]
    for other in around(report.time, reach: .days(30)) {
      if other.price == report.price { same.insert(other.voter) }
      guard other.price == inForce, other.voter != report.voter else { continue }
      supporters.insert(other.voter)
      if other.time >= report.time { later.insert(other.voter) }
    }
    guard supporters.count >= 4, later.count >= 2, supporters.count > same.count else { return nil }
    return Judgement.Outvoting(
      priceInForce: Milliunits(inForce), inForce: Int32(supporters.count), same: Int32(same.count))
  }
}
