internal import CivilTime

/// Phones write local times as UTC, and dates in other calendars.
///
/// A third of the phones write their local time with a Z. One in twelve writes impossible dates:
/// 1970-01-01 or 2001-01-01 for an empty date, or years of the Buddhist calendar, which are higher
/// by 543.
///
/// A report with a transaction id gets the purchase's time. For reports without an id, the majority
/// of reports is the evidence.
struct OddDates: Phenomenon {
  /// The number of phones per thousand that write local times.
  var local = 330
  /// The number of phones per thousand that write impossible dates.
  var impossible = 80

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    // The catalogue lacks these cuts.
    world.changePlans(
      in: ["USD", "EUR", "GBP", "JPY"], within: 20...80, percent: 65...88, .everyone,
      isCatalogued: false, &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    let offset = Int64(random.within(-10...12)) * BillingClock.hour
    let isLocal = random.happens(perMille: local)
    let isImpossible = random.happens(perMille: impossible)
    let calendar = random.below(3)
    for index in account.prices.indices {
      if isLocal { account.prices[index].reportedAt += offset }
      guard isImpossible else { continue }
      let reportedAt = account.prices[index].reportedAt
      switch calendar {
      case 0: account.prices[index].reportedAt = reportedAt % BillingClock.day  // 1970-01-01
      case 1: account.prices[index].reportedAt = 978_307_200_000  // 2001-01-01
      default: account.prices[index].reportedAt = reportedAt + 198_327 * BillingClock.day
      }
    }
  }
}
