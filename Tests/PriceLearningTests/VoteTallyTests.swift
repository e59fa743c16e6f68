import Testing
import TestSupport

@testable import PriceLearning

struct VoteTallyTests {
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `a tally finds the price with most voters, of equal ones the higher`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let prices = Int.random(in: 1...9, using: &random)
    let voters = 4
    var tally = VoteTally(prices: prices, pairs: prices * voters, voters: voters)
    var counted: [Int] = []
    for _ in 0..<200 {
      let pair = Int.random(in: 0..<prices * voters, using: &random)
      let (price, voter) = (Int32(pair / voters), Int32(pair % voters))
      if Bool.random(using: &random), let known = counted.firstIndex(of: pair) {
        counted.remove(at: known)
        tally.remove(pair: Int32(pair), price: price, voter: voter)
      } else {
        counted.append(pair)
        tally.add(pair: Int32(pair), price: price, voter: voter)
      }
      let byPrice = Dictionary(grouping: Set(counted)) { $0 / voters }.mapValues(\.count)
      let best = byPrice.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
      #expect(tally.best.map(Int.init) == best, "seed \(seed)")
      #expect(Int(tally.voterCount) == Set(counted.map { $0 % voters }).count, "seed \(seed)")
      let own = byPrice[Int(price)] ?? 0
      let leads = own >= 2 && byPrice.allSatisfy { $0.key == Int(price) || $0.value < own }
      #expect(tally.leads(price, atLeast: 2) == leads, "seed \(seed)")
    }
  }
}
