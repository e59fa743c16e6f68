internal import CivilTime

/// The price that most other voters report near the time of each report of a window.
///
/// The reference of a report is the regular price with the most voters, without the report's own
/// voter; in a tie, the higher price. Reports within 90 days are used, else all reports of the
/// stretch. Example: of nine other voters four report 9.99, four 10.99 and one 12.99: the reference
/// is 10.99.
struct References {
  /// The time before and after a report in which other reports are compared: 90 days.
  static let reach = Milliseconds.days(90)
  /// The largest number of different prices of one voter whose reports are compared in the common
  /// pass.
  ///
  /// A voter with more prices gets a pass of its own. Most voters have one price, but a sender of
  /// false reports can have any number.
  static let manyPrices = 128

  /// The price that most other voters report, in thousandths, and the number of other voters.
  struct Finding {
    var price: Int64
    var others: Int32
    /// The number of other voters who report exactly this price.
    var supporters: Int32
  }

  /// For each report of the group, the most frequent price of other voters within 90 days; `nil`
  /// without other voters.
  private(set) var near: [Finding?]
  /// For each report of the group, the most frequent price of other voters in the whole stretch.
  ///
  /// `nil` also for a report that does not need it: ``near`` has at least three other voters.
  private(set) var whole: [Finding?]

  /// Compares each member with the reports of other voters.
  init(_ window: ReportWindow) {
    near = Array(repeating: nil, count: window.members.count)
    whole = near
    var heavy: Set<Range<Int>> = []
    var all = window.whole()
    var wholeOf: [Int32: Finding?] = [:]  // by voter: members of one voter have equal results
    window.forEachMember(reach: Self.reach) { member, tally in
      let own = window.ownPairs[member]
      if own.count > Self.manyPrices {
        heavy.insert(own)
        return
      }
      near[member] = Self.finding(&tally, own: own, voter: window.voter[member], window)
      if near[member] == nil || near[member]?.others ?? 0 < Plausibility.leastAtPlace {
        let voter = window.voter[member]
        if wholeOf[voter] == nil {
          wholeOf[voter] = Self.finding(&all, own: own, voter: voter, window)
        }
        whole[member] = wholeOf[voter] ?? nil
      }
    }
    for own in heavy { find(own, in: window) }
  }

  private static func finding(
    _ tally: inout VoteTally, own: Range<Int>, voter: Int32, _ window: ReportWindow
  ) -> Finding? {
    guard let best = tally.best(without: own, prices: window.pairPrices) else { return nil }
    let isOwn = own.contains { window.pairPrices[$0] == best && tally.holds(pair: $0) }
    return Finding(
      price: window.prices[Int(best)],
      others: tally.voterCount - (tally.holds(voter: voter) ? 1 : 0),
      supporters: tally.voters(of: best) - (isOwn ? 1 : 0))
  }

  /// Compares the reports of one voter with those of all others.
  private mutating func find(_ own: Range<Int>, in window: ReportWindow) {
    let isOwn = { (member: Int) in window.ownPairs[member] == own }
    let all = window.whole(leavingOut: isOwn)
    let everywhere = all.best.map {
      Finding(
        price: window.prices[Int($0)], others: all.voterCount, supporters: all.voters(of: $0))
    }
    window.forEachMember(reach: Self.reach, leavingOut: isOwn) { member, tally in
      guard isOwn(member) else { return }
      near[member] = tally.best.map {
        Finding(
          price: window.prices[Int($0)], others: tally.voterCount, supporters: tally.voters(of: $0))
      }
      whole[member] = everywhere
    }
  }
}
