internal import CivilTime
internal import Parallel

/// The reports of one market in one stretch, with numbered prices and voters.
///
/// Members are sorted by time; prices are numbered in ascending order. A pair is a price and a
/// voter who reports this price; the pairs of one voter have consecutive numbers. With these
/// numbers, votes are counted in arrays.
struct ReportWindow {
  let members: [MarketReport]
  /// The number of each member's price.
  private(set) var price: [Int32]
  /// For each member, the number of its pair of price and voter.
  private(set) var pair: [Int32]
  /// The voter of each member, numbered from 0 within the window.
  private(set) var voter: [Int32]
  /// The prices in thousandths; the number of a price is its index.
  private(set) var prices: [Int64] = []
  /// The number of each pair's price.
  private(set) var pairPrices: [Int32] = []
  /// The pairs of each member's voter, as a range of pair numbers.
  private(set) var ownPairs: [Range<Int>]
  private var voterCount = 0

  /// Numbers the members, which must be sorted by time.
  init(_ members: [MarketReport]) {
    self.members = members
    let count = members.count
    pair = Array(repeating: 0, count: count)
    ownPairs = Array(repeating: 0..<0, count: count)
    let numbered = DenseNumbers(members.map { $0.price.sortKey })
    price = numbered.numbers
    prices = numbered.keys.map(Int64.init(sortKey:))
    let voters = DenseNumbers(
      numbered.order.map {
        KeyedIndex(key: members[Int($0.index)].voter.rawValue.sortKey, index: $0.index)
      })
    voter = voters.numbers
    voterCount = voters.keys.count
    var start = 0
    while start < count {
      var end = start
      let firstPair = pairPrices.count
      while end < count, voters.order[end].key == voters.order[start].key {
        let member = Int(voters.order[end].index)
        if pairPrices.count == firstPair || pairPrices.last != price[member] {
          pairPrices.append(price[member])
        }
        pair[member] = Int32(pairPrices.count - 1)
        end += 1
      }
      for position in start..<end {
        ownPairs[Int(voters.order[position].index)] = firstPair..<pairPrices.count
      }
      start = end
    }
  }

  /// A tally without reports, for the prices, pairs and voters of the window.
  var emptyTally: VoteTally {
    VoteTally(prices: prices.count, pairs: pairPrices.count, voters: voterCount)
  }

  /// Calls `body` for each member with a tally of the reports at most `reach` earlier or later.
  ///
  /// Reports for which `isLeftOut` is true are not in the tally.
  func forEachMember(
    reach: Milliseconds, leavingOut isLeftOut: (Int) -> Bool = { _ in false },
    _ body: (Int, inout VoteTally) -> Void
  ) {
    forEachMember(before: reach, after: reach, leavingOut: isLeftOut, body)
  }

  /// Calls `body` for each member with a tally of the reports around the member's time.
  ///
  /// The tally has the reports made at most `before` earlier or at most `after` later, including
  /// those of the same moment. Reports for which `isLeftOut` is true are not in the tally.
  func forEachMember(
    before: Milliseconds, after: Milliseconds,
    leavingOut isLeftOut: (Int) -> Bool = { _ in false },
    _ body: (Int, inout VoteTally) -> Void
  ) {
    var tally = emptyTally
    var low = 0
    var high = 0
    for member in members.indices {
      let time = members[member].time
      while high < members.count, members[high].time - time <= after.rawValue {
        if !isLeftOut(high) { add(high, to: &tally) }
        high += 1
      }
      while time - members[low].time > before.rawValue {
        if !isLeftOut(low) { remove(low, from: &tally) }
        low += 1
      }
      body(member, &tally)
    }
  }

  /// Returns a tally of all members for which `isLeftOut` is false.
  func whole(leavingOut isLeftOut: (Int) -> Bool = { _ in false }) -> VoteTally {
    var tally = emptyTally
    for member in members.indices where !isLeftOut(member) { add(member, to: &tally) }
    return tally
  }

  func add(_ member: Int, to tally: inout VoteTally) {
    tally.add(pair: pair[member], price: price[member], voter: voter[member])
  }

  func remove(_ member: Int, from tally: inout VoteTally) {
    tally.remove(pair: pair[member], price: price[member], voter: voter[member])
  }
}
