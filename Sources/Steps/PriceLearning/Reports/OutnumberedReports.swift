internal import CivilTime
internal import Parallel
internal import PurchaseModel

extension ListedReports {
  /// Finds the reports whose price other voters outnumber, although too few to outvote it.
  ///
  /// These conditions must hold:
  ///
  /// 1. Another price is in force at the time and storefront of the report.
  /// 2. Within 30 days, at least two other voters report the price in force, and more than report
  ///    the report's price.
  /// 3. In the storefront of the report, within 180 days, no more others report its price than
  ///    report the price in force: the storefront may have a price of its own. Where other
  ///    storefronts of the currency have, somebody there must report the price in force.
  ///
  /// Such a report decides only the purchase that it names. Example: a phone reports 12.99 with
  /// a trial, two others 9.99 that week → the first paid month costs 9.99.
  ///
  /// - Parameter isApart: Whether storefronts of the currency have price lists of their own.
  func outnumbered(in history: PriceHistory, isApart: Bool) -> [ReportPosition] {
    stretches.flatMap { stretch in
      let reports = Array(members[stretch])
      let rivals = reports.map { report -> Int64? in
        guard isChecked(report), !isApart || report.place != nil,
          let price = priceInForce(at: report.time, in: history)
        else { return nil }
        return price == report.price ? nil : price
      }
      guard rivals.contains(where: { $0 != nil }) else { return [] as [ReportPosition] }
      var found: [ReportPosition: Int64] = [:]
      let window = ReportWindow(reports)
      window.forEachMember(reach: .days(30)) { member, tally in
        guard let rival = rivals[member] else { return }
        let votes = window.votes(of: member, against: rival, &tally)
        if votes.rival >= 2, votes.rival > votes.own { found[reports[member].position] = rival }
      }
      for place in Set(reports.filter { found[$0.position] != nil }.compactMap(\.place)) {
        let own = ReportWindow(reports.filter { $0.place == place })
        own.forEachMember(reach: .days(180)) { member, tally in
          let position = own.members[member].position
          guard let rival = found[position] else { return }
          let votes = own.votes(of: member, against: rival, &tally)
          if votes.own > votes.rival || isApart && votes.rival == 0 { found[position] = nil }
        }
      }
      return reports.map(\.position).filter { found[$0] != nil }
    }
  }
}

extension ReportWindow {
  /// The numbers of other voters in a tally for a member's price and for another price.
  fileprivate func votes(of member: Int, against rival: Int64, _ tally: inout VoteTally) -> (
    own: Int32, rival: Int32
  ) {
    let own = tally.votes(for: price[member], without: ownPairs[member], prices: pairPrices).own
    return (own, others(than: member, reporting: rival, in: tally))
  }
}

extension PriceInference {
  /// Marks the outnumbered reports.
  func outnumber(
    _ reportVerdicts: inout ReportVerdicts, apart: StorefrontPriceLists, history: PriceHistory
  ) {
    let believed = reportVerdicts.believed
    let found = inParallel(markets.count, workers: workers) { number in
      let isApart = !apart[table.markets.currency(markets[number])].isEmpty
      return listed(markets[number], apart: apart, believed).flatMap {
        $0.outnumbered(in: history, isApart: isApart)
      }
    }
    for position in found.joined()
    where !table.placed[position.index].isProof && agrees(position.index) != true {
      reportVerdicts.outnumber(position)
    }
  }
}
