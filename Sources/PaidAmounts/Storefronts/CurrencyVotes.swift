internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import Purchases

/// The currency that most voters report for each storefront, around any moment.
///
/// Within 180 days either side, else ever; of equal ones the App Store's own currency there, so
/// that one phone's word against another's moves nobody else's, else the alphabetically first.
/// Reports with a currency mismatch have no vote (RULES section 3, "Currency of a row"). Where a
/// storefront went over to the euro on a known day, votes from before it say nothing about what came
/// after, nor the other way round.
struct CurrencyVotes: Sendable {
  /// How far around a moment reports count.
  static let reach = Milliseconds.days(180)

  /// The best currency from a moment on; 0 where nobody votes around it.
  private struct Step: Sendable {
    var from: Int64
    var currency: UInt32
  }

  private var markets: [Market] = []  // ascending
  private var ever: [UInt32] = []
  private var steps: [[Step]] = []  // empty where all voters report one currency

  /// A storefront before or after its currency was replaced.
  private struct Market: Hashable, Comparable {
    let rawValue: UInt64

    init(_ storefront: Storefront, at time: Int64) {
      let isReplaced = StorefrontCurrencies.replacement(in: storefront).map { time >= $0 } ?? false
      rawValue = UInt64(storefront.rawValue) << 1 | (isReplaced ? 1 : 0)
    }

    /// The currency that the App Store's own table gives it at a moment.
    func usualCurrency(at time: Int64) -> UInt32? {
      let storefront = Storefront(rawValue: UInt32(truncatingIfNeeded: rawValue >> 1))
      return StorefrontCurrencies.currency(of: storefront, at: time)?.rawValue
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Counts the reports of the ledger.
  init(ledger: ReportLedger, set: SightingSet) {
    struct Vote {
      var market: Market
      var currency: UInt32
      var voter: Int32
      var time: Int64
    }
    var votes: [Vote] = []
    for (position, judgement) in ledger.judged.enumerated() {
      let report = set.reports[Int(judgement.report)]
      guard let storefront = report.storefront, judgement.verdict != .currencyMismatch else {
        continue
      }
      let time = judgement.time.milliseconds
      votes.append(
        Vote(
          market: Market(storefront, at: time), currency: report.currency.rawValue,
          voter: ledger.voters[position], time: time))
    }
    votes.sort { $0.market < $1.market }
    var start = 0
    while start < votes.count {
      var end = start
      while end < votes.count, votes[end].market == votes[start].market { end += 1 }
      markets.append(votes[start].market)
      let run = votes[start..<end]
      if run.allSatisfy({ $0.currency == votes[start].currency }) {
        ever.append(votes[start].currency)
        steps.append([])
      } else {
        let inOrder = run.map { ($0.time, $0.currency, $0.voter) }.sorted { $0 < $1 }
        let newest = inOrder.last?.0 ?? 0
        let (whole, changing) = Self.count(
          inOrder, preferring: votes[start].market.usualCurrency(at: newest))
        ever.append(whole)
        steps.append(changing)
      }
      start = end
    }
  }

  /// The currency most voters report for a storefront; `nil` where nobody ever did.
  func currency(of storefront: Storefront, at time: Int64) -> Currency? {
    let market = Market(storefront, at: time)
    let index = markets.firstPosition { $0 >= market }
    guard index < markets.count, markets[index] == market else { return nil }
    let next = steps[index].firstPosition { $0.from > time }
    if next > 0, steps[index][next - 1].currency != 0 {
      return Currency(rawValue: steps[index][next - 1].currency)
    }
    return Currency(rawValue: ever[index])
  }

  /// Slides a window over one storefront's votes, which are in order of time.
  private static func count(
    _ votes: [(time: Int64, currency: UInt32, voter: Int32)], preferring usual: UInt32?
  ) -> (ever: UInt32, steps: [Step]) {
    // Descending and the usual one last, because of equals a tally prefers the higher number.
    let found = Set(votes.map(\.currency))
    let currencies = found.filter { $0 != usual }.sorted(by: >) + found.filter { $0 == usual }
    let numbers = votes.map { vote in
      Int32(currencies.firstIndex(of: vote.currency) ?? 0)
    }
    let byPair = votes.indices.sorted {
      (numbers[$0], votes[$0].voter) < (numbers[$1], votes[$1].voter)
    }
    var pairs = [Int32](repeating: 0, count: votes.count)
    var pairCount = 0
    for (place, index) in byPair.enumerated() {
      let isSame =
        place > 0 && numbers[byPair[place - 1]] == numbers[index]
        && votes[byPair[place - 1]].voter == votes[index].voter
      if !isSame { pairCount += 1 }
      pairs[index] = Int32(pairCount - 1)
    }
    var whole = VoteTally(prices: currencies.count, pairs: pairCount)
    for index in votes.indices { whole.add(pair: pairs[index], price: numbers[index]) }

    var tally = VoteTally(prices: currencies.count, pairs: pairCount)
    var steps: [Step] = []
    var entering = 0
    var leaving = 0
    while leaving < votes.count {
      // A vote counts from `reach` before its time through `reach` after it.
      let leavesAt = votes[leaving].time + reach.rawValue + 1
      let entersAt = entering < votes.count ? votes[entering].time - reach.rawValue : Int64.max
      let now = min(leavesAt, entersAt)
      while entering < votes.count, votes[entering].time - reach.rawValue == now {
        tally.add(pair: pairs[entering], price: numbers[entering])
        entering += 1
      }
      while leaving < votes.count, votes[leaving].time + reach.rawValue + 1 == now {
        tally.remove(pair: pairs[leaving], price: numbers[leaving])
        leaving += 1
      }
      let best = tally.best.map { currencies[Int($0)] } ?? 0
      if steps.last?.currency != best { steps.append(Step(from: now, currency: best)) }
    }
    return (whole.best.map { currencies[Int($0)] } ?? 0, steps)
  }
}
