internal import CivilTime

/// Children need approval before they buy, and many purchases are never reported.
///
/// A sixth of the customers are children: the app reports the price when the child requests a
/// purchase, without a transaction id. A parent agrees hours or days later. A third of the adults'
/// purchases are never reported: the device has an old version of the app, or the phone was off.
///
/// If ``isUndated`` is true, the price of every plan changes in some currencies, without a line in
/// the catalogue, and half of the children's reports get the transaction id after the approval.
///
/// The evidence is other customers' reports of the price at the time when the parent agrees.
struct AskToBuy: Phenomenon {
  /// The number of customers per thousand who are children.
  var children = 170
  /// The longest time until a parent agrees, in hours.
  var hours = 72
  /// The number of purchases without a report, per thousand purchases of adults.
  var unreported = 330
  /// Whether prices also rise and fall often, without lines in the catalogue.
  var isUndated = false

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    // The catalogue lacks these cuts.
    world.changePlans(
      in: ["USD", "EUR", "GBP", "USD"], within: 20...80, percent: 65...88, .everyone,
      isCatalogued: false, &random)
    if isUndated { changeOften(&world, &random) }
  }

  private func changeOften(_ world: inout World, _ random: inout SampleRandom) {
    for plan in world.plans {
      for currency in ["USD", "EUR", "GBP", "JPY"] where world.claim(plan, currency) {
        for part in 0..<3 {
          let isCut = random.happens(perMille: 600)
          world.change(
            plan, currency, from: world.midnight(perCent: 15 + part * 25 + random.below(20)),
            percent: Int64(isCut ? random.within(65...88) : random.within(112...140)),
            isCut ? .everyone : .preserved, isCatalogued: false)
        }
      }
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    if random.happens(perMille: children) {
      for index in account.prices.indices where account.prices[index].purchase >= 0 {
        let wait = Int64(random.within(1...hours)) * BillingClock.hour
        account.prices[index].shownAt -= wait
        account.prices[index].reportedAt -= wait
        if !isUndated || random.happens(perMille: 500) { account.prices[index].purchase = -1 }
        let report = account.prices[index]
        account.prices[index].displayed = world.displayed(
          report.product, account.storefront(at: report.shownAt), at: report.shownAt)
      }
    } else {
      let lost = account.prices.indices.filter {
        account.prices[$0].purchase >= 0 && random.happens(perMille: unreported)
      }
      account.removeReports(Set(lost))
    }
  }
}
