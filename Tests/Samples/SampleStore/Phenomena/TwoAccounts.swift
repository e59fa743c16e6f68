/// Two people with Apple accounts in different countries use one phone.
///
/// The app has one customer id for both people. While the phone is signed in to one account,
/// StoreKit shows that account's storefront. Sometimes StoreKit still shows the first person's
/// storefront when the second person buys. Then the report has the second person's transaction id,
/// but the price of the first person's country. The server's record often has the right storefront.
///
/// If ``isRecordWrong`` is true, the record that the phone sends in the same moment has the first
/// person's storefront too.
///
/// The evidence is the record, earlier rows of the subscription, and other reports around that day.
/// If the report and the record contradict each other and there is no other evidence, the amount is
/// not determined.
struct TwoAccounts: Phenomenon {
  /// The number of pairs of successive accounts that use one phone, per thousand pairs.
  var pairs = 150
  /// The number of reports with the other account's storefront, per thousand reports of shared
  /// phones.
  var elsewhere = 300
  /// Whether the record of the moment has the storefront of a wrong report.
  var isRecordWrong = false

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {}

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    // Both accounts of a pair need the same random choice.
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
      account.prices[index].displayed = world.displayed(report.product, other, at: report.shownAt)
      guard isRecordWrong else { continue }
      for upload in account.uploads.indices
      where abs(account.uploads[upload].at - report.shownAt) < BillingClock.hour {
        account.uploads[upload].named = other
      }
    }
  }
}
