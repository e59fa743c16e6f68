internal import CivilTime

/// Prices rise twice in a year: with consent, with notice, and for new subscribers only.
///
/// Each of some plans and currencies rises two or three times, five to eleven months apart, each
/// time in another way. A customer who does not give consent leaves. Apple shows the question and
/// the answer in the renewal state until the next charge, so only a response in between shows them.
/// The catalogue lists most of the other rises, but not all.
///
/// The evidence explains a rise that the catalogue lists, or whose consent a response shows. After
/// any other rise the customer's price is unknown, until a change that reaches everybody.
struct Consent: Phenomenon {
  /// The number of plans and currencies whose price rises.
  var series = 7
  var currencies = ["USD", "EUR", "GBP", "USD", "EUR", "JPY", "CAD"]
  /// The number in a thousand of the rises without consent that are in the catalogue.
  var catalogued = 800
  /// The number in a thousand who give consent.
  var agrees = 850

  func shape(_ world: inout World, _ random: inout SampleRandom) {
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
