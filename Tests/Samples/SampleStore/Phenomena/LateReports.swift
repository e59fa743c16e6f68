internal import CivilTime

/// Reports wait on phones for weeks, clocks are wrong, and some reports arrive twice.
///
/// A phone without a connection keeps its reports. Most apps write the time at which the app showed
/// the price. Some apps write the time of sending, so that an old price has a new time. A clock may
/// be wrong by hours, by a day, or by years, into the past or the future. A phone that gets no
/// response from the server sends the report again, sometimes with a different time.
///
/// A report with a transaction id gets the purchase's time, regardless of the clock. For reports
/// without an id, the majority of phones is the evidence: no price depends only on late reports.
struct LateReports: Phenomenon {
  /// The number of reports per thousand that wait for days or weeks.
  var late = 250
  /// The number of reports whose `reported_at` is the time of sending, per thousand reports that
  /// wait.
  var stampedLate = 500
  /// The number of phones per thousand with a wrong clock.
  var wrongClocks = 120
  /// The number of reports per thousand that are sent again, up to four times.
  var repeated = 100
  /// The number of repeated reports with a different `reported_at`, per thousand repeated reports.
  var restamped = 300

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    // The catalogue lacks these cuts.
    world.changePlans(
      in: ["USD", "EUR", "GBP", "USD"], within: 20...80, percent: 65...88, .everyone,
      isCatalogued: false, &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
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

  /// Draws a clock error in milliseconds: some hours, one day, or years; negative for the past.
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
