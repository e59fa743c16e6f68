internal import CivilTime
internal import PurchaseModel

/// The app tests prices: half of the phones report the price of another product or another offer.
///
/// There are two tests of sixty days; half of the phones are in the tests. They report the price of
/// the plan that the customer buys, but under the id of another plan of the group. They also list a
/// promotional offer with the price of another offer. Each test begins and ends on the same days
/// for all phones.
///
/// The evidence is that the report's transaction id belongs to another product, and that phones
/// outside the test report other prices.
struct PriceTests: Phenomenon {
  /// The length of a test, in days.
  var days = 60
  /// The number of phones per thousand that are in the tests.
  var share = 500
  private var tests: [(product: Int, other: Int, from: Int64)] = []

  func until(_ from: Int64) -> Int64 { from + Int64(days) * BillingClock.day }

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    for (product, other) in [(0, 2), (2, 0)] {
      tests.append((product, other, world.midnight(perCent: random.within(15...80))))
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for (product, other, from) in tests {
      for index in account.prices.indices {
        let shown = account.prices[index].shownAt
        guard from <= shown, shown < until(from) else { continue }
        if account.prices[index].product == other { account.prices[index].product = product }
      }
    }
    for test in tests {
      for index in account.prices.indices {
        let report = account.prices[index]
        guard test.from <= report.shownAt, report.shownAt < until(test.from) else { continue }
        mixUp(&account.prices[index].displayed.discounts)
      }
    }
  }

  /// Gives the first paid offer the price of the second paid offer, like a phone in a test.
  private func mixUp(_ discounts: inout [PricedOffer]) {
    let paid = discounts.indices.filter { discounts[$0].offer.mode != .freeTrial }
    guard paid.count > 1 else { return }
    discounts[paid[0]].price = discounts[paid[1]].price
  }
}
