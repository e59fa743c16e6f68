import Amounts
@testable import PriceLearning
import PurchaseModel

/// The verdict of the later passes on a report.
struct PlainVerdict {
  var verdict: Verdict
  var reference: Int64?
  var outvoting: ReportVerdict.Outvoting?
  var distrustedFor: Int?
  var isConfirmed = false
  var isOutnumbered = false

  /// Whether the report votes.
  ///
  /// If the only two reports have very different prices, the report is believed but does not vote.
  var isBelieved: Bool { verdict.isBelieved && !(verdict == .noReference && reference != nil) }

  /// The verdict; a neutral verdict for a report that is believed but does not vote.
  fileprivate var asVoter: Verdict {
    verdict.isBelieved && !isBelieved ? .contestedPlace : verdict
  }
}

extension PlainReading {
  /// Runs all passes, one after another.
  func reportVerdicts() -> (
    [PlainVerdict], apart: [Currency: [Storefront]],
    history: (PlainReport, List) -> [PlainInterval]
  ) {
    var judged = reports.map { report in
      let storedVerdict = storedVerdict(of: report)
      return PlainVerdict(verdict: storedVerdict.verdict, reference: storedVerdict.reference)
    }
    let apart = apart(judged.map(\.asVoter))
    for report in reports where isOtherList(report, apart) {
      judged[report.index].verdict = .contestedPlace
      judged[report.index].reference = nil
    }
    for (report, cause) in amountsInDollars(outvote(judged, apart), apart, judged.map(\.asVoter)) {
      judged[report].verdict = .distrusted
      judged[report].distrustedFor = cause
    }
    judged = outvote(judged, apart)
    let outvoted = judged.map(\.verdict)
    for report in reports where outvoted[report.index].isBelieved {
      guard let cause = causeOfDistrust(report, outvoted) else { continue }
      judged[report.index].verdict = .distrusted
      judged[report.index].distrustedFor = cause
    }
    let final = judged.map(\.asVoter)
    for report in reports where final[report.index] == .believed {
      judged[report.index].isConfirmed = isConfirmed(report, apart, final)
    }
    for report in reports where final[report.index].isBelieved {
      judged[report.index].isOutnumbered =
        Circle(self, report, apart, final)
        .isOutnumbered(isApart: !(apart[report.currency] ?? []).isEmpty)
    }
    for report in reports where report.isMisplaced {
      let lists = Self.lists(nil, apart[report.currency] ?? [])
      let isInForce = lists.contains { list in
        history(like: report, list: list, apart: apart, final)
          .contains { $0.holds(at: report.time) && $0.price == report.price }
      }
      judged[report.index].verdict = isInForce ? .wrongPlace : .currencyMismatch
    }
    return (judged, apart, { history(like: $0, list: $1, apart: apart, final) })
  }

  /// Marks the outvoted reports.
  private func outvote(_ given: [PlainVerdict], _ apart: [Currency: [Storefront]]) -> [PlainVerdict]
  {
    let before = given.map(\.asVoter)
    var judged = given
    for report in reports where before[report.index].isBelieved {
      let circle = Circle(self, report, apart, before)
      guard let outvoting = circle.outvoting() else { continue }
      judged[report.index].verdict = .outvoted
      judged[report.index].outvoting = outvoting
    }
    return judged
  }

  /// The believed amounts in dollars of voters who report nothing else in other currencies, one of
  /// them refused; each with the nearest refused one.
  ///
  /// Without those whose price most others report.
  private func amountsInDollars(
    _ outvoted: [PlainVerdict], _ apart: [Currency: [Storefront]], _ before: [Verdict]
  ) -> [(report: Int, cause: Int)] {
    guard let dollar = Currency("USD") else { return [] }
    /// Whether a price is that in dollars; `nil` if unknown.
    func isInDollars(_ report: PlainReport) -> Bool? {
      guard report.currency != dollar, !report.isAside, !report.isMisplaced,
        let like = learned.first(where: {
          $0.product == report.product && $0.currency == dollar
        })
      else { return nil }
      return history(like: like, list: nil, apart: apart, before)
        .first { $0.holds(at: report.time) }.map { $0.price == report.price }
    }
    let known = reports.map(isInDollars)
    /// The refused amounts of a voter who sends nothing but dollars.
    func refused(_ voter: Voter) -> [PlainReport] {
      let own = reports.filter { $0.voter == voter }
      guard !own.contains(where: { known[$0.index] == false }) else { return [] }
      return own.filter {
        known[$0.index] == true
          && [.outlier, .unitError, .outvoted].contains(outvoted[$0.index].verdict)
      }
    }
    let senders = Set(reports.map(\.voter).filter { !refused($0).isEmpty })
    return reports.compactMap { report in
      guard known[report.index] == true, before[report.index].isBelieved,
        outvoted[report.index].verdict != .outvoted
      else { return nil }
      let others = Self.near(report, days: 90, learned).filter {
        $0.product == report.product && $0.currency == report.currency
          && before[$0.index].isBelieved && !senders.contains($0.voter)
      }
      var count = Self.tally(others)
      let same = count.removeValue(forKey: report.price) ?? 0
      guard same <= count.values.max() ?? 0 else { return nil }
      let cause = refused(report.voter).min {
        (abs($0.time - report.time), $0.index) < (abs($1.time - report.time), $1.index)
      }
      return cause.map { (report.index, $0.index) }
    }
  }

  /// Whether the record around a report's purchase is from a storefront with another price list.
  private func isOtherList(_ report: PlainReport, _ apart: [Currency: [Storefront]]) -> Bool {
    guard !report.isAside, let place = report.place, let rival = report.rival else { return false }
    let known = apart[report.currency] ?? []
    return Self.lists(place, known) != Self.lists(rival, known)
  }

  /// The unbelieved report of the same voter: the nearest earlier one, else the nearest later one,
  /// within 30 days.
  private func causeOfDistrust(_ report: PlainReport, _ verdicts: [Verdict]) -> Int? {
    let lies = reports.filter {
      $0.voter == report.voter && !verdicts[$0.index].isBelieved
        && ![.contestedPlace, .wrongPlace, .distrusted].contains(verdicts[$0.index])
        && !(verdicts[$0.index] == .outvoted && $0.isLate)
    }
    let earlier = lies.filter { ($0.time, $0.index) < (report.time, report.index) }
      .max { ($0.time, $0.index) < ($1.time, $1.index) }
    let later = lies.filter { ($0.time, $0.index) > (report.time, report.index) }
      .min { ($0.time, $0.index) < ($1.time, $1.index) }
    return [earlier, later].compactMap(\.self)
      .first { abs($0.time - report.time) <= Self.days(30) }?.index
  }

  // MARK: Confirmed

  private func isConfirmed(
    _ report: PlainReport, _ apart: [Currency: [Storefront]], _ verdicts: [Verdict]
  ) -> Bool {
    let circle = Circle(self, report, apart, verdicts)
    let heard = Circle(self, report, apart, verdicts) {
      $0 == .believed || $0 == .outvoted || $0 == .distrusted
    }
    guard circle.isLed(), circle.isCurrent(), heard.isSteady() else { return false }
    guard let place = report.place else {
      // An app with a wrong currency code sends the digits of the right currency.
      return !learned.contains { other in
        other.product == report.product && other.currency != report.currency
          && history(like: other, list: nil, apart: apart, verdicts)
            .first { $0.holds(at: report.time) }?.price == report.price
      }
    }
    return isCertain(report, in: place)
  }

  /// Returns true if a report's currency cannot be an earlier currency that a phone still shows.
  private func isCertain(_ report: PlainReport, in place: Storefront) -> Bool {
    let spans = currencySpans(of: place)
    guard let index = spans.firstIndex(where: { $0.holds(at: report.time) }) else { return true }
    guard spans[index].price == currencyNumber(report.currency, in: place) else { return false }
    guard index + 1 < spans.count, let end = spans[index].to else { return true }
    guard end - report.time > Self.days(7) else { return false }
    let others = spans[index].reports.filter { $0.voter != report.voter }
    let hasEarlyReport = others.contains {
      $0.price == spans[index + 1].price && $0.time < report.time
        && end - $0.time <= Self.days(30)
    }
    let own = spans[index].reports.filter { $0.price == spans[index].price }
    return !hasEarlyReport && own.contains { $0.voter != report.voter && $0.time >= report.time }
  }
}

extension PlainInterval {
  func holds(at time: Int64) -> Bool {
    (from.map { $0 <= time } ?? true) && (to.map { time < $0 } ?? true)
  }
}

/// A report with the believed reports of its price list.
///
/// If the list is unknown, of all lists.
private struct Circle {
  let reading: PlainReading
  let report: PlainReport
  let lists: [PlainReading.List]
  let members: [PlainReport]
  let histories: [[PlainInterval]]
  /// Whether the price is in another currency but equals the product's price in US dollars.
  let isDollars: Bool

  init(
    _ reading: PlainReading, _ report: PlainReport, _ apart: [Currency: [Storefront]],
    _ verdicts: [Verdict], among isMember: (Verdict) -> Bool = { $0.isBelieved }
  ) {
    self.reading = reading
    self.report = report
    let known = apart[report.currency] ?? []
    let lists = PlainReading.lists(report.place, known)
    self.lists = lists
    members = reading.reports.filter {
      $0.product == report.product && $0.currency == report.currency
        && isMember(verdicts[$0.index])
        && (lists.count > 1 || PlainReading.lists($0.place, known) == lists)
    }
    histories = lists.map { reading.history(like: report, list: $0, apart: apart, verdicts) }
    let dollars = Currency("USD")
    isDollars =
      report.currency != dollars
      && reading.learned.contains { other in
        other.product == report.product && other.currency == dollars
          && reading.history(like: other, list: nil, apart: apart, verdicts)
            .first { $0.holds(at: report.time) }?.price == report.price
      }
  }

  private var list: PlainReading.List { lists.count == 1 ? lists[0] : nil }
  private var others: [PlainReport] { members.filter { $0.voter != report.voter } }

  /// The price that is in force at a moment in all lists.
  ///
  /// Lists without a price at that moment are ignored. Of several intervals, the interval that ends
  /// first.
  private func inForce(at time: Int64) -> PlainInterval? {
    let found = histories.compactMap { $0.first { $0.holds(at: time) } }
    guard Set(found.map(\.price)).count == 1 else { return nil }
    return found.min { ($0.to ?? .max) < ($1.to ?? .max) }
  }

  func outvoting() -> ReportVerdict.Outvoting? {
    guard let now = inForce(at: report.time), now.price != report.price else { return nil }
    let near = PlainReading.near(
      report, days: isDollars ? 90 : 30,
      reading.stretchMates(of: report, list: list, among: members))
    let against = near.filter { $0.price == now.price && $0.voter != report.voter }
    let same = PlainReading.voters(near.filter { $0.price == report.price })
    guard PlainReading.voters(against) >= (isDollars ? 2 : 4),
      PlainReading.voters(against) > same,
      PlainReading.voters(against.filter { $0.time >= report.time }) >= (isDollars ? 1 : 2)
    else { return nil }
    return ReportVerdict.Outvoting(
      priceInForce: Milliunits(now.price), inForce: Int32(PlainReading.voters(against)),
      same: Int32(same))
  }

  /// Returns true if no step lies between the report and another report of its list.
  private func isBeforeNextStep(_ other: PlainReport) -> Bool {
    let (first, last) = (min(report.time, other.time), max(report.time, other.time))
    let mates = reading.stretchMates(of: report, list: list, among: members)
    let steps = Set(
      mates.filter { $0.time >= first && $0.time <= last }.map { mate in
        inForce(at: mate.time).map { "\($0.price) \($0.from ?? 0) \($0.to ?? 0)" }
      })
    return steps.count <= 1
  }

  /// Whether at least two others, and more than report the price, report the one in force.
  func isOutnumbered(isApart: Bool) -> Bool {
    guard let now = inForce(at: report.time), now.price != report.price else { return false }
    func votes(_ days: Int64, _ isMember: (PlainReport) -> Bool) -> (own: Int, rival: Int) {
      let near = PlainReading.near(
        report, days: days, reading.stretchMates(of: report, list: list, among: others)
      ).filter(isMember)
      return (
        PlainReading.voters(near.filter { $0.price == report.price }),
        PlainReading.voters(near.filter { $0.price == now.price })
      )
    }
    let all = votes(30) { _ in true }
    let local = votes(180) { $0.place == report.place }
    return all.rival >= 2 && all.rival > all.own
      && (report.place == nil
        ? !isApart : local.own <= local.rival && !(isApart && local.rival == 0))
  }

  /// Whether no other voter reports another price soon, the next other voter agrees, and the price
  /// has a majority while it is in force.
  func isSteady() -> Bool {
    let mates = reading.stretchMates(of: report, list: list, among: others)
    let isMoving = mates.contains {
      $0.price != report.price && $0.time >= report.time - PlainReading.days(1)
        && $0.time <= report.time + PlainReading.days(7)
    }
    let next = mates.filter {
      $0.time > report.time && $0.time <= report.time + PlainReading.days(30)
    }.min { ($0.time, $0.index) < ($1.time, $1.index) }
    let present = PlainReading.tally(
      PlainReading.near(report, days: 30, mates).filter(isBeforeNextStep))
    let rival = present.filter { $0.key != report.price }.values.max() ?? 0
    guard rival == 0 || present[report.price] ?? 0 > 2 * rival else { return false }
    return !isMoving && (next.map { $0.price == report.price } ?? !report.isAsked)
  }

  /// Whether enough other voters report the price, and most of those who are present.
  func isLed() -> Bool {
    let isFar =
      reading.guide(report).map { !PlainReading.isWithin(report.price, 5.0 / 3, of: $0) } ?? false
    let isSeparateByReports =
      list.map { !reading.listedStorefronts(in: report.currency).contains($0) } ?? false
    let nearby = isSeparateByReports ? 4 : 2
    func near(_ days: Int64) -> [PlainReport] {
      PlainReading.near(
        report, days: days, reading.stretchMates(of: report, list: list, among: members)
      ).filter(isBeforeNextStep)
    }
    func votes(_ days: Int64) -> (own: Int, rival: Int) {
      var count = PlainReading.tally(near(days).filter { $0.voter != report.voter })
      let own = count.removeValue(forKey: report.price) ?? 0
      return (own, count.values.max() ?? 0)
    }
    let isSurrounded =
      votes(30) == (0, 0) && votes(90).rival == 0
      && [{ $0 <= $1 }, { $0 >= $1 }].allSatisfy { (isOnSide: (Int64, Int64) -> Bool) in
        near(90).contains {
          $0.price == report.price && $0.voter != report.voter && isOnSide($0.time, report.time)
        }
      }
    guard votes(30).own > 2 * votes(30).rival || isSurrounded else { return false }
    return ([(90, nearby), (30, 4)] as [(Int64, Int)]).contains { days, least in
      let isUnanimous =
        PlainReading.voters(near(days))
        == PlainReading.voters(near(days).filter { $0.price == report.price })
      return votes(days).own >= (isFar || isDollars && !isUnanimous ? 9 : least)
        && votes(days).own > votes(days).rival
    }
  }

  /// Whether the price is in force and has certainly not ended, or no price is in force.
  func isCurrent() -> Bool {
    guard let now = inForce(at: report.time) else { return true }
    guard now.price == report.price else { return false }
    let isOpenEnded = now.to == nil || now.endsAtCut
    let later = others.filter { other in
      other.price == report.price && other.time >= report.time
        && (now.to.map { other.time < $0 } ?? true)
    }
    if report.place == nil {
      guard PlainReading.voters(later) >= 2 else { return false }
    } else if !isOpenEnded {
      guard !later.isEmpty else { return false }
    }
    guard !isOpenEnded, let end = now.to, let next = inForce(at: end) else { return true }
    return !others.contains {
      $0.price == next.price && $0.time < report.time
        && $0.time >= end - PlainReading.days(30)
    }
  }
}
