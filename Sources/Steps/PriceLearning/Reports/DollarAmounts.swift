internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Finds the reports of apps that send amounts in US dollars with the currency of the storefront.
///
/// Some SDKs do so in all their reports. In a currency that is worth about a dollar, such an amount
/// is plausible. A voter **sends dollars** if two conditions hold:
///
/// 1. One of the voter's amounts in dollars is refused: it is implausible, or outvoted.
/// 2. All that the voter reports in other currencies than US dollars are prices in US dollars, as
///    far as these are known.
///
/// The voter's other amounts in dollars are distrusted, unless most of those who do not send
/// dollars report the same price within 90 days: prices may be equal.
///
/// Example: a phone in Australia reports 12.99 AUD for a product of 12.99 USD. Others outvote it:
/// the product costs 19.99 AUD. Then its 1.99 AUD for a product of 1.99 USD is distrusted too.
extension PriceInference {
  /// The distrusted amounts in dollars, each with the nearest refused one of its voter.
  ///
  /// - Parameters:
  ///   - outvoted: The verdicts after the first outvoting.
  ///   - believed: For each report, whether it is believed without the history.
  ///   - history: The prices in force, learned from all believed reports.
  func amountsInDollars(_ outvoted: ReportVerdicts, believed: [Bool], history: PriceHistory)
    -> [(report: ReportPosition, cause: Int)]
  {
    let verdicts = outvoted.verdicts
    let refused = refusedDollars(verdicts, history)
    guard !refused.isEmpty else { return [] }
    let suspects = table.placed.indices.filter { position in
      let report = table.placed[position]
      return refused[report.voter] != nil && report.setAside == nil && !report.isProof
        && believed[position] && verdicts[position] != .outvoted
        && isInDollars(report, history) == true && agrees(position) != true
    }
    let shared = shared(suspects, believed) { refused[$0] != nil }
    return suspects.filter { !shared.contains($0) }.map { position in
      let report = table.placed[position]
      let cause = refused[report.voter]?.min { left, right in
        let (first, second) = (table.placed[left].time, table.placed[right].time)
        return (first.since(report.time).magnitude, left)
          < (second.since(report.time).magnitude, right)
      }
      return (ReportPosition(position), cause ?? position)
    }
  }

  /// The refused amounts in dollars of each voter who sends dollars.
  private func refusedDollars(_ verdicts: [Verdict], _ history: PriceHistory) -> [Voter: [Int]] {
    var refused: [Voter: [Int]] = [:]
    for (position, verdict) in verdicts.enumerated()
    where [.outlier, .unitError, .outvoted].contains(verdict) {
      let report = table.placed[position]
      guard !report.isProof, isInDollars(report, history) == true else { continue }
      refused[report.voter, default: []].append(position)
    }
    guard !refused.isEmpty else { return [:] }
    for report in table.placed
    where refused[report.voter] != nil && report.setAside == nil
      && isInDollars(report, history) == false
    {
      refused[report.voter] = nil
    }
    return refused
  }

  /// The suspects whose price most others report, of those who do not send dollars.
  private func shared(_ suspects: [Int], _ believed: [Bool], isSender: (Voter) -> Bool) -> Set<Int>
  {
    var shared: Set<Int> = []
    let isSuspect = Set(suspects)
    for market in Set(suspects.compactMap { table.markets.index(of: table.placed[$0]) }) {
      let window = ReportWindow(members[market].filter { believed[$0.position.index] })
      window.forEachMember(
        reach: References.reach, leavingOut: { isSender(window.members[$0].voter) }
      ) { member, tally in
        let position = window.members[member].position.index
        guard isSuspect.contains(position) else { return }
        let votes = tally.votes(
          for: window.price[member], without: window.ownPairs[member], prices: window.pairPrices)
        if votes.own > votes.rival { shared.insert(position) }
      }
    }
    return shared
  }

  /// Whether a report in another currency has the product's price in US dollars of its time.
  ///
  /// `nil` if that price is unknown, and for a report in dollars.
  private func isInDollars(_ report: PlacedReport, _ history: PriceHistory) -> Bool? {
    guard let market = table.markets.index(of: report),
      let dollars = marketInDollars(beside: market)
    else { return nil }
    return history.interval(of: SeriesKey(dollars, .regular, in: nil), at: report.time)
      .map { $0.price == report.price }
  }

  /// The market of the same product in US dollars; `nil` if there is none, and for this market
  /// itself.
  func marketInDollars(beside market: MarketIndex) -> MarketIndex? {
    let dollars = Currency("USD").flatMap { table.markets.index(of: market, in: $0) }
    return dollars == market ? nil : dollars
  }

  /// The product's prices in US dollars that at least two voters report; empty for the market in
  /// dollars.
  func pricesInDollars(beside market: MarketIndex) -> Set<Int64> {
    guard let dollars = marketInDollars(beside: market) else { return [] }
    var first: [Int64: Voter] = [:]
    var shared: Set<Int64> = []
    for report in members[dollars] where !table.placed.isMismatch(report.position) {
      if first[report.price] == nil { first[report.price] = report.voter }
      if first[report.price] != report.voter { shared.insert(report.price) }
    }
    return shared
  }
}
