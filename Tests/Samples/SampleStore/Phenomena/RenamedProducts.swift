internal import CivilTime

/// Two plans get a new product id and a new price, and reports confuse the ids.
///
/// From day 120 on, the new product is sold instead of the old one. Subscribers of the old product
/// keep it; some move to the new product at a renewal, so that a chain has rows of both. The server
/// also reports renewals, at the price that the subscriber pays. Old versions of the app write the
/// old id for purchases of the new product. The export takes ids from today's list of products, so
/// that some reports of the old product have the new id, also those from before day 120. The price
/// in such a report is the price of the purchase.
///
/// The evidence is the transaction id, which belongs to a purchase of the other product.
struct RenamedProducts: Phenomenon {
  /// The plans that are replaced.
  var products = ["studio.month", "news.week"]
  /// The day from which the new products are sold.
  var day: Int64 = 120
  /// The number of reports with the old id, per thousand reports of purchases of a new product.
  var old = 300
  /// The number of reports with the new id, per thousand reports of purchases of an old product.
  var new = 400
  /// The number of renewals that are reported, per thousand renewals of these products.
  var renewals = 250
  private var pairs: [Int: Int] = [:]

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    let from = world.start + day * BillingClock.day
    for plan in world.plans where products.contains(world.products[plan].id) {
      let next = world.products.count
      world.replace(
        plan, by: world.products[plan].id + ".v2", from: from,
        percent: [70, 130, 150][random.below(3)], &random)
      pairs[plan] = next
      pairs[next] = plan
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    for index in account.prices.indices {
      let report = account.prices[index]
      guard let other = pairs[report.product], report.purchase >= 0,
        random.happens(perMille: other > report.product ? new : old)
      else { continue }
      account.prices[index].namedProduct = other
    }
    reportRenewals(&account, world, &random)
  }

  /// Adds reports of renewals, as the server sends them at the next start of the app.
  private func reportRenewals(
    _ account: inout Account, _ world: World, _ random: inout SampleRandom
  ) {
    guard account.reports else { return }
    for index in account.purchases.indices {
      let row = account.purchases[index]
      guard let other = pairs[row.product], row.purchasedAt >= world.start, row.kind == .regular,
        !row.isFamilyShared, row.id != row.originalID, random.happens(perMille: renewals)
      else { continue }
      var report = account.report(of: row.product, at: row.purchasedAt + 60_000, in: world, &random)
      guard report.displayed.currency == row.currency else { continue }
      report.displayed.price = row.paid
      report.purchase = index
      if random.happens(perMille: other > row.product ? new : old) { report.namedProduct = other }
      account.prices.append(report)
    }
  }
}
