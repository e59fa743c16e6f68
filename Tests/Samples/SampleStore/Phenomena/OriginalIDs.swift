/// Apps name the first transaction of a subscription in every later report.
///
/// An SDK keeps the original transaction id of the running subscription, and adds it to each report
/// that it sends: also months later, when the customer only views the prices. Two fifths of the
/// phones have this SDK. Prices rise for new subscribers, and fall for all.
///
/// The evidence is the time of the report, and the prices that others reported at the time of the
/// first purchase.
struct OriginalIDs: Phenomenon {
  /// The number of phones per thousand with this SDK.
  var share = 400

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.changePlans(
      in: ["USD", "EUR", "GBP", "USD"], within: 20...75, percent: 115...140, .preserved,
      isCatalogued: true, &random)
    world.changePlans(
      in: ["USD", "EUR", "CAD", "EUR"], within: 20...75, percent: 65...88, .everyone,
      isCatalogued: false, &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    for index in account.prices.indices {
      let report = account.prices[index]
      let group = world.products[report.product].group
      guard group != nil else { continue }
      let newest = account.purchases.indices.last {
        account.purchases[$0].isSubscription && !account.purchases[$0].isFamilyShared
          && world.products[account.purchases[$0].product].group == group
          && account.purchases[$0].purchasedAt <= report.shownAt
      }
      guard let newest else { continue }
      let chain = account.purchases[newest].originalID
      account.prices[index].purchase =
        account.purchases.firstIndex { $0.id == chain } ?? report.purchase
      account.prices[index].usesAlias = false
    }
  }
}
