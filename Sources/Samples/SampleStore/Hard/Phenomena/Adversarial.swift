internal import CivilTime

/// A fifth of the phones report half the price, together.
///
/// They halve all reported prices, including offers, from one day on until the end. Otherwise they
/// are like all others: they buy, renew and pay.
///
/// The evidence is the other four fifths. If most reports of a small storefront come from these
/// phones, there is no evidence.
struct Adversarial: Phenomenon {
  /// The number in a thousand of phones that report half the price.
  var liars = 200
  /// The price that they report, in percent of the true price.
  var percent: Int64 = 50
  private var from: Int64 = 0

  mutating func shape(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(0...30))
  }

  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: liars) else { return }
    for index in account.prices.indices where account.prices[index].shownAt >= from {
      account.prices[index].shelf.multiply(by: percent, over: 100)
    }
  }
}
