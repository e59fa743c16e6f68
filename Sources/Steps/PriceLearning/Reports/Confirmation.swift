internal import Amounts
internal import CivilTime
internal import Parallel
internal import PurchaseModel

extension ListedReports {
  /// Finds the reports whose regular price other voters confirm.
  ///
  /// These conditions must hold:
  ///
  /// 1. The report's price is in force at its time and storefront, or no price is in force.
  /// 2. Enough other voters report the same price there, and more than report any other price.
  ///    Enough means ``leastOthers`` (usually two) within 90 days, or four within 30 days. Only
  ///    reports of the same stretch and the same interval of the price history are used.
  /// 3. Within 30 days, more than twice as many of them report this price as any other price. If
  ///    nobody else reports in that time, others must report the price both before and after the
  ///    report, and nobody another price within 90 days.
  /// 4. The price had certainly not ended before the report. If the catalogue lacks the date at
  ///    which the price ended, another voter must report the price at the time of the report or
  ///    later. So the last report of a price is not confirmed. And in the 30 days before the end,
  ///    no other voter may report the next price before the report.
  /// 5. If the storefront of the report is unknown, two other voters report the price at the time
  ///    of the report or later.
  ///
  /// In two cases nine other voters are needed:
  ///
  /// - The price is far from the guide. It may be false, because a small market may have many false
  ///   reports.
  /// - The price equals the product's price in US dollars, and some voter reports another price. It
  ///   may be an amount in dollars, which some SDKs send with the local currency.
  ///
  /// Example: a report of 9.99 with two others of 9.99 is confirmed. A report of 4.99 by a single
  /// voter is not confirmed, and neither is a report of 9.99 on the day after another voter's first
  /// 12.99.
  ///
  /// - Parameters:
  ///   - dollars: The price in US dollars at a report's time, in thousandths; `nil` for a report in
  ///     dollars, or without a price.
  func confirmed(
    in history: PriceHistory, guide: Int64?, dollars: (MarketReport) -> Int64?
  ) -> [ReportPosition] {
    var confirmed: [ReportPosition] = []
    var earlyReports = EarlyReports()
    for part in parts(in: history) {
      let window = ReportWindow(Array(members[part]))
      let isDollars = window.members.map { dollars($0) == $0.price }
      var isLed = [Bool](repeating: false, count: window.members.count)
      var (isPresent, isUndisputed, isAlone) = (isLed, isLed, isLed)
      for (reach, least) in [(Self.longPresence, leastOthers), (Self.presence, 4)] {
        window.forEachMember(reach: reach) { member, tally in
          let price = window.price[member]
          let isDoubtful =
            guide.map { Self.isFar(window.members[member].price, from: $0) } ?? false
            || isDollars[member] && !tally.isUnanimous(price)
          let votes = tally.votes(
            for: price, without: window.ownPairs[member], prices: window.pairPrices)
          let least = isDoubtful ? Self.leastFromMany : least
          isLed[member] = isLed[member] || votes.own >= least && votes.own > votes.rival
          if reach == Self.longPresence {
            isUndisputed[member] = votes.own > 0 && votes.rival == 0
          } else {
            isPresent[member] = votes.own > 2 * votes.rival
            isAlone[member] = votes.own == 0 && votes.rival == 0
          }
        }
      }
      let surrounded = window.surrounded(within: Self.longPresence) {
        isAlone[$0] && isUndisputed[$0]
      }
      for member in surrounded { isPresent[member] = true }
      for (member, report) in window.members.enumerated()
      where isLed[member] && isPresent[member] && isChecked(report)
        && isCurrent(report, in: history, &earlyReports)
      {
        confirmed.append(report.position)
      }
    }
    return confirmed
  }

  /// The time before and after a report in which most other voters must report its price: 30 days.
  static let presence = Milliseconds.days(30)
  /// The time before and after a report in which nobody may report another price, if nobody reports
  /// in the shorter time: 90 days.
  private static let longPresence = Milliseconds.days(90)

  /// The reports of each stretch as ranges of ``members``, divided where the price in force
  /// changes.
  func parts(in history: PriceHistory) -> [Range<Int>] {
    stretches.flatMap { stretch in
      var parts: [Range<Int>] = []
      var start = stretch.lowerBound
      var current = interval(at: members[start].time, in: history)
      for index in stretch.dropFirst() {
        let next = interval(at: members[index].time, in: history)
        guard next != current else { continue }
        parts.append(start..<index)
        (start, current) = (index, next)
      }
      return parts + [start..<stretch.upperBound]
    }
  }

  /// The number of other voters needed to confirm a price that is far from the guide, or that
  /// equals the product's price in US dollars.
  private static let leastFromMany: Int32 = 9

  /// Returns true if a price is below 0.6 or above 1.67 times the guide.
  private static func isFar(_ price: Int64, from guide: Int64) -> Bool {
    5 * price < 3 * guide || 3 * price > 5 * guide
  }

  /// Returns true if a report has the price in force, and this price had certainly not ended before
  /// the report.
  ///
  /// Also returns true if no price is in force.
  private func isCurrent(
    _ report: MarketReport, in history: PriceHistory, _ earlyReports: inout EarlyReports
  ) -> Bool {
    guard let interval = interval(at: report.time, in: history) else {
      return priceInForce(at: report.time, in: history) == nil
    }
    guard interval.price.rawValue == report.price else { return false }
    let isOpenEnded = interval.to == nil || interval.endsAtCatalogueDate
    if isOpenEnded, report.place != nil { return true }
    let least = report.place == nil ? 2 : 1
    guard isReportedLater(report, byVoters: least, before: interval.to?.milliseconds) else {
      return false
    }
    guard !isOpenEnded, let end = interval.to?.milliseconds,
      let next = priceInForce(at: end, in: history)
    else { return true }
    return !isPreceded(report, end: end, by: next, &earlyReports)
  }

  /// Returns true if enough other voters report the same price at or after a report, and before
  /// `end`.
  private func isReportedLater(_ report: MarketReport, byVoters least: Int, before end: Int64?)
    -> Bool
  {
    let first = members.firstPosition { $0.time >= report.time }
    var voters: Set<Voter> = []
    for other in members[first...] {
      if let end, other.time >= end { return false }
      guard other.price == report.price, other.voter != report.voter else { continue }
      voters.insert(other.voter)
      if voters.count == least { return true }
    }
    return false
  }

  /// The first reports of each price in the 30 days before it comes into force.
  ///
  /// The key is the moment at which the price comes into force.
  ///
  /// Each list has at most two reports: the first report, and the first report by a different
  /// voter.
  private typealias EarlyReports = [Int64: [MarketReport]]

  /// Returns true if another voter reports the next price before a report, in the 30 days before
  /// that price begins.
  private func isPreceded(
    _ report: MarketReport, end: Int64, by next: Int64, _ earlyReports: inout EarlyReports
  ) -> Bool {
    let from = end - Milliseconds.days(30).rawValue
    guard report.time >= from else { return false }
    let first = earlyReports[end] ?? firstReports(of: next, from: from, before: end)
    earlyReports[end] = first
    return first.contains { $0.time < report.time && $0.voter != report.voter }
  }

  private func firstReports(of price: Int64, from: Int64, before end: Int64) -> [MarketReport] {
    var found: [MarketReport] = []
    for report in members[members.firstPosition { $0.time >= from }...] {
      guard report.time < end, found.count < 2 else { break }
      if report.price == price, report.voter != found.first?.voter { found.append(report) }
    }
    return found
  }
}

extension ReportWindow {
  /// The members for which `isWanted` is true, and whose price other voters report both before and
  /// after them, within a time.
  fileprivate func surrounded(within reach: Milliseconds, where isWanted: (Int) -> Bool) -> [Int] {
    let wanted = members.indices.filter(isWanted)
    guard !wanted.isEmpty else { return [] }
    var isPreceded = Set<Int>()
    var isFollowed = Set<Int>()
    func isShared(_ member: Int, _ tally: inout VoteTally) -> Bool {
      tally.votes(for: price[member], without: ownPairs[member], prices: pairPrices).own > 0
    }
    forEachMember(before: reach, after: Milliseconds(0)) { member, tally in
      if isWanted(member), isShared(member, &tally) { isPreceded.insert(member) }
    }
    forEachMember(before: Milliseconds(0), after: reach) { member, tally in
      if isWanted(member), isShared(member, &tally) { isFollowed.insert(member) }
    }
    return wanted.filter { isPreceded.contains($0) && isFollowed.contains($0) }
  }
}
