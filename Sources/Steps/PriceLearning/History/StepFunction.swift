/// A price over time that contradicts as few votes as possible.
///
/// A vote for a price that is not in force costs its weight, and a step costs 2.5 votes; the total
/// cost is minimal. So a price that falls for two weeks and rises again gives three levels, but a
/// single late vote for an old price gives no new level.
///
/// Example: the votes 9.99, 9.99, 9.99, 12.99, 9.99, 12.99, 12.99, 12.99 make one step, at the
/// fourth vote. The step costs 2.5 and contradicts one vote, together 3.5; without a step four
/// votes are contradicted.
enum StepFunction {
  /// A vote for one of the levels.
  struct Vote: Hashable, Sendable {
    /// The time of the vote; a step never separates votes of one moment.
    var time: Int64
    /// The number of the level, from 0.
    ///
    /// If two levels cost the same, the level with the smaller number is used.
    var level: Int32
    /// The weight of the vote: 1 for a report, 10 for a signed price.
    var weight: Int64
  }

  /// A level in force from a moment on.
  struct Step: Hashable, Sendable {
    /// The time of the first vote for the level.
    var from: Int64
    var level: Int32
  }

  /// The cost of a step, in half votes.
  static let stepCost: Int64 = 5
  private static let voteCost: Int64 = 2

  /// Finds the cheapest steps, oldest first; empty without votes.
  ///
  /// The votes are read once (dynamic programming). After each vote, the least cost of a level is
  /// its previous cost, or the cost of the cheapest level plus a step. From each cost, the cost of
  /// contradicting all votes so far is subtracted. So a vote changes only the cost of its own
  /// level, and the time is linear in the number of votes.
  ///
  /// - Parameters:
  ///   - votes: The votes, sorted by time.
  static func fit(_ votes: [Vote], levels: Int) -> [Step] {
    guard !votes.isEmpty else { return [] }
    var costs = [Int64](repeating: 0, count: levels)  // less the cost of contradicting every vote
    var newest = [Int](repeating: -1, count: levels)  // the level's newest visit
    var visits: [Visit] = []
    var cheapest: Int32 = 0
    var index = 0
    while index < votes.count {
      var end = index
      while end < votes.count, votes[end].time == votes[index].time { end += 1 }
      let (from, limit) = (cheapest, costs[Int(cheapest)] + stepCost)
      let origin = newest[Int(from)]
      for (level, weight) in weights(of: votes[index..<end]) {
        let isStep = limit < costs[Int(level)]
        costs[Int(level)] = min(costs[Int(level)], limit) - weight * voteCost
        visits.append(
          Visit(
            time: votes[index].time, level: level, before: isStep ? origin : newest[Int(level)]))
        newest[Int(level)] = visits.count - 1
        let isCheaper =
          (costs[Int(level)], level) < (costs[Int(cheapest)], cheapest)
        if isCheaper { cheapest = level }
      }
      index = end
    }
    return steps(endingAt: newest[Int(cheapest)], visits)
  }

  /// A vote for the level in force, and the position of the vote before it on the cheapest path.
  private struct Visit {
    var time: Int64
    var level: Int32
    /// The position of the previous vote on the path.
    ///
    /// It is a vote for the same level, or for the level before a step.
    var before: Int
  }

  /// The levels with votes at one moment, each with the total weight of its votes.
  private static func weights(of votes: ArraySlice<Vote>) -> [(level: Int32, weight: Int64)] {
    guard votes.count > 1 else { return votes.map { ($0.level, $0.weight) } }
    var sums: [(level: Int32, weight: Int64)] = []
    for vote in votes.sorted(by: { $0.level < $1.level }) {
      if sums.last?.level == vote.level {
        sums[sums.count - 1].weight += vote.weight
      } else {
        sums.append((vote.level, vote.weight))
      }
    }
    return sums
  }

  private static func steps(endingAt last: Int, _ visits: [Visit]) -> [Step] {
    var steps: [Step] = []
    var visit = last
    while visit >= 0 {
      let step = Step(from: visits[visit].time, level: visits[visit].level)
      if steps.last?.level == step.level {
        steps[steps.count - 1] = step
      } else {
        steps.append(step)
      }
      visit = visits[visit].before
    }
    return steps.reversed()
  }
}
