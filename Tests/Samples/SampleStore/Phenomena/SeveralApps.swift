/// The owner sells two apps; their products have the same ids, but different prices.
///
/// Apple requires product ids to be unique only within an app. The second app's products cost more
/// or less than the first app's, and change their prices on different days. Offers of the two apps
/// may have the same identifier and different prices. A third of the reports have the bundle id.
/// Some customers use one customer id in both apps.
///
/// The app of a report is known in three cases: the report has the bundle id, the report has the
/// transaction id of a known purchase, or the customer uses only one app.
struct SeveralApps: Phenomenon {
  /// The number of reports per thousand with the bundle id.
  var named = 330
  /// The number of pairs of successive accounts that have one customer id, per thousand pairs.
  var households = 60

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.addApp("app.paidline.second", &random)
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    var lots = SampleRandom(
      seed: world.seed,
      stream: HardPhenomenon.severalApps.stream | UInt64(account.number / 2 + 1) << 8 | 0x80)
    if lots.happens(perMille: households) {
      account.identities = [Account.Identity(from: .min, id: "home-\(account.number / 2)")]
    }
    for index in account.prices.indices {
      account.prices[index].customerID = account.customerID(at: account.prices[index].shownAt)
      account.prices[index].namesApp = random.happens(perMille: named)
    }
  }
}
