internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds reports with a currency that other voters of the same storefront contradict.
///
/// Other voters are compared on two sides: the 60 days before and the 60 days after the report.
/// Reports of the same moment are on both sides. A side is used only if it has at least three other
/// voters. The report is a mismatch if at least one side is used, and if on every used side either
/// more voters report another currency than the report's, or no other voter reports its currency.
///
/// A report is no mismatch if it is one of a run: the reports next to it, within 180 days, have its
/// currency, and are of at least three other voters. Where few customers report, a change of the
/// currency begins with a run.
///
/// Example: one report in EUR among American reports in USD is a mismatch. If a storefront adopts
/// the euro, its first reports in EUR are not mismatches, because later reports agree.
enum CurrencyMismatches {
  /// The time before and after a report in which other reports are compared: 60 days.
  static let reach = Milliseconds.days(60)
  /// The longest time from a report to the others of its run: 180 days.
  private static let longestRun = Milliseconds.days(180)
  /// The minimum number of other voters on one side; a side with fewer other voters is not used.
  static let leastVoters = 3

  /// The faults of placed reports, indexed by position.
  static func find(_ placed: [PlacedReport], workers: Int) -> [CurrencyFault?] {
    var faults = [CurrencyFault?](repeating: nil, count: placed.count)
    let places = claimsByPlace(placed)
    let found = inParallel(places.count, workers: workers) { mismatches(among: places[$0]) }
    for position in found.lazy.flatMap(\.self) {
      faults[position.index] = placed[position.index].hasOwnPlace ? .mismatch : .elsewhere
    }
    return faults
  }

  /// The voter, time and currency of a report.
  private struct Claim: Sendable {
    var position: ReportPosition
    var voter: Voter
    var time: Int64
    var currency: Currency
  }

  /// The reports of every storefront with several reported currencies, oldest first.
  private static func claimsByPlace(_ placed: [PlacedReport]) -> [[Claim]] {
    var first: [Storefront: Currency] = [:]
    var disputed: Set<Storefront> = []
    for report in placed {
      guard let place = report.place else { continue }
      let known = first[place]
      if known == nil { first[place] = report.currency }
      if let known, known != report.currency { disputed.insert(place) }
    }
    var claims: [Storefront: [Claim]] = [:]
    for (position, report) in placed.enumerated() {
      guard let place = report.place, disputed.contains(place) else { continue }
      claims[place, default: []].append(
        Claim(
          position: ReportPosition(position), voter: report.voter, time: report.time.milliseconds,
          currency: report.currency))
    }
    // Claims of one moment stay in the order of their positions.
    return claims.values.map { claims in
      var order = claims.enumerated().map {
        KeyedIndex(key: $1.time.sortKey, index: UInt32($0))
      }
      order.sort()
      return order.map { claims[Int($0.index)] }
    }
  }

  private static func mismatches(among claims: [Claim]) -> [ReportPosition] {
    let panel = CurrencyPanel(claims.map { ($0.voter, $0.currency) })
    var before = CurrencyCount(panel)
    var after = CurrencyCount(panel)
    var (entersAfter, leavesBefore) = (0, 0)
    var found: [ReportPosition] = []
    var index = 0
    while index < claims.count {
      // Two reports of one moment are on both sides of each other.
      var end = index
      while end < claims.count, claims[end].time == claims[index].time { end += 1 }
      let now = claims[index].time
      while entersAfter < claims.count, claims[entersAfter].time - now <= reach.rawValue {
        after.add(panel.votes[entersAfter])
        entersAfter += 1
      }
      for position in index..<end { before.add(panel.votes[position]) }
      while now - claims[leavesBefore].time > reach.rawValue {
        before.remove(panel.votes[leavesBefore])
        leavesBefore += 1
      }
      for position in index..<end {
        let vote = panel.votes[position]
        let sides = (before.agrees(with: vote), after.agrees(with: vote))
        let isAgreed = sides.0 == true || sides.1 == true
        if !isAgreed, sides.0 != nil || sides.1 != nil, !isOfRun(position, claims) {
          found.append(claims[position].position)
        }
      }
      for position in index..<end { after.remove(panel.votes[position]) }
      index = end
    }
    return found
  }

  /// Returns true if the claims next to a claim have its currency, and enough other voters.
  ///
  /// Claims of one moment have no order: a moment with another currency is not in the run.
  private static func isOfRun(_ position: Int, _ claims: [Claim]) -> Bool {
    let own = claims[position]
    /// The other voters of the run on one side; `nil` if the claim's moment has another currency.
    func voters(_ neighbours: some Sequence<Claim>) -> Set<Voter>? {
      var (found, moment): (Set<Voter>, Set<Voter>) = ([], [])
      var time = own.time
      for claim in neighbours {
        if claim.time != time {
          found.formUnion(moment)
          (moment, time) = ([], claim.time)
        }
        guard found.count < leastVoters, abs(time - own.time) <= longestRun.rawValue else { break }
        guard claim.voter != own.voter else { continue }
        guard claim.currency == own.currency else { return time == own.time ? nil : found }
        moment.insert(claim.voter)
      }
      return found.union(moment)
    }
    guard let earlier = voters(claims[..<position].reversed()),
      let later = voters(claims[position...])
    else { return false }
    return earlier.union(later).count >= leastVoters
  }
}
