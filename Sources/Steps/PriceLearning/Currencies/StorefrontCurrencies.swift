public import Amounts
public import CivilTime
public import PurchaseModel

/// The currency of every storefront over time.
///
/// A storefront has the currency that most voters report there. If the currency changes, the change
/// is placed at the time that contradicts the fewest votes. Without reports, the App Store's own
/// table applies. Example: Bulgaria with reports in BGN until December 14 and in EUR from December
/// 20 → EUR from December 20.
public struct StorefrontCurrencies: Sendable {
  /// A span of time in which a currency was in force.
  private struct Span: Sendable {
    var from: Instant?
    var to: Instant?
    var currency: Currency
    /// The voters and times of reports of the next currency in the 30 days before this currency
    /// ended.
    ///
    /// Empty if no other currency follows, or if ``AppStoreCurrencies`` has the day of the change.
    var earlyReports: [(voter: Voter, time: Instant)] = []
    /// The last report of this currency, and the last report of this currency by a different voter.
    ///
    /// Empty if no other currency follows, or if ``AppStoreCurrencies`` has the day of the change.
    var last: [(voter: Voter, time: Instant)] = []
  }

  private var spans: [Storefront: [Span]] = [:]

  /// Learns the currencies from placed reports.
  ///
  /// Leaves out reports with a contested storefront, and reports with a currency that other voters
  /// contradict.
  init(_ placed: ComparedReports) {
    var byStorefront: [Storefront: [ReportPosition]] = [:]
    for (number, report) in placed.enumerated() {
      let position = ReportPosition(number)
      guard let place = report.place, report.rivalPlace == nil, report.currency.isKnown,
        !placed.isMismatch(position)
      else { continue }
      byStorefront[place, default: []].append(position)
    }
    for (storefront, positions) in byStorefront {
      let first = placed[positions[0].index].currency
      // Most storefronts have one currency, which needs no vote.
      if AppStoreCurrencies.replacement(in: storefront) == nil,
        positions.allSatisfy({ placed[$0.index].currency == first })
      {
        spans[storefront] = [Span(currency: first)]
        continue
      }
      let votes = positions.map { position in
        let report = placed[position.index]
        return PriceVote(
          position: position, offer: nil, voter: report.voter, time: report.time.milliseconds,
          price: Int64(report.currency.rawValue), isBelieved: true)
      }
      spans[storefront] = Self.spans(of: storefront, votes: votes)
    }
  }

  /// Creates the table from stored currencies, without reading reports.
  init(learned: [LearnedCurrency]) {
    for one in learned {
      spans[one.storefront, default: []].append(
        Span(from: one.from, to: one.to, currency: one.currency))
    }
  }

  /// The currencies of storefronts, sorted by storefront, then time.
  ///
  /// Leaves out a storefront whose only reported currency is its first currency in
  /// ``AppStoreCurrencies``.
  public var learned: [LearnedCurrency] {
    spans.sorted { $0.key < $1.key }.flatMap { storefront, spans -> [LearnedCurrency] in
      if spans.count == 1, spans[0].from == nil, spans[0].to == nil,
        AppStoreCurrencies.replacement(in: storefront) == nil,
        AppStoreCurrencies.currency(of: storefront, at: 0) == spans[0].currency
      {
        return []
      }
      return spans.map {
        LearnedCurrency(storefront: storefront, from: $0.from, to: $0.to, currency: $0.currency)
      }
    }
  }

  /// The currency of a storefront at a moment; `nil` if unknown.
  public func currency(of storefront: Storefront, at time: Instant) -> Currency? {
    span(of: storefront, at: time)?.currency
      ?? AppStoreCurrencies.currency(of: storefront, at: time.milliseconds)
  }

  /// The currency of a storefront in the App Store's own list, regardless of reports.
  ///
  /// `nil` if the list does not contain the storefront. Example: Austria → EUR, even if all phones
  /// there report US dollars.
  public static func usual(in storefront: Storefront, at time: Instant) -> Currency? {
    AppStoreCurrencies.currency(of: storefront, at: time.milliseconds)
  }

  /// Returns true if the App Store's own list has other currencies for a storefront within 60 days
  /// of a moment.
  ///
  /// False if the list does not contain the storefront. Example: US dollars in Germany → true.
  public static func excludes(
    _ currency: Currency, in storefront: Storefront, around time: Instant
  ) -> Bool {
    AppStoreCurrencies.excludes(currency, in: storefront, around: time.milliseconds)
  }

  /// Returns true if a report has the right currency, rather than an old currency from the cache of
  /// its device.
  ///
  /// The currency must be in force in the storefront at the time of the report. If another currency
  /// follows and the day of the change is only estimated from reports, three more conditions must
  /// hold:
  ///
  /// 1. The report was made more than a week before the estimated change.
  /// 2. Another voter reports the old currency, not earlier than the report.
  /// 3. No other voter has reported the next currency before the report, in the 30 days before the
  ///    estimated change.
  func isCertain(
    _ currency: Currency, of storefront: Storefront, at time: Instant, by voter: Voter
  ) -> Bool {
    guard let span = span(of: storefront, at: time) else {
      return self.currency(of: storefront, at: time) == currency
    }
    if !span.last.isEmpty, let end = span.to, end.since(time) <= .days(7) { return false }
    return span.currency == currency
      && !span.earlyReports.contains { $0.voter != voter && $0.time < time }
      && (span.last.isEmpty || span.last.contains { $0.voter != voter && $0.time >= time })
  }

  private func span(of storefront: Storefront, at time: Instant) -> Span? {
    spans[storefront]?.first { span in
      (span.from.map { $0 <= time } ?? true) && (span.to.map { time < $0 } ?? true)
    }
  }

  private static func spans(of storefront: Storefront, votes: [PriceVote]) -> [Span] {
    // Reports before a known day of the change to the euro prove nothing about the time after it,
    // and vice versa.
    let cuts = AppStoreCurrencies.replacement(in: storefront).map { [$0] } ?? []
    var sorted = votes.sorted { ($0.time, $0.position) < ($1.time, $1.position) }
    // In a tie the App Store's own currency wins: it has the smallest number.
    let own = sorted.last.flatMap { AppStoreCurrencies.currency(of: storefront, at: $0.time) }
    for index in sorted.indices where sorted[index].price == own.map({ Int64($0.rawValue) }) {
      sorted[index].price = 0
    }
    var learned = beginning(PriceSeriesInference(sorted[...], cuts: cuts).spans, sorted)
    if let former = former(before: learned.first, sorted, of: storefront, own) {
      learned[0].from = former.to
      learned[0].votes = former.votes.upperBound..<learned[0].votes.upperBound
      learned.insert(former, at: 0)
    }
    return learned.indices.map { index in
      let currency =
        learned[index].price == 0 ? own : Currency(rawValue: UInt32(learned[index].price))
      guard let currency else { preconditionFailure("no currency in a storefront's votes") }
      var span = Span(
        from: learned[index].from.map(Instant.init(milliseconds:)),
        to: learned[index].to.map(Instant.init(milliseconds:)), currency: currency)
      if index + 1 < learned.count, !learned[index].endsAtCut, let end = span.to {
        let votes = sorted[learned[index].votes]
        span.earlyReports = earlyReports(of: learned[index + 1].price, among: votes, before: end)
        span.last = last(of: learned[index].price, among: votes)
      }
      return span
    }
  }

  /// The span of the App Store's own currency before the first learned span of another currency.
  ///
  /// One report of the own currency is enough, because the App Store's list agrees. The span ends
  /// with the last of these reports. `nil` if nobody reports the own currency before the other.
  private static func former(
    before first: PriceSeriesInference.Span?, _ votes: [PriceVote], of storefront: Storefront,
    _ own: Currency?
  ) -> PriceSeriesInference.Span? {
    guard var span = first, span.price != 0, let own,
      let change = votes[span.votes].firstIndex(where: { $0.price == span.price }),
      let newest = votes[span.votes.lowerBound..<change].lastIndex(where: { $0.price == 0 }),
      AppStoreCurrencies.currency(of: storefront, at: votes[newest].time) == own
    else { return nil }
    (span.price, span.to, span.endsAtCut) = (0, votes[newest].time + 1, false)
    span.votes = span.votes.lowerBound..<newest + 1
    return span
  }

  /// Moves each change of the currency to the first report of the new one.
  ///
  /// A phone may show the old currency from its cache for some time, but not the new one before the
  /// change. At least three voters must report the new currency in the 30 days before the change
  /// that the votes show, and nobody earlier.
  private static func beginning(_ spans: [PriceSeriesInference.Span], _ votes: [PriceVote])
    -> [PriceSeriesInference.Span]
  {
    var spans = spans
    for index in spans.indices.dropLast() where !spans[index].endsAtCut {
      guard let end = spans[index].to else { continue }
      let early = votes[spans[index].votes].filter { $0.price == spans[index + 1].price }
      guard let first = early.first, end - first.time <= Milliseconds.days(30).rawValue,
        Set(early.map(\.voter)).count >= CurrencyMismatches.leastVoters
      else { continue }
      (spans[index].to, spans[index + 1].from) = (first.time, first.time)
    }
    return spans
  }

  /// The last vote for a currency, and the last vote for this currency by a different voter.
  private static func last(of currency: Int64, among votes: ArraySlice<PriceVote>)
    -> [(voter: Voter, time: Instant)]
  {
    let own = votes.reversed().lazy.filter { $0.price == currency }
    guard let newest = own.first else { return [] }
    let other = own.first { $0.voter != newest.voter }
    return [newest, other].compactMap { vote in
      vote.map { ($0.voter, Instant(milliseconds: $0.time)) }
    }
  }

  /// The votes for the next currency in the 30 days before the change, with their voters.
  private static func earlyReports(
    of next: Int64, among votes: ArraySlice<PriceVote>, before end: Instant
  ) -> [(voter: Voter, time: Instant)] {
    let from = end.advanced(by: Milliseconds(-Milliseconds.days(30).rawValue))
    return votes.filter { $0.price == next && $0.time >= from.milliseconds }.map {
      ($0.voter, Instant(milliseconds: $0.time))
    }
  }
}

/// The currency of a storefront in a span of time, learned from reports.
public struct LearnedCurrency: Hashable, BitwiseCopyable, Sendable {
  /// The storefront that uses the currency.
  public var storefront: Storefront
  /// The start of the span, inclusive; `nil` if the span has no known start.
  public var from: Instant?
  /// The end of the span, exclusive; `nil` if no other currency follows.
  public var to: Instant?
  /// The currency in this span.
  public var currency: Currency
}
