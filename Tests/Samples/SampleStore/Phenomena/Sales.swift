internal import CivilTime

/// Prices fall for two weeks and return.
///
/// In each of ten sales, a product becomes cheaper for two weeks, in one currency or in all.
/// Renewals in these two weeks cost less. A third of the sales are in the catalogue. After some of
/// the sales in the catalogue, the old price returns for new subscribers only, and existing
/// subscribers keep the low price. After all other sales, the old price returns for all customers.
///
/// The evidence for a sale is the reports during the sale. They do not show what customers who paid
/// the low price pay next; only the catalogue can state whether they keep the low price. A sale
/// between two charges of a customer has no effect on this customer.
struct Sales: Phenomenon {
  var count = 10
  /// The length of a sale, in days.
  var days = 14
  /// The number of sales per thousand that are in the catalogue.
  var catalogued = 330
  /// The number of sales that end only for new subscribers, per thousand sales in the catalogue.
  var kept = 300

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    for number in 0..<count {
      let product = random.below(world.products.count)
      let day = random.within(world.days / 10...world.days * 9 / 10)
      let from = world.start + Int64(day) * BillingClock.day
      let to = from + Int64(days) * BillingClock.day
      let percent = Int64(random.within(45...80))
      let isCatalogued = random.happens(perMille: catalogued)
      let isKept = isCatalogued && random.happens(perMille: kept)
      let all = Set(world.storefronts.map(\.currency.code)).sorted()
      let currencies = number % 2 == 0 ? all : [["USD", "EUR", "GBP"][random.below(3)]]
      for currency in currencies {
        _ = world.claim(product, currency)
        dip(
          product, currency, from: from, to: to, percent: percent,
          back: isKept ? .preserved : .moved, isCatalogued: isCatalogued, &world)
      }
    }
  }

  private func dip(
    _ product: Int, _ currency: String, from: Int64, to: Int64, percent: Int64,
    back: PriceStep.Effect, isCatalogued: Bool, _ world: inout World
  ) {
    let members = world.storefronts.indices.filter {
      world.prices.step(product, $0, at: from).currency.code == currency
    }
    let margin = 20 * BillingClock.day
    let isQuiet = members.allSatisfy {
      world.prices.isQuiet(product, $0, from: from - margin, to: to + margin)
    }
    guard isQuiet else { return }
    for storefront in members {
      world.prices.dip(
        product, storefront, from: from, to: to, percent: percent, back: back,
        isCatalogued: isCatalogued)
    }
  }
}
