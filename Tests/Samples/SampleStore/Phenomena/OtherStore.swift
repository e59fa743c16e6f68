/// Most customers also send reports of another store, with other prices.
///
/// The app is sold for Android too, under equal product ids, and one endpoint stores the reports of
/// both. A customer with two phones has one id. The reports of purchases have that store's order
/// ids, such as `GPA.3312-…`; three fifths of all reports also name the store. A report without an
/// order id always names it.
///
/// The evidence is the order id or the store's name: such reports say nothing about Apple's prices.
struct OtherStore: Phenomenon {
  /// The number of customers per thousand with reports of the other store.
  var share = 650
  /// The number of reports that name the store, per thousand reports with an order id.
  var labelled = 600
  /// The prices of the other store in percent of Apple's, one of which is drawn for each product.
  var percents: [Int64] = [60, 75, 80, 85, 90, 120]
  private var percentOf: [Int64] = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    percentOf = world.products.map { _ in percents[random.below(percents.count)] }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share), !account.purchases.isEmpty else { return }
    let platform = ["android", "Android", "play_store", "google"][random.below(4)]
    let digits = { (random: inout SampleRandom, count: Int) in
      (0..<count).map { _ in String(random.below(10)) }.joined()
    }
    let groups = [4, 4, 4, 5].map { digits(&random, $0) }
    let order = "GPA." + groups.joined(separator: "-")
    let own = account.purchases[random.below(account.purchases.count)].product
    for number in 0..<random.within(1...7) {
      let product = random.happens(perMille: 700) ? own : random.below(percentOf.count)
      let moment = world.start + Int64(random.below(Int(world.end - world.start) / 1000)) * 1000
      var report = account.report(of: product, at: moment, in: world, &random)
      let currency = report.displayed.currency
      let percent = percentOf[product]
      report.displayed.map { $0 == 0 ? 0 : currency.price(near: $0 * percent / 100) }
      report.displayed.introductory = nil
      report.hasDiscounts = false
      let isPurchase = random.happens(perMille: 700)
      if isPurchase { report.foreignID = number == 0 ? order : "\(order)..\(number - 1)" }
      if !isPurchase || random.happens(perMille: labelled) { report.platform = platform }
      account.prices.append(report)
    }
  }
}
