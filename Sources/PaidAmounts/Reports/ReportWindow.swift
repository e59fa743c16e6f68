internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The reports of one product × currency within one stretch, numbered for counting.
///
/// Members are in the order of time; their prices are numbers in ascending order of price; a pair
/// is a price and a voter, and the pairs of one voter stand together.
struct ReportWindow {
  /// Ledger positions.
  let members: [Int32]
  /// Unix milliseconds of each member.
  let times: [Int64]
  /// The price number of each member.
  private(set) var price: [Int32]
  /// The pair of each member.
  private(set) var pair: [Int32]
  /// The prices in thousandths, by number.
  private(set) var prices: [Int64] = []
  /// The price number of each pair.
  private(set) var pairPrices: [Int32] = []
  /// The pairs of each member's voter.
  private(set) var ownPairs: [Range<Int>]

  /// Numbers the members of a stretch.
  init(members: ArraySlice<Int32>, ledger: ReportLedger, reports: [PriceReport]) {
    self.members = Array(members)
    let count = members.count
    times = members.map { ledger.judged[Int($0)].time.milliseconds }
    let claims = members.map { reports[Int(ledger.judged[Int($0)].report)].price.rawValue }
    let voters = members.map { ledger.voters[Int($0)] }
    price = Array(repeating: 0, count: count)
    pair = Array(repeating: 0, count: count)
    ownPairs = Array(repeating: 0..<0, count: count)
    prices = Array(Set(claims)).sorted()
    for member in 0..<count {
      let claim = claims[member]
      price[member] = Int32(prices.firstPosition { $0 >= claim })
    }
    let byVoter = (0..<count).sorted { (voters[$0], price[$0]) < (voters[$1], price[$1]) }
    var start = 0
    while start < count {
      var end = start
      let firstPair = pairPrices.count
      while end < count, voters[byVoter[end]] == voters[byVoter[start]] {
        let member = byVoter[end]
        if pairPrices.count == firstPair || pairPrices.last != price[member] {
          pairPrices.append(price[member])
        }
        pair[member] = Int32(pairPrices.count - 1)
        end += 1
      }
      for position in start..<end { ownPairs[byVoter[position]] = firstPair..<pairPrices.count }
      start = end
    }
  }

  /// Calls back for each member with the reports at most `reach` before or after it counted.
  ///
  /// Members for which `isLeftOut` is true are never counted.
  func sweep(
    reach: Milliseconds, leavingOut isLeftOut: (Int) -> Bool = { _ in false },
    _ body: (Int, inout VoteTally) -> Void
  ) {
    var tally = VoteTally(prices: prices.count, pairs: pairPrices.count)
    var low = 0
    var high = 0
    for member in members.indices {
      while high < members.count, times[high] - times[member] <= reach.rawValue {
        if !isLeftOut(high) { tally.add(pair: pair[high], price: price[high]) }
        high += 1
      }
      while times[member] - times[low] > reach.rawValue {
        if !isLeftOut(low) { tally.remove(pair: pair[low], price: price[low]) }
        low += 1
      }
      body(member, &tally)
    }
  }

  /// All members counted.
  func whole(leavingOut isLeftOut: (Int) -> Bool = { _ in false }) -> VoteTally {
    var tally = VoteTally(prices: prices.count, pairs: pairPrices.count)
    for member in members.indices where !isLeftOut(member) {
      tally.add(pair: pair[member], price: price[member])
    }
    return tally
  }
}
