internal import CivilTime

/// Prices rise two or three times: with consent, with notice, or for new subscribers only.
///
/// The rises of a plan in a currency are five to eleven months apart; the kind of each rise is
/// random. A customer who does not give consent leaves. Apple shows the request and the customer's
/// answer in the renewal state until the next charge, so only a response from that time shows them.
/// The catalogue lists most rises without consent, but not all.
///
/// A rise can be explained if the catalogue lists it, or if a response shows the consent. After any
/// other rise the customer's price is unknown, until a change that applies to all subscribers.
struct Consent: Phenomenon {
  /// The largest number of price series with rises; a series is a plan in a currency.
  var series = 7
  var currencies = ["USD", "EUR", "GBP", "USD", "EUR", "JPY", "CAD"]
  /// The number of catalogued rises, per thousand rises without consent.
  var catalogued = 800
  /// The number of customers per thousand who give consent.
  var agrees = 850

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.agrees = agrees
    for currency in currencies.prefix(series) {
      let plan = world.plans[random.below(world.plans.count)]
      guard world.claim(plan, currency) else { continue }
      var day = random.within(60...200)
      for _ in 0..<random.within(2...3) where day < world.days - 60 {
        let effect: PriceStep.Effect = [.consent, .moved, .preserved][random.below(3)]
        world.change(
          plan, currency, from: world.start + Int64(day) * BillingClock.day,
          percent: Int64(random.within(112...128)), effect,
          isCatalogued: effect != .consent && random.happens(perMille: catalogued))
        day += random.within(150...330)
      }
    }
  }
}
