internal import CivilTime

/// A fifth of the phones report half the price.
///
/// From one day until the end of the store they halve all reported prices, including offers.
/// Otherwise these customers buy, renew and pay like all others.
///
/// The other four fifths of the phones report the true price. If most reports of a small storefront
/// come from the wrong phones, the reports cannot show the true price.
struct Adversarial: Phenomenon {
  /// The number of phones per thousand that report half the price.
  var liars = 200
  /// The reported price in percent of the true price.
  var percent: Int64 = 50
  private var from: Int64 = 0

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(0...30))
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: liars) else { return }
    for index in account.prices.indices where account.prices[index].shownAt >= from {
      account.prices[index].displayed.multiply(by: percent, over: 100)
    }
  }
}
