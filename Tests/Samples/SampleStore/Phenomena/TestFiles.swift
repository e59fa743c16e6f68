/// Reports of StoreKit's test files are in the export.
///
/// The database of the staging server was merged into the production database. Developers tested
/// there with a StoreKit configuration file: prices that somebody invented, in US dollars, and
/// transactions with the ids 0, 1 and 2. Both servers number their users from the same number on,
/// so that half of the testers have the ids of customers.
///
/// The evidence is the transaction ids: Apple's production has no such purchases.
struct TestFiles: Phenomenon {
  /// The number of customers per thousand whose number a tester has too.
  var share = 60
  /// The invented prices, in thousandths, one of which is drawn for each product.
  var invented: [Int64] = [990, 1_000, 1_990, 4_990, 9_990, 19_990]
  private var priceOf: [Int64] = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    priceOf = world.products.map { _ in invented[random.below(invented.count)] }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    let isOwn = random.happens(perMille: 500)
    for _ in 0..<random.within(4...15) {
      let product = random.below(priceOf.count)
      let moment = world.start + Int64(random.below(Int(world.end - world.start) / 1000)) * 1000
      var report = account.report(of: product, at: moment, in: world, &random)
      report.storefront = 0  // the United States
      report.displayed = DisplayedPrices(
        currency: .named("USD"), price: priceOf[product], introductory: nil, discounts: [])
      report.foreignID = String(random.below(3))
      if !isOwn { report.customerID = "qa-\(account.number)" }
      account.prices.append(report)
    }
  }
}
