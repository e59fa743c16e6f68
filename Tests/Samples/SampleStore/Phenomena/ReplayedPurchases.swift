internal import CivilTime

/// An app reports every transaction that the payment queue delivers, not only new purchases.
///
/// StoreKit delivers a renewal to the app at the next launch, and delivers all earlier transactions
/// again when purchases are restored. From some day on, a quarter of the phones report each of
/// these transactions as a purchase, with the price that StoreKit shows at that moment. So a report
/// may have the current list price, but the transaction id of a renewal at an old price, or of a
/// purchase two years ago.
///
/// The evidence is the time of the report, the customer's earlier price, and the price list that
/// other customers reported at the time of the purchase.
struct ReplayedPurchases: Phenomenon {
  /// The number of phones per thousand that report all delivered transactions.
  var share = 250
  /// The number of renewals per thousand that are delivered to the app.
  var renewals = 700
  /// The number of customers who restore their purchases once, per thousand customers whose phones
  /// report all delivered transactions.
  var restores = 400
  private var from: Int64 = 0

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    from = world.midnight(perCent: random.within(10...30))
    // Rises for new subscribers only.
    world.changePlans(
      in: ["USD", "EUR", "GBP", "USD"], within: 25...75, percent: 115...140, .preserved,
      isCatalogued: true, &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard account.reports, random.happens(perMille: share), !account.purchases.isEmpty else {
      return
    }
    let rows = account.purchases.indices.filter {
      account.purchases[$0].isSubscription && !account.purchases[$0].isFamilyShared
    }
    for row in rows where account.purchases[row].id != account.purchases[row].originalID {
      let launched =
        account.purchases[row].purchasedAt + Int64(random.within(1...20 * 86_400)) * 1000
      guard launched >= from, random.happens(perMille: renewals) else { continue }
      report(row, at: launched, &account, world, &random)
    }
    guard random.happens(perMille: restores) else { return }
    let restored = world.midnight(perCent: random.within(40...95))
    for row in rows where account.purchases[row].purchasedAt < restored && restored >= from {
      report(row, at: restored + Int64(random.below(60)) * 1000, &account, world, &random)
    }
  }

  private func report(
    _ row: Int, at moment: Int64, _ account: inout Account, _ world: World,
    _ random: inout SampleRandom
  ) {
    guard moment < world.end, moment >= world.start else { return }
    var report = account.report(
      of: account.purchases[row].product, at: moment, in: world, &random)
    report.purchase = row
    account.prices.append(report)
  }
}
