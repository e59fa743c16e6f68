internal import CivilTime

/// Reports wait on phones for weeks, clocks are wrong, and a report arrives twice.
///
/// A phone without a connection keeps its reports. Most apps stamp a report when it is made. Some
/// stamp it when it is sent, so that an old price carries a new time. A clock may be off by hours,
/// by a day, or by years, into the past or the future. A sender without an answer sends again, at
/// times with another time.
///
/// A report with a transaction id has the purchase's time, regardless of the clock. For the others
/// the majority of phones is the evidence: a late report is never the only one.
struct LateReports: Phenomenon {
  /// The number in a thousand of reports that wait for days or weeks.
  var late = 250
  /// The number in a thousand of them that have the time of sending.
  var stampedLate = 500
  /// The number in a thousand of phones with a wrong clock.
  var wrongClocks = 120
  /// The number in a thousand of reports that are sent again, up to four times.
  var repeated = 100
  /// The number in a thousand of them with another time.
  var restamped = 300
  /// The number of plans and currencies with additional price changes, without the catalogue.
  var cuts = 4

  func shape(_ world: inout World, _ random: inout SampleRandom) {
    for currency in ["USD", "EUR", "GBP", "USD", "EUR"].prefix(cuts) {
      let plan = world.plans[random.below(world.plans.count)]
      guard world.claim(plan, currency) else { continue }
      world.change(
        plan, currency, from: world.midnight(perCent: random.within(20...80)),
        percent: Int64(random.within(65...88)), .everyone, isCatalogued: false)
    }
  }

  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    let clock = random.happens(perMille: wrongClocks) ? error(&random) : 0
    for index in account.prices.indices {
      account.prices[index].reportedAt += clock
      guard !account.prices[index].isEmbedded else { continue }
      if random.happens(perMille: late) {
        let delay = Int64(random.within(3...75)) * BillingClock.day
        account.prices[index].arrivedAt += delay
        if random.happens(perMille: stampedLate) { account.prices[index].reportedAt += delay }
      }
      guard random.happens(perMille: repeated) else { continue }
      for _ in 0..<random.within(1...4) {
        var copy = account.prices[index]
        let delay = Int64(random.below(9 * 86_400)) * 1000
        copy.arrivedAt += delay
        if random.happens(perMille: restamped) { copy.reportedAt += delay }
        account.prices.append(copy)
      }
    }
  }

  /// An error of some hours, a day, or years.
  private func error(_ random: inout SampleRandom) -> Int64 {
    let sign: Int64 = random.happens(perMille: 500) ? -1 : 1
    switch random.below(4) {
    case 0, 1: return sign * Int64(random.within(1...14)) * BillingClock.hour
    case 2: return sign * BillingClock.day
    default:
      let years = Int64(random.within(1...22))
      return sign * years * 365 * BillingClock.day
    }
  }
}
