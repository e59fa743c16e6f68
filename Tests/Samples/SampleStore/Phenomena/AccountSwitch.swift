internal import CivilTime

/// People sign in to an Apple account of another country, and the app shows prices from its cache.
///
/// An app requests its products from StoreKit once and caches the result. After the customer signs
/// in to another account, the app still shows the first account's prices and currency for days or
/// weeks. But its reports have the storefront and the purchases of the new account, and these
/// purchases cost the price of the new storefront.
///
/// The evidence is the storefront of the reports, and other customers' reports from that
/// storefront.
struct AccountSwitch: Phenomenon {
  /// The number of customers per thousand who switch accounts.
  var switches = 180
  /// The number of customers who switch a second time, per thousand customers who switch.
  var switchesAgain = 250
  /// The number of switches per thousand after which the app uses a cache.
  var cached = 600
  /// The greatest age of a cache, in days.
  var days = 60

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.moves = switches
    world.habits.movesAgain = switchesAgain
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    for position in account.homes.indices.dropFirst() {
      let moment = account.homes[position].from
      let former = account.homes[position - 1].storefront
      let until = moment + Int64(random.within(1...days)) * BillingClock.day
      guard random.happens(perMille: cached) else { continue }
      for index in account.prices.indices {
        let report = account.prices[index]
        guard moment <= report.shownAt, report.shownAt < until else { continue }
        account.prices[index].displayed = world.displayed(report.product, former, at: moment - 1)
      }
    }
  }
}
