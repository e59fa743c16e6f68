internal import Amounts
internal import CivilTime
internal import Parallel

/// The price levels of one series over time, inferred from its votes.
struct PriceSeriesInference: Sendable {
  /// A price and the two moments between which it was in force.
  struct Span: Hashable, Sendable {
    /// The start in Unix milliseconds; `nil` if the span has no start.
    var from: Int64?
    /// The end in Unix milliseconds, exclusive; `nil` if the span has no end.
    var to: Int64?
    var endsAtCut: Bool
    var price: Int64
    /// All votes in the span, believed or not, as positions in the votes of the series.
    var votes: Range<Int>
  }

  /// The spans, oldest first.
  private(set) var spans: [Span] = []

  /// Infers the spans of a series.
  ///
  /// - Parameters:
  ///   - votes: All votes of the series, sorted by time, then evidence id.
  ///   - cuts: The moments at which a new stretch begins, ascending; empty for offers.
  ///   - changeDates: The cuts at which the catalogue has a price change.
  ///   - listed: The catalogue's list prices, ascending in time.
  init(
    _ votes: ArraySlice<PriceVote>, cuts: [Int64], changeDates: Set<Int64> = [],
    listed: [CatalogueDates.ListPrice] = []
  ) {
    var start = votes.startIndex
    while start < votes.endIndex {
      let stretch = cuts.firstPosition { $0 > votes[start].time }
      let until = stretch < cuts.count ? cuts[stretch] : nil
      var end = start
      while end < votes.endIndex, until.map({ votes[end].time < $0 }) ?? true { end += 1 }
      let from = stretch > 0 ? cuts[stretch - 1] : nil
      let begun = from.flatMap { from in listed.last { $0.from == from } }
      let now = listed.last { $0.from <= votes[start].time }
      let next = until.flatMap { until in listed.last { $0.from == until } }
      learn(
        votes[start..<end], from: from, to: until,
        isChanged: from.map(changeDates.contains) ?? false, begun: begun?.price.rawValue,
        early: now == nil || next?.price == now?.price ? nil : next?.price.rawValue)
      start = end
    }
  }

  /// The time after a price change in the catalogue in which devices may still show the old price:
  /// 30 days.
  private static let longestCache = Milliseconds.days(30)
  /// The longest time from a list price of the catalogue to the reports that first show it: 120
  /// days.
  private static let longestDelay = Milliseconds.days(120)

  /// Infers the spans of one stretch.
  ///
  /// If the catalogue has a price change at the start of the stretch, devices may still report the
  /// old price from their caches for some days. So if the stretch begins with a level at the old
  /// price and another level follows within 30 days, the first level is ignored. The following
  /// level then starts at the date of the change. If the catalogue has the price of the following
  /// level from the start of the stretch on, 120 days are enough.
  ///
  /// - Parameters:
  ///   - begun: The list price that begins at the start of the stretch; `nil` if none does.
  ///   - early: The list price that begins at the end of the stretch, if another list price is in
  ///     force in the stretch; else `nil`. It cannot be in force in the stretch.
  private mutating func learn(
    _ votes: ArraySlice<PriceVote>, from: Int64?, to: Int64?, isChanged: Bool, begun: Int64?,
    early: Int64?
  ) {
    let stretchVotes = StretchVotes(votes, without: early)
    var steps = StepFunction.fit(stretchVotes.votes, levels: stretchVotes.levels.count)
    if steps.count > 1, let from, let last = spans.last,
      stretchVotes.levels[Int(steps[0].level)] == last.price
    {
      let isListed = begun == stretchVotes.levels[Int(steps[1].level)]
      let reach = isListed ? Self.longestDelay : isChanged ? Self.longestCache : Milliseconds(0)
      if steps[1].from - from <= reach.rawValue { steps.removeFirst() }
    }
    var start = votes.startIndex
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1].from : nil
      var end = start
      while end < votes.endIndex, next.map({ votes[end].time < $0 }) ?? true { end += 1 }
      spans.append(
        Span(
          from: index == 0 ? from : step.from, to: next ?? to,
          endsAtCut: next == nil && to != nil, price: stretchVotes.levels[Int(step.level)],
          votes: start..<end))
      start = end
    }
  }
}

/// The believed votes of a stretch for the candidate levels.
///
/// If a voter reports a price several times on one day, one vote is used. A report made more than a
/// day after its purchase may show a later price, so its vote is used only in a stretch without any
/// other believed vote.
private struct StretchVotes {
  /// The prices that may have been in force, in thousandths.
  ///
  /// They are the prices with at least two voters. If there are none, it is the price with the most
  /// reports; in a tie, the lowest. A signed price has the weight of ten voters.
  private(set) var levels: [Int64] = []
  /// The votes, sorted by time.
  private(set) var votes: [StepFunction.Vote] = []

  init(_ all: ArraySlice<PriceVote>, without price: Int64?) {
    let possible = all.filter { $0.isBelieved && $0.price != price }
    let prompt = possible.filter { !$0.isLate }
    let believed = prompt.isEmpty ? possible : prompt
    let sorted = believed.indices.sorted {
      (believed[$0].price, believed[$0].voter, $0) < (believed[$1].price, believed[$1].voter, $1)
    }
    var candidates: [(voters: Int, reports: Int, price: Int64, votes: [Int])] = []
    for index in sorted {
      let vote = believed[index]
      if candidates.last?.price != vote.price { candidates.append((0, 0, vote.price, [])) }
      let last = candidates.count - 1
      let before = candidates[last].votes.last.map { believed[$0] }
      candidates[last].reports += 1
      if before?.voter != vote.voter {
        candidates[last].voters += Int(vote.weight)
      } else if before.map({ Self.day($0.time) == Self.day(vote.time) }) ?? false {
        continue
      }
      candidates[last].votes.append(index)
    }
    candidates.sort { ($0.voters, $0.reports, $1.price) > ($1.voters, $1.reports, $0.price) }
    let shared = candidates.prefix { $0.voters >= 2 }
    let chosen = shared.isEmpty ? candidates.prefix(1) : shared
    levels = chosen.map(\.price)
    var placed: [(index: Int, level: Int32)] = []
    for (level, candidate) in chosen.enumerated() {
      placed += candidate.votes.map { ($0, Int32(level)) }
    }
    placed.sort { $0.index < $1.index }
    votes = placed.map {
      StepFunction.Vote(
        time: believed[$0.index].time, level: $0.level, weight: believed[$0.index].weight)
    }
  }

  private static func day(_ time: Int64) -> Int64 {
    Instant(milliseconds: time).day.daysSinceEpoch
  }
}
