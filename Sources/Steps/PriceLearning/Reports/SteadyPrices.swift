internal import CivilTime
internal import PurchaseModel

extension ListedReports {
  /// Finds the reports near which the price does not move.
  ///
  /// These conditions must hold:
  ///
  /// 1. From a day before the report to seven days after it, no other voter reports another price.
  /// 2. The next other voter within 30 days, if there is one, reports the same price.
  /// 3. If the report was made more than an hour before its purchase, there is such a voter.
  /// 4. Within 30 days, while the price is in force, more than twice as many others report it as
  ///    any other price.
  ///
  /// Only reports of the same stretch are compared. The ``members`` must include outvoted and
  /// distrusted reports.
  ///
  /// Example: a phone still shows 9.99 on the day before another phone shows 12.99 → the report of
  /// 9.99 is not steady, because 12.99 may have begun already.
  ///
  /// - Parameter isAsked: Returns true for a report that was made more than an hour before its
  ///   purchase.
  func steady(in history: PriceHistory, isAsked: (ReportPosition) -> Bool) -> [ReportPosition] {
    var steady: [ReportPosition] = []
    let contradicted = contradicted(in: history)
    for stretch in stretches {
      let window = ReportWindow(Array(members[stretch]))
      let next = window.nextOthers
      window.forEachMember(before: .days(1), after: .days(7)) { member, tally in
        let report = window.members[member]
        guard isChecked(report), !contradicted.contains(report.position),
          !tally.hasOther(
            than: window.price[member], without: window.ownPairs[member],
            prices: window.pairPrices)
        else { return }
        let following = next[member].map { window.members[$0] }
        let isHeard =
          following.map { $0.time - report.time <= Milliseconds.days(30).rawValue } ?? false
        guard isHeard ? following?.price == report.price : !isAsked(report.position) else { return }
        steady.append(report.position)
      }
    }
    return steady
  }

  /// Finds the reports whose price has no majority among the other voters within 30 days, while it
  /// is in force.
  private func contradicted(in history: PriceHistory) -> Set<ReportPosition> {
    var found: Set<ReportPosition> = []
    for part in parts(in: history) {
      let window = ReportWindow(Array(members[part]))
      window.forEachMember(reach: Self.presence) { member, tally in
        let votes = tally.votes(
          for: window.price[member], without: window.ownPairs[member], prices: window.pairPrices)
        if votes.rival > 0, votes.own <= 2 * votes.rival {
          found.insert(window.members[member].position)
        }
      }
    }
    return found
  }
}

extension ReportWindow {
  /// For each member, the first later member of another voter; `nil` if there is none.
  ///
  /// Of several members of one time, the first in the order of the members.
  fileprivate var nextOthers: [Int?] {
    var otherThan = [Int?](repeating: nil, count: members.count)
    var next = otherThan
    var later = members.count  // the first member after the time of the current one
    for member in members.indices.reversed() {
      if member + 1 < members.count {
        otherThan[member] =
          voter[member + 1] == voter[member] ? otherThan[member + 1] : member + 1
        if members[member + 1].time > members[member].time { later = member + 1 }
      }
      guard later < members.count else { continue }
      next[member] = voter[later] == voter[member] ? otherThan[later] : later
    }
    return next
  }
}
