internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

/// Finds the reports in a currency that others in the same storefront do not report.
///
/// Other voters of the same place are asked on two sides: in the 60 days before the report and in
/// the 60 days after it. Those of its own moment count on both. A side speaks with at least three
/// voters. The report is a mismatch if at least one side speaks and its currency is the majority on
/// neither.
///
/// For example one report in EUR among American reports in USD is a mismatch. The first reports in
/// EUR of a storefront that adopts the euro are not, because those after them agree.
enum CurrencyMismatches {
  /// The time before and after a report in which others are asked: 60 days.
  static let reach = Milliseconds.days(60)
  /// The number of other voters with which a side speaks.
  static let leastVoters = 3

  /// By placed report: whether it is a mismatch.
  ///
  /// A report that does not name its storefront is never a mismatch. If its currency contradicts
  /// the nearest place of its household, it was made elsewhere, and its place becomes unknown.
  static func sort(_ placed: inout [PlacedReport], workers: Int) -> [Bool] {
    var isMismatch = [Bool](repeating: false, count: placed.count)
    let places = claimsByPlace(placed)
    let found = inParallel(places.count, workers: workers) { mismatches(among: places[$0]) }
    for position in found.lazy.flatMap(\.self) {
      if placed[Int(position)].isPlaceTold {
        isMismatch[Int(position)] = true
      } else {
        placed[Int(position)].place = nil
      }
    }
    return isMismatch
  }

  /// The currency that a report states for its place.
  private struct Claim: Sendable {
    var position: Int32
    var voter: Voter
    var time: Int64
    var currency: Currency
  }

  /// The claims of every place in which several currencies are reported, oldest first.
  private static func claimsByPlace(_ placed: [PlacedReport]) -> [[Claim]] {
    var claims: [Storefront: [Claim]] = [:]
    for (position, report) in placed.enumerated() {
      guard let place = report.place else { continue }
      claims[place, default: []].append(
        Claim(
          position: Int32(position), voter: report.voter, time: report.time.milliseconds,
          currency: report.currency))
    }
    return claims.values.filter { claims in
      claims.contains { $0.currency != claims[0].currency }
    }.map { $0.sorted { ($0.time, $0.position) < ($1.time, $1.position) } }
  }

  private static func mismatches(among claims: [Claim]) -> [Int32] {
    var before = CurrencyCount()
    var after = CurrencyCount()
    var (entersAfter, leavesBefore) = (0, 0)
    var found: [Int32] = []
    var index = 0
    while index < claims.count {
      // Reports of one moment are on both sides of each other.
      var end = index
      while end < claims.count, claims[end].time == claims[index].time { end += 1 }
      let now = claims[index].time
      while entersAfter < claims.count, claims[entersAfter].time - now <= reach.rawValue {
        after.add(claims[entersAfter].voter, claims[entersAfter].currency)
        entersAfter += 1
      }
      for position in index..<end {
        before.add(claims[position].voter, claims[position].currency)
      }
      while now - claims[leavesBefore].time > reach.rawValue {
        before.remove(claims[leavesBefore].voter, claims[leavesBefore].currency)
        leavesBefore += 1
      }
      for position in index..<end {
        let claim = claims[position]
        let sides = [before, after].compactMap { $0.agrees(with: claim.currency, but: claim.voter) }
        if !sides.isEmpty, !sides.contains(true) { found.append(claim.position) }
      }
      for position in index..<end {
        after.remove(claims[position].voter, claims[position].currency)
      }
      index = end
    }
    return found
  }
}

/// The distinct voters of each currency among the reports of one side.
private struct CurrencyCount {
  private struct Vote: Hashable {
    var voter: Voter
    var currency: Currency
  }

  private var votes: [Vote: Int32] = [:]
  private var reports: [Voter: Int32] = [:]  // by voter
  private var voters: [Currency: Int32] = [:]

  mutating func add(_ voter: Voter, _ currency: Currency) {
    reports[voter, default: 0] += 1
    let vote = Vote(voter: voter, currency: currency)
    votes[vote, default: 0] += 1
    if votes[vote] == 1 { voters[currency, default: 0] += 1 }
  }

  mutating func remove(_ voter: Voter, _ currency: Currency) {
    reports[voter, default: 0] -= 1
    if reports[voter] == 0 { reports[voter] = nil }
    let vote = Vote(voter: voter, currency: currency)
    votes[vote, default: 0] -= 1
    guard votes[vote] == 0 else { return }
    votes[vote] = nil
    voters[currency, default: 0] -= 1
    if voters[currency] == 0 { voters[currency] = nil }
  }

  /// Whether no other currency has more voters than this one; `nil` if too few others speak.
  func agrees(with currency: Currency, but voter: Voter) -> Bool? {
    let others = reports.count - (reports[voter] == nil ? 0 : 1)
    guard others >= CurrencyMismatches.leastVoters else { return nil }
    func count(_ currency: Currency) -> Int32 {
      let isOwn = votes[Vote(voter: voter, currency: currency)] != nil
      return (voters[currency] ?? 0) - (isOwn ? 1 : 0)
    }
    let own = count(currency)
    return own > 0 && voters.keys.allSatisfy { count($0) <= own }
  }
}
