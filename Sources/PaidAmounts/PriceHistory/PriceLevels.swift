internal import Purchases

/// The levels of one stretch of a price series and the intervals they open
/// (RULES section 3, "Price history").
struct PriceLevels {
  /// A price that voters report within the stretch.
  struct Level {
    var price: Int64
    var voters: Int32
    var reports: Int32
    var firstReport: Int  // position of the first vote for it
    var firstTime: Int64
    var lastTimes: [Int64]  // when each voter reports it last, ascending
  }

  /// A level in force from a moment on.
  struct Opening {
    var level: Int  // in ``levels``
    var from: Int64
  }

  /// Every price reported in the stretch, ascending.
  private(set) var levels: [Level] = []
  /// The levels that open an interval, by time; the first holds from the stretch's start.
  private(set) var openings: [Opening] = []

  /// Reads the believed votes of a stretch, by their positions in the order of price, voter, time.
  ///
  /// With `isOnePrice`, as after a date in `price_changes`, the mode of the votes holds throughout.
  init(sorted: [Int], votes: [PriceVote], isOnePrice: Bool) {
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, votes[sorted[end]].price == votes[sorted[start]].price { end += 1 }
      levels.append(Self.level(sorted[start..<end], votes: votes))
      start = end
    }
    let candidates = isOnePrice ? [] : levels.indices.filter { levels[$0].voters >= 2 }
    if candidates.isEmpty {
      if let mode = levels.indices.max(by: { isLess(levels[$0], than: levels[$1]) }) {
        openings = [Opening(level: mode, from: levels[mode].firstTime)]
      }
    } else {
      open(candidates)
    }
  }

  /// The opening in force at a moment.
  func opening(at time: Int64) -> Int {
    max(0, openings.firstPosition { $0.from > time } - 1)
  }

  private static func level(_ run: ArraySlice<Int>, votes: [PriceVote]) -> Level {
    let first = run.min() ?? 0  // positions order by time, then evidence id
    var lastTimes: [Int64] = []
    var voter: Int32 = -1
    for position in run {
      let vote = votes[position]
      if vote.voter == voter {
        lastTimes[lastTimes.count - 1] = vote.time
      } else {
        lastTimes.append(vote.time)
        voter = vote.voter
      }
    }
    return Level(
      price: votes[first].price, voters: Int32(lastTimes.count), reports: Int32(run.count),
      firstReport: first, firstTime: votes[first].time, lastTimes: lastTimes.sorted())
  }

  /// Fewer voters, then fewer reports, then the higher price.
  private func isLess(_ left: Level, than right: Level) -> Bool {
    (left.voters, left.reports, right.price) < (right.voters, right.reports, left.price)
  }

  /// Opens an interval for each level that the one in force does not outlive.
  private mutating func open(_ candidates: [Int]) {
    // Of levels first reported at one moment the one with most voters, of equal ones the lower
    // price, comes last and so stays in force.
    let ordered = candidates.sorted {
      let (left, right) = (levels[$0], levels[$1])
      return (left.firstTime, left.voters, right.price)
        < (right.firstTime, right.voters, left.price)
    }
    for candidate in ordered {
      let next = levels[candidate]
      guard let current = openings.last else {
        openings = [Opening(level: candidate, from: next.firstTime)]
        continue
      }
      let lastTimes = levels[current.level].lastTimes
      let laterVoters = lastTimes.count - lastTimes.firstPosition { $0 > next.firstTime }
      if laterVoters >= Int(next.voters) { continue }
      // An interval that would end where it begins is none.
      if current.from == next.firstTime { openings.removeLast() }
      openings.append(Opening(level: candidate, from: next.firstTime))
    }
  }
}
