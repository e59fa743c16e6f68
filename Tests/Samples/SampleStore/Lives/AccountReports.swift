extension Account {
  /// Creates a price report about a product at a moment, with right prices and times.
  ///
  /// The report arrives within two hours, before the end of the store.
  func report(
    of product: Int, at moment: Int64, in world: World, _ random: inout SampleRandom
  ) -> AccountReport {
    let storefront = storefront(at: moment)
    var report = AccountReport(
      product: product, storefront: storefront, shownAt: moment,
      displayed: world.displayed(product, storefront, at: moment), reportedAt: moment,
      arrivedAt: min(moment + Int64(random.within(1...7_200)) * 1000, world.end - 1))
    report.customerID = customerID(at: moment)
    report.namesStorefront = random.happens(perMille: world.reporting.namesStorefront)
    report.style = random.below(64)
    return report
  }
}
