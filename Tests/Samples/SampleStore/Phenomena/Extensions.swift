internal import CivilTime

/// Renewal dates are extended, cards are declined, and responses lack old rows.
///
/// An owner may extend a subscription by up to ninety days: the row keeps its charge, but gets a
/// later end, at which the next period begins. After an outage all subscribers get some days. Cards
/// are declined three times as often as usual; the customer then pays within the grace period,
/// after the grace period, or never. A fifth of the customers subscribed before the exports begin.
/// For a third of the customers, the server keeps only the newest rows of each response. For half
/// of this third, the server also has no responses before some day. Then the exports lack the first
/// rows of a chain with their charges.
///
/// The exports determine the prices of a chain if they contain its first rows. If a customer
/// subscribed before the exports and the catalogue begin, the customer's price is unknown at first.
/// The price becomes known with the first change that applies to all subscribers.
struct Extensions: Phenomenon {
  /// The number of paid periods per thousand that are extended.
  var extended = 60
  /// The number of periods per thousand that end with a declined card.
  var declined = 110
  /// The number of customers per thousand who subscribed before the exports.
  var older = 200
  /// The number of customers per thousand for whom the server keeps only the newest rows.
  var cutOff = 330
  /// The number of customers without responses before some day, per thousand customers of
  /// ``cutOff``.
  var asksLate = 500
  /// The longest time between a customer's first purchase and the first export, in days.
  var daysBefore = 600

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.extended = extended
    world.habits.declined = declined
    world.habits.recoversSoon = 550
    world.habits.older = older
    world.habits.cutOff = cutOff
    world.habits.priceViews = [20, 30, 30, 20]
    world.earliestPurchase = world.start - Int64(daysBefore) * BillingClock.day
    for _ in 0..<2 {
      let moment = world.midnight(perCent: random.within(10...90)) + 7 * BillingClock.hour
      world.outages.append((moment, random.within(2...14)))
    }
    // Before the exports some prices rose for new subscribers only; the catalogue has some of these
    // rises.
    for (currency, isCatalogued) in [("USD", true), ("EUR", false), ("GBP", true)] {
      let plan = world.plans[random.below(world.plans.count)]
      guard world.claim(plan, currency) else { continue }
      let day = Int64(random.within(60...daysBefore - 60))
      world.change(
        plan, currency, from: world.start - day * BillingClock.day, percent: 125, .preserved,
        isCatalogued: isCatalogued)
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard account.rowsShown != nil, random.happens(perMille: asksLate),
      let first = account.purchases.map(\.purchasedAt).min()
    else { return }
    let begin = max(first, world.start)
    let asks = begin + (world.end - begin) / 100 * Int64(random.within(5...70))
    for upload in account.uploads where upload.at < asks && upload.report >= 0 {
      account.prices[upload.report].isEmbedded = false
    }
    account.uploads.removeAll { $0.at < asks }
  }
}
