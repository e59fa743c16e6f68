internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// What the votes of one series tell, positions counted from its first vote and interval.
struct SeriesLesson: Sendable {
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
    let told = descriptions(sorted, set: set)
    var most = [Int](repeating: 0, count: intervals.count - base)
    var start = 0
    while start < told.count {
      let first = told[start]
      var end = start
      var voters = 0
      while end < told.count, told[end].isLike(first) {
        if end == start || told[end].voter != told[end - 1].voter { voters += 1 }
        end += 1
      }
      if voters > most[Int(first.interval) - base] {
        most[Int(first.interval) - base] = voters
        let offer = set.offers[Int(first.offer)]
        intervals[Int(first.interval)].paymentMode = offer.paymentMode
        intervals[Int(first.interval)].numberOfPeriods = offer.numberOfPeriods
        intervals[Int(first.interval)].period = offer.period
      }
      start = end
    }
  }

  /// What the believed votes for the prices in force say about the offer, equal ones side by side.
  private func descriptions(_ sorted: [Int], set: SightingSet) -> [OfferDescription] {
    var told: [OfferDescription] = []
    for position in sorted {
      let vote = votes[position]
      guard vote.price == intervals[Int(vote.interval)].price.rawValue else { continue }
      told.append(OfferDescription(vote, set.offers[Int(vote.offer)]))
    }
    return told.sorted(by: OfferDescription.precedes)
  }
}

/// What a voter says about the offer that a price in force belongs to.
private struct OfferDescription {
  let interval: Int32
  let mode: PaymentMode
  let numberOfPeriods: Int32  // -1: not told
  let periodHours: Int64  // -1: not told
  let periodCount: Int32  // -1: not told
  let voter: Int32
  /// The offer's position in ``SightingSet/offers``.
  let offer: Int32

  init(_ vote: PriceVote, _ told: OfferPrice) {
    interval = vote.interval
    mode = told.paymentMode
    numberOfPeriods = told.numberOfPeriods ?? -1
    periodHours = told.period?.nominalHours ?? -1
    periodCount = told.period?.count ?? -1
    voter = vote.voter
    offer = vote.offer
  }

  /// Whether it says the same about the same interval, whoever says it.
  func isLike(_ other: OfferDescription) -> Bool {
    (interval, mode, numberOfPeriods, periodHours, periodCount)
      == (
        other.interval, other.mode, other.numberOfPeriods, other.periodHours, other.periodCount
      )
  }

  /// By all that ``isLike(_:)`` looks at, then the voter.
  static func precedes(_ left: OfferDescription, _ right: OfferDescription) -> Bool {
    (left.interval, left.mode, left.numberOfPeriods, left.periodHours, left.periodCount, left.voter)
      < (
        right.interval, right.mode, right.numberOfPeriods, right.periodHours, right.periodCount,
        right.voter
      )
  }
}
