internal import CivilTime

/// A server stores prices as whole numbers.
///
/// For 120 days, one of the owner's servers writes prices to a column of integers: 9.99 becomes 10,
/// and 12.49 becomes 12. Two fifths of the phones send to this server. Currencies without decimals
/// stay right.
///
/// The evidence is the reports at the other servers, and the days before and after.
struct RoundedPrices: Phenomenon {
  /// The number of phones per thousand that send to this server.
  var share = 400
  /// The number of days with this column.
  var days = 120
  private var from: Int64 = 0

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(20...65))
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    let until = from + Int64(days) * BillingClock.day
    for index in account.prices.indices {
      let shown = account.prices[index].shownAt
      guard from <= shown, shown < until else { continue }
      account.prices[index].displayed.map { ($0 + 500) / 1000 * 1000 }
    }
  }
}
