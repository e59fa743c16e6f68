internal import CivilTime

/// Reports wait on phones for weeks, clocks are wrong, and the same report arrives twice.
///
/// A phone without a connection keeps its reports. Most apps stamp a report when it is made. Some
/// stamp it when it is sent, so that an old price carries a new time. A clock may be off by hours,
/// by a day, or by years, into the past or the future. A sender without an answer sends again, at
/// times with another time.
///
/// A report that names its purchase has that purchase's time, whatever its clock says. For the
/// others the majority of phones is the evidence: a late report is never the only one.
struct LateReports: Phenomenon {
  /// So many of a thousand reports wait for days or weeks.
  var late = 250
  /// Of those, so many are stamped when they are sent.
  var stampedLate = 500
  /// So many of a thousand phones have a wrong clock.
  var wrongClocks = 120
  /// So many of a thousand reports are sent again, up to four times.
  var repeated = 100
  /// Of those, so many bear another time.
  var restamped = 300
  /// More prices change than usual: so many plans and currencies, without a catalogue.
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

  /// Some hours, a day, or years.
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
