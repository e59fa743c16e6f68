internal import CivilTime

/// Prices rise twice in a year: with consent, with notice, and for new subscribers only.
///
/// For some plans and currencies the price rises two or three times, with five to eleven months
/// between the rises. Each rise is of another kind. A customer who does not give consent leaves.
/// Apple shows the request and the customer's answer in the renewal state until the next charge, so
/// only a response from that time shows them. The catalogue lists most rises of the other kinds,
/// but not all.
///
/// A rise can be explained if the catalogue lists it, or if a response shows the consent. After any
/// other rise the customer's price is unknown, until a change that applies to all subscribers.
struct Consent: Phenomenon {
  /// The number of pairs of a plan and a currency with price rises.
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
