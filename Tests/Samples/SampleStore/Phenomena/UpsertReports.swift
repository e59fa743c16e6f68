internal import CivilTime

/// Reports are kept in a table with one row per customer and product.
///
/// The first session of a customer inserts the row, with the time and the transaction id. Later
/// sessions overwrite the price, but nothing else. So a row has the time of the first session and
/// the price of the last one. The tables of some servers are like that; the other servers add a
/// row per report. The price of every plan changes every forty days.
///
/// The evidence is the reports of the other servers.
struct UpsertReports: Phenomenon {
  /// The number of customers per thousand whose reports are in such a table.
  var share = 550
  /// The number of days between two price changes.
  var days = 40

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    let currencies = Set(world.storefronts.map(\.currency.code)).sorted()
    for plan in world.plans { for currency in currencies { _ = world.claim(plan, currency) } }
    var isLow: Set<Int> = []
    for day in stride(from: random.within(10...days), to: world.days, by: days) {
      let plan = world.plans[random.below(world.plans.count)]
      let isCut = isLow.insert(plan).inserted
      if !isCut { isLow.remove(plan) }
      let percent = Int64(isCut ? random.within(70...88) : random.within(114...140))
      let isPreserved = random.happens(perMille: 500)
      let some = random.happens(perMille: 500) ? ["EUR", "GBP", "USD"] : currencies
      for currency in some {
        world.change(
          plan, currency, from: world.start + Int64(day) * BillingClock.day, percent: percent,
          isCut ? .everyone : isPreserved ? .preserved : .moved, isCatalogued: !isCut)
      }
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    let sessions = account.uploads.map(\.at) + account.prices.map(\.shownAt)
    guard let last = sessions.max() else { return }
    let storefront = account.storefront(at: last)
    var kept: Set<Int> = []
    var lost: Set<Int> = []
    for index in account.prices.indices.sorted(by: {
      (account.prices[$0].shownAt, $0) < (account.prices[$1].shownAt, $1)
    }) {
      let report = account.prices[index]
      guard kept.insert(report.product).inserted else {
        lost.insert(index)
        continue
      }
      account.prices[index].displayed = world.displayed(report.product, storefront, at: last)
      account.prices[index].arrivedAt = max(report.arrivedAt, last)
      account.prices[index].isEmbedded = false
    }
    for index in account.uploads.indices { account.uploads[index].report = -1 }
    account.removeReports(lost)
  }
}
