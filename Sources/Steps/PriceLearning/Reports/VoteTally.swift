/// The number of different voters for each price, in a set of reports that changes.
///
/// Prices are numbered from 0 in ascending order. A tournament tree has the price with the most
/// voters at its root; in a tie, the higher price. So adding or removing a report costs logarithmic
/// time in the number of different prices.
struct VoteTally {
  private var voters: [Int32]  // by price
  private var multiplicity: [Int32]  // by pair of price and voter
  private var presence: [Int32]  // by voter: how many reports are counted
  private var winners: [Int32]  // a heap-ordered tree; the leaves are prices
  private let leaves: Int
  /// The number of pairs of a price and a voter who reports it.
  private var pairCount: Int32 = 0
  /// The number of different voters in the tally.
  private(set) var voterCount: Int32 = 0

  init(prices: Int, pairs: Int, voters count: Int) {
    var leaves = 1
    while leaves < prices { leaves *= 2 }
    self.leaves = leaves
    voters = Array(repeating: 0, count: leaves)
    multiplicity = Array(repeating: 0, count: pairs)
    presence = Array(repeating: 0, count: count)
    winners = Array(repeating: 0, count: leaves * 2)
    for leaf in 0..<leaves { winners[leaves + leaf] = Int32(leaf) }
    for node in stride(from: leaves - 1, to: 0, by: -1) {
      winners[node] = winners[node * 2 + 1]
    }
  }

  mutating func add(pair: Int32, price: Int32, voter: Int32) {
    presence[Int(voter)] += 1
    if presence[Int(voter)] == 1 { voterCount += 1 }
    multiplicity[Int(pair)] += 1
    if multiplicity[Int(pair)] == 1 {
      pairCount += 1
      change(price, by: 1)
    }
  }

  mutating func remove(pair: Int32, price: Int32, voter: Int32) {
    presence[Int(voter)] -= 1
    if presence[Int(voter)] == 0 { voterCount -= 1 }
    multiplicity[Int(pair)] -= 1
    if multiplicity[Int(pair)] == 0 {
      pairCount -= 1
      change(price, by: -1)
    }
  }

  func voters(of price: Int32) -> Int32 { voters[Int(price)] }

  /// Returns true if no voter reports another price.
  func isUnanimous(_ price: Int32) -> Bool { voters[Int(price)] == voterCount }

  /// Returns true if the voter of a pair reports the pair's price in the tally.
  func holds(pair: Int) -> Bool { multiplicity[pair] > 0 }

  func holds(voter: Int32) -> Bool { presence[Int(voter)] > 0 }

  /// The price with most voters, in a tie the higher; `nil` without a vote.
  var best: Int32? {
    let winner = winners[1]
    return voters[Int(winner)] > 0 ? winner : nil
  }

  /// The price with the most voters if one voter is left out.
  ///
  /// A pair is a price and one of its voters. `pairs` are the indices of the pairs of the voter who
  /// is left out; `prices` has the price of each pair in the window.
  mutating func best(without pairs: Range<Int>, prices: [Int32]) -> Int32? {
    guard let first = best else { return nil }
    let isOwn = pairs.contains { prices[$0] == first && multiplicity[$0] > 0 }
    guard isOwn else { return first }
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: -1) }
    let result = best
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: 1) }
    return result
  }

  /// The number of voters of a price, and of the most frequent other price.
  ///
  /// One voter's votes are left out: `pairs` is their range of positions in `prices`.
  mutating func votes(
    for price: Int32, without pairs: Range<Int>, prices: [Int32]
  ) -> (own: Int32, rival: Int32) {
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: -1) }
    let votes = (voters[Int(price)], rivals(of: price))
    for pair in pairs where multiplicity[pair] > 0 { change(prices[pair], by: 1) }
    return votes
  }

  /// Returns true if a voter reports another price than the given one.
  ///
  /// One voter's votes are left out: `pairs` is their range of positions in `prices`.
  func hasOther(than price: Int32, without pairs: Range<Int>, prices: [Int32]) -> Bool {
    var others = pairCount - voters[Int(price)]
    for pair in pairs where multiplicity[pair] > 0 && prices[pair] != price { others -= 1 }
    return others > 0
  }

  /// Returns true if at least `least` voters report a price, and fewer voters report any other
  /// price.
  mutating func leads(_ price: Int32, atLeast least: Int32) -> Bool {
    let own = voters[Int(price)]
    return own >= least && own > rivals(of: price)
  }

  /// The number of voters of the most frequent other price; 0 if there is none.
  private mutating func rivals(of price: Int32) -> Int32 {
    let own = voters[Int(price)]
    change(price, by: -own)
    let rival = best.map { voters[Int($0)] } ?? 0
    change(price, by: own)
    return rival
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
