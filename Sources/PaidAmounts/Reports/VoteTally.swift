/// The prices of some reports by the number of their distinct voters, while reports come and go.
///
/// Prices are numbers from 0 in ascending order. A tournament tree over them keeps the price with
/// most voters at its root, of equal ones the higher price, so that a window that slides over the
/// reports costs a logarithm a step, however many prices a liar invents.
struct VoteTally {
  private var voters: [Int32]  // by price
  private var multiplicity: [Int32]  // by pair of price and voter
  private var winners: [Int32]  // a heap-ordered tree; the leaves are prices
  private let leaves: Int

  /// An empty tally of so many prices and pairs of a price and a voter.
  init(prices: Int, pairs: Int) {
    var leaves = 1
    while leaves < prices { leaves *= 2 }
    self.leaves = leaves
    voters = Array(repeating: 0, count: leaves)
    multiplicity = Array(repeating: 0, count: pairs)
    winners = Array(repeating: 0, count: leaves * 2)
    for leaf in 0..<leaves { winners[leaves + leaf] = Int32(leaf) }
    for node in stride(from: leaves - 1, to: 0, by: -1) {
      winners[node] = winners[node * 2 + 1]
    }
  }

  /// Counts a report.
  mutating func add(pair: Int32, price: Int32) {
    multiplicity[Int(pair)] += 1
    if multiplicity[Int(pair)] == 1 { change(price, by: 1) }
  }

  /// Takes a report out again.
  mutating func remove(pair: Int32, price: Int32) {
    multiplicity[Int(pair)] -= 1
    if multiplicity[Int(pair)] == 0 { change(price, by: -1) }
  }

  /// Distinct voters of a price.
  func voters(of price: Int32) -> Int32 { voters[Int(price)] }

  /// The price with most voters, of equal ones the higher; `nil` where nobody votes.
  var best: Int32? {
    let winner = winners[1]
    return voters[Int(winner)] > 0 ? winner : nil
  }

  /// The same without the votes of one voter, whose pairs and their prices are given.
  mutating func best(without pairs: Range<Int>, prices: [Int32]) -> Int32? {
    guard let first = best else { return nil }
    let isOwn = pairs.contains { prices[$0] == first && multiplicity[$0] > 0 }
    guard isOwn else { return first }
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: -1) }
    let result = best
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: 1) }
    return result
  }

  private mutating func change(_ price: Int32, by difference: Int32) {
    voters[Int(price)] += difference
    var node = (leaves + Int(price)) / 2
    while node > 0 {
      let left = winners[node * 2]
      let right = winners[node * 2 + 1]
      winners[node] = voters[Int(left)] > voters[Int(right)] ? left : right
      node /= 2
    }
  }
}
