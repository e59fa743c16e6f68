internal import CivilTime

/// The price that others report around each member of a window.
///
/// The reference of a report is the regular price with most distinct voters, its own voter left
/// out. Of equal ones the higher is used. Reports within 90 days on either side are asked, else the
/// whole stretch. For example, of nine others four say 9.99, four 10.99 and one 12.99: the
/// reference is 10.99.
struct References {
  /// The time around a report in which others are compared: 90 days.
  static let reach = Milliseconds.days(90)
  /// A voter with more prices than this is left out by a sweep of its own: most have one, and a
  /// liar can have as many as reports.
  static let manyPrices = 128

  /// The price that others report, in thousandths, and how many others there are.
  struct Finding {
    var price: Int64
    var others: Int32
    /// Others who report just this price.
    var supporters: Int32
  }

  /// The commonest price of others within 90 days, keyed by member; `nil` if there are no others.
  private(set) var near: [Finding?]
  /// The commonest price of others in the whole stretch, keyed by member.
  private(set) var whole: [Finding?]

  /// Compares the others of every member.
  init(_ window: ReportWindow) {
    near = Array(repeating: nil, count: window.members.count)
    whole = near
    var heavy: Set<Range<Int>> = []
    var all = window.whole()
    var wholeOf: [Int32: Finding?] = [:]  // by voter: nothing else tells members apart
    window.sweep(reach: Self.reach) { member, tally in
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

  /// Compares the others of one voter's reports, its votes never counted.
  private mutating func find(_ own: Range<Int>, in window: ReportWindow) {
    let isOwn = { (member: Int) in window.ownPairs[member] == own }
    let all = window.whole(leavingOut: isOwn)
    let everywhere = all.best.map {
      Finding(
        price: window.prices[Int($0)], others: all.voterCount, supporters: all.voters(of: $0))
    }
    window.sweep(reach: Self.reach, leavingOut: isOwn) { member, tally in
      guard isOwn(member) else { return }
      near[member] = tally.best.map {
        Finding(
          price: window.prices[Int($0)], others: tally.voterCount, supporters: tally.voters(of: $0))
      }
      whole[member] = everywhere
    }
  }
}
