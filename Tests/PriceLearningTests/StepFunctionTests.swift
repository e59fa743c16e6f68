import Testing
import TestSupport

@testable import PriceLearning

/// A series as text: one letter per vote, sorted by time; votes in brackets have the same moment.
struct StepCase: Sendable, CustomTestStringConvertible {
  var votes: String
  /// The steps, each with its level and the vote at which it begins.
  var steps: [String]
  var why: String
  var testDescription: String { "\(votes): \(why)" }
}

struct StepFunctionTests {
  @Test(arguments: [
    StepCase(votes: "AAA", steps: ["A0"], why: "one price is one level"),
    StepCase(
      votes: "AAABB", steps: ["A0"],
      why: "two votes for another price cost less than a step: 2 < 2.5"
    ),
    StepCase(votes: "AAABBB", steps: ["A0", "B3"], why: "three cost more: 3 > 2.5"),
    StepCase(
      votes: "AABABBB", steps: ["B2"],
      why: "contradicting three votes costs less than a step and one vote: 3 < 2.5 + 1"),
    StepCase(
      votes: "AAABABBB", steps: ["A0", "B3"],
      why:
        "a step at the fourth vote contradicts one vote, as one at the sixth does; the earlier is "
        + "taken: 2.5 + 1 < 4"),
    StepCase(
      votes: "AAAABBBBBBAAAA", steps: ["A0", "B4", "A10"],
      why: "six votes for a fortnight's price pay for two steps: 5 < 6"),
    StepCase(
      votes: "AAAABBBBBAAAA", steps: ["A0"],
      why: "five do not: one step there and one back cost as much, and staying is preferred"),
    StepCase(
      votes: "AAABBBA", steps: ["A0"],
      why: "three votes do not pay for a step and a late vote against it: 3 < 2.5 + 1"),
    StepCase(
      votes: "AAABBBBA", steps: ["A0", "B3"], why: "four do: 2.5 + 1 < 4"),
    StepCase(
      votes: "[AB]BB", steps: ["B0"], why: "votes of one moment are never on two sides of a step"),
    StepCase(votes: "AB", steps: ["A0"], why: "of equally good levels the first stands"),
  ])
  func `steps pay for themselves`(_ given: StepCase) {
    #expect(text(StepFunction.fit(votes(given.votes), levels: 3)) == given.steps)
  }

  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func `no other choice of levels costs less`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let levels = Int.random(in: 1...3, using: &random)
    let votes = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      StepFunction.Vote(
        time: Int64.random(in: 0...8, using: &random),
        level: Int32.random(in: 0..<Int32(levels), using: &random),
        weight: Int64.random(in: 1...(seed % 4 == 0 ? 10 : 1), using: &random))
    }.sorted { $0.time < $1.time }
    let steps = StepFunction.fit(votes, levels: levels)
    #expect(cost(of: steps, votes) == leastCost(votes, levels: levels), "seed \(seed), \(votes)")
    for step in steps {
      #expect(
        votes.contains { $0.time == step.from && $0.level == step.level },
        "seed \(seed): a step begins at a vote for its price")
    }
    for (left, right) in zip(steps, steps.dropFirst()) {
      #expect(left.level != right.level && left.from < right.from, "seed \(seed)")
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `the order of votes of one moment changes nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let votes = (0..<30).map { _ in
      StepFunction.Vote(
        time: Int64.random(in: 0...6, using: &random),
        level: Int32.random(in: 0...2, using: &random), weight: 1)
    }
    let first = votes.shuffled(using: &random).sorted { $0.time < $1.time }
    let second = votes.shuffled(using: &random).sorted { $0.time < $1.time }
    #expect(
      StepFunction.fit(first, levels: 3) == StepFunction.fit(second, levels: 3), "seed \(seed)")
  }
}

private func votes(_ text: String) -> [StepFunction.Vote] {
  var votes: [StepFunction.Vote] = []
  var time: Int64 = 0
  var isTogether = false
  for letter in text.utf8 {
    switch letter {
    case UInt8(ascii: "["): isTogether = true
    case UInt8(ascii: "]"):
      isTogether = false
      time += 1
    default:
      votes.append(
        StepFunction.Vote(time: time, level: Int32(letter - UInt8(ascii: "A")), weight: 1))
      if !isTogether { time += 1 }
    }
  }
  return votes
}

private func text(_ steps: [StepFunction.Step]) -> [String] {
  steps.map { "\(Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8($0.level))))\($0.from)" }
}

/// The cost of steps in half votes: two for each unit of contradicted weight, five for each step.
private func cost(of steps: [StepFunction.Step], _ votes: [StepFunction.Vote]) -> Int64 {
  let contradicted = votes.filter { vote in
    let inForce = steps.last { $0.from <= vote.time } ?? steps[0]
    return inForce.level != vote.level
  }
  return contradicted.reduce(0) { $0 + $1.weight * 2 } + Int64(steps.count - 1) * 5
}

/// The lowest cost of all assignments of levels to moments, computed by trying each.
private func leastCost(_ votes: [StepFunction.Vote], levels: Int) -> Int64 {
  let moments = Array(Set(votes.map(\.time))).sorted()
  var least = Int64.max
  func choose(_ index: Int, _ last: Int32?, _ sum: Int64) {
    guard index < moments.count else {
      least = min(least, sum)
      return
    }
    for level in 0..<Int32(levels) {
      let contradicted = votes.filter { $0.time == moments[index] && $0.level != level }
      let step: Int64 = last.map { $0 == level ? 0 : 5 } ?? 0
      choose(index + 1, level, sum + step + contradicted.reduce(0) { $0 + $1.weight * 2 })
    }
  }
  choose(0, nil, 0)
  return least
}
