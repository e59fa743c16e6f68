internal import CivilTime

/// A yearly plan is also sold by the month, for twelve months at least.
///
/// From a day on, about half of the new subscribers of the yearly plan choose monthly payments:
/// Apple's monthly billing plans. Receipts then have a row of one month for each payment, with the
/// product id of the yearly plan. A subscriber cannot leave before the twelfth payment, and pays
/// the price of the first payment until then. Phones report the yearly price, one payment, or the
/// sum of the twelve payments. The real plans are younger than the store's days; nothing depends on
/// that.
///
/// The evidence is the length of a row, and the reports of one payment.
struct Commitments: Phenomenon {
  /// The product that is sold by the month, and its weight among the products.
  var product = "studio.year"
  var weight = 30
  /// The number of new subscribers who pay by the month, per thousand.
  var share = 550
  /// The weights of what a phone reports: the yearly price, one payment, or the sum.
  var reported = [45, 35, 20]
  /// The number of views of the price list, per thousand, in which a phone reports like that.
  var views = 500

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    let from = world.midnight(perCent: random.within(10...25))
    let percent = Int64(random.within(112...130))
    for plan in world.plans where world.products[plan].id == product {
      world.weigh(plan, weight)
      world.commitments[plan] = Commitment(from: from, share: share, percent: percent)
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    let lot = random.weighted(reported)
    for index in account.prices.indices {
      let report = account.prices[index]
      guard let plan = world.commitments[report.product], plan.from <= report.shownAt else {
        continue
      }
      let isNamed = report.purchase >= 0
      let isByMonth =
        isNamed
        ? account.purchases[report.purchase].commitment > 0 : random.happens(perMille: views)
      guard isByMonth, lot > 0 else { continue }
      let payment = plan.instalment(of: report.displayed.price, in: report.displayed.currency)
      account.prices[index].displayed.price =
        lot == 1 ? payment : payment * Int64(Commitment.payments)
    }
  }
}
