/// Phones are used by two people with Apple accounts in different countries.
///
/// The app knows one customer for both. While the phone is signed in to one account, StoreKit
/// shows that account's storefront; now and then it still shows the other's when the second person
/// buys, and the report names the purchase beside the other country's price. The server's record
/// around the purchase often names the right storefront.
///
/// The evidence is the record, earlier rows of the subscription, and what else was reported around
/// that day. Where report and record contradict each other and nothing else speaks, nobody knows.
struct TwoAccounts: Phenomenon {
  /// The number in a thousand of pairs of neighbours with a common phone.
  var pairs = 150
  /// The number in a thousand of reports of such a phone that show the other account's storefront.
  var elsewhere = 300

  func shape(_ world: inout World, _ random: inout SampleRandom) {}

  func disturb(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    // Both of a pair must draw the same lot.
    var lots = SampleRandom(
      seed: world.seed,
      stream: HardPhenomenon.sharedDevices.stream | UInt64(account.number / 2 + 1) << 8 | 0x80)
    guard lots.happens(perMille: pairs) else { return }
    account.identities = [Account.Identity(from: .min, id: "home-\(account.number / 2)")]
    let other = AccountLife(number: account.number ^ 1, world: world).account.storefront(at: .min)
    for index in account.prices.indices {
      account.prices[index].customerID = account.customerID(at: account.prices[index].shownAt)
      guard random.happens(perMille: elsewhere) else { continue }
      let report = account.prices[index]
      account.prices[index].storefront = other
      account.prices[index].shelf = world.shelf(report.product, other, at: report.shownAt)
    }
  }
}
