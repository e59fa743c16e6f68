internal import CivilTime
internal import PurchaseModel

/// Phones send introductory offers with the price 0 that are not free.
///
/// From day 100 on, a version of the system returns 0 as the price of every introductory offer,
/// with the payment mode pay as you go. Nearly half of the phones have this version.
///
/// The evidence is the offers of the other phones; a price of 0 contradicts the payment mode.
struct ZeroOffers: Phenomenon {
  /// The number of phones per thousand with this version.
  var share = 450
  /// The first day of this version.
  var day: Int64 = 100

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {}

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard random.happens(perMille: share) else { return }
    let from = world.start + day * BillingClock.day
    for index in account.prices.indices where account.prices[index].shownAt >= from {
      account.prices[index].displayed.introductory?.price = 0
      account.prices[index].displayed.introductory?.offer.mode = .payAsYouGo
    }
  }
}
