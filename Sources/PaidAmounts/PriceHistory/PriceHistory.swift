internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// Every price series with its votes and the intervals they tell
/// (RULES section 3, "Price history").
struct PriceHistory: Sendable {
  /// The prices of the reports, by series, then time, then evidence id.
  private(set) var votes: [PriceVote]
  /// The series, ascending.
  let series: [SeriesKey]
  /// The intervals, by series, then start.
  private(set) var intervals: [PriceInterval] = []
  /// Where each series begins in ``intervals``; one more entry than series.
  private(set) var intervalStarts: [Int] = [0]
  /// The vote for the regular price of each report of the ledger.
  private(set) var regularVotes: [Int32]
  /// The vote of each offer of the set; -1 for one without a price.
  private(set) var offerVotes: [Int32]

  /// Learns the intervals from judged reports.
  ///
  /// The series of a group are learned together, and several groups at once.
  init(ledger: ReportLedger, set: SightingSet, groups: PriceGroups, workers: Int = 1) {
    let lessons = inParallel(groups.count, workers: workers) { group in
      let (votes, series, starts) = ledger.votes(ofGroup: Int32(group), set: set)
      return series.indices.map { index in
        SeriesLesson(
          series[index], votes: votes[starts[index]..<starts[index + 1]], set: set, groups: groups)
      }
    }.flatMap(\.self)
    series = lessons.map(\.key)
    votes = joined(lessons.map { $0.votes[...] }, workers: workers)
    regularVotes = Array(repeating: -1, count: ledger.judged.count)
    offerVotes = Array(repeating: -1, count: set.offers.count)
    var position = 0
    for (number, lesson) in lessons.enumerated() {
      let offset = Int32(intervals.count)
      for index in position..<position + lesson.votes.count {
        let (report, offer) = (votes[index].report, votes[index].offer)
        votes[index].series = Int32(number)
        if votes[index].interval >= 0 { votes[index].interval += offset }
        if offer < 0 {
          regularVotes[Int(report)] = Int32(index)
        } else {
          offerVotes[Int(offer)] = Int32(index)
        }
      }
      position += lesson.votes.count
      intervals += lesson.intervals
      intervalStarts.append(intervals.count)
    }
    for index in intervals.indices {
      let first = Int(intervals[index].firstReport)  // so far a position in the ledger
      intervals[index].firstReport = ledger.judged[first].report
    }
  }

  /// A series by its key; `nil` where nobody reports it.
  func index(of key: SeriesKey) -> Int? {
    let position = series.firstPosition { $0 >= key }
    return position < series.count && series[position] == key ? position : nil
  }

  /// The interval of a series in force at a moment, by its position in ``intervals``.
  func interval(of series: Int, at time: Int64) -> Int? {
    let range = intervalStarts[series]..<intervalStarts[series + 1]
    let next = intervals.firstPosition(in: range) {
      $0.from.map { $0.milliseconds > time } ?? false
    }
    guard next > range.lowerBound else { return nil }
    if let to = intervals[next - 1].to, to.milliseconds <= time { return nil }
    return next - 1
  }

  /// The same by key.
  func interval(of key: SeriesKey, at time: Int64) -> Int? {
    index(of: key).flatMap { interval(of: $0, at: time) }
  }

  /// The newest interval of a series.
  func newestInterval(of key: SeriesKey) -> Int? {
    guard let series = index(of: key) else { return nil }
    let range = intervalStarts[series]..<intervalStarts[series + 1]
    return range.isEmpty ? nil : range.upperBound - 1
  }

}

/// What the votes of one series tell, positions counted from its first vote and interval.
private struct SeriesLesson: Sendable {
  let key: SeriesKey
  var votes: [PriceVote]
  var intervals: [PriceInterval] = []

  init(_ key: SeriesKey, votes given: ArraySlice<PriceVote>, set: SightingSet, groups: PriceGroups)
  {
    self.key = key
    votes = Array(given)
    let cuts = key.isRegular ? groups.cuts[Int(key.group)] : []
    var start = 0
    while start < votes.count {
      let time = votes[start].time
      let stretch = cuts.firstPosition { $0.at > time }
      let until = stretch < cuts.count ? cuts[stretch].at : Int64.max
      var end = start
      while end < votes.count, votes[end].time < until { end += 1 }
      learn(
        key, start..<end, from: stretch > 0 ? cuts[stretch - 1].at : nil,
        to: stretch < cuts.count ? cuts[stretch].at : nil,
        isOnePrice: stretch > 0 && cuts[stretch - 1].isPriceChange, set: set, groups: groups)
      start = end
    }
  }

  /// Learns the intervals of one stretch and tells every vote in it where it stands.
  private mutating func learn(
    _ key: SeriesKey, _ range: Range<Int>, from: Int64?, to: Int64?, isOnePrice: Bool,
    set: SightingSet, groups: PriceGroups
  ) {
    let sorted = range.filter { votes[$0].isBelieved }.sorted {
      (votes[$0].price, votes[$0].voter, $0) < (votes[$1].price, votes[$1].voter, $1)
    }
    let levels = PriceLevels(sorted: sorted, votes: votes, isOnePrice: isOnePrice)
    guard !levels.openings.isEmpty else { return }
    let base = intervals.count
    for (index, opening) in levels.openings.enumerated() {
      let level = levels.levels[opening.level]
      let isLast = index == levels.openings.count - 1
      intervals.append(
        PriceInterval(
          series: SeriesID(
            productID: groups.product(key.group), currency: groups.currency(key.group),
            kind: key.kind),
          from: (index == 0 ? from : opening.from).map(Instant.init(milliseconds:)),
          to: (isLast ? to : levels.openings[index + 1].from).map(Instant.init(milliseconds:)),
          price: Milliunits(level.price), paymentMode: nil, numberOfPeriods: nil, period: nil,
          voters: 0, reports: 0, rejectedReports: 0,
          firstReport: votes[level.firstReport].report))
    }
    count(sorted, range: range, levels: levels, base: base)
    if !key.isRegular { describeOffers(sorted, base: base, set: set) }
  }

  /// Counts the voters and reports of each interval, and the voters of each vote's price.
  private mutating func count(
    _ sorted: [Int], range: Range<Int>, levels: PriceLevels, base: Int
  ) {
    for position in range {
      let interval = base + levels.opening(at: votes[position].time)
      votes[position].interval = Int32(interval)
      if !votes[position].isBelieved {
        intervals[interval].rejectedReports += 1
      } else if votes[position].price == intervals[interval].price.rawValue {
        intervals[interval].reports += 1
      }
    }
    var voters = [Int32](repeating: 0, count: intervals.count - base)
    var start = 0
    while start < sorted.count {
      let price = votes[sorted[start]].price
      var end = start
      var last: (voter: Int32, interval: Int32) = (-1, -1)
      while end < sorted.count, votes[sorted[end]].price == price {
        let vote = votes[sorted[end]]
        if (vote.voter, vote.interval) != last {
          voters[Int(vote.interval) - base] += 1
          last = (vote.voter, vote.interval)
        }
        end += 1
      }
      for position in sorted[start..<end] {
        let interval = Int(votes[position].interval)
        votes[position].voters = voters[interval - base]
        if price == intervals[interval].price.rawValue {
          intervals[interval].voters = voters[interval - base]
        }
      }
      for position in sorted[start..<end] { voters[Int(votes[position].interval) - base] = 0 }
      start = end
    }
  }

  /// Takes payment mode and length of each interval's offer from what most voters say.
  private mutating func describeOffers(_ sorted: [Int], base: Int, set: SightingSet) {
    struct Description: Hashable, Comparable {
      var interval: Int32
      var mode: PaymentMode
      var count: Int32  // -1: not told
      var hours: Int64  // -1: not told
      var periodCount: Int32
      var voter: Int32

      static func < (left: Self, right: Self) -> Bool {
        (left.interval, left.mode, left.count, left.hours, left.periodCount, left.voter)
          < (
            right.interval, right.mode, right.count, right.hours, right.periodCount, right.voter
          )
      }

      func isLike(_ other: Self) -> Bool {
        (interval, mode, count, hours, periodCount)
          == (other.interval, other.mode, other.count, other.hours, other.periodCount)
      }
    }
    var told: [(Description, Int32)] = []
    for position in sorted {
      let vote = votes[position]
      guard vote.price == intervals[Int(vote.interval)].price.rawValue else { continue }
      let offer = set.offers[Int(vote.offer)]
      told.append(
        (
          Description(
            interval: vote.interval, mode: offer.paymentMode, count: offer.numberOfPeriods ?? -1,
            hours: offer.period?.nominalHours ?? -1, periodCount: offer.period?.count ?? -1,
            voter: vote.voter), vote.offer
        ))
    }
    told.sort { $0 < $1 }
    var most = [Int](repeating: 0, count: intervals.count - base)
    var start = 0
    while start < told.count {
      let (first, offerIndex) = told[start]
      var end = start
      var voters = 0
      while end < told.count, told[end].0.isLike(first) {
        if end == start || told[end].0.voter != told[end - 1].0.voter { voters += 1 }
        end += 1
      }
      if voters > most[Int(first.interval) - base] {
        most[Int(first.interval) - base] = voters
        let offer = set.offers[Int(offerIndex)]
        intervals[Int(first.interval)].paymentMode = offer.paymentMode
        intervals[Int(first.interval)].numberOfPeriods = offer.numberOfPeriods
        intervals[Int(first.interval)].period = offer.period
      }
      start = end
    }
  }
}
