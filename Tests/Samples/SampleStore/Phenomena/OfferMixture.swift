internal import CivilTime
internal import PurchaseModel

/// Customers get offers of all kinds, one after another.
///
/// Subscribers get promotional offers and redeem offer codes at least four times as often as usual,
/// even directly after another offer. Most customers who return use an offer, and half of these
/// offers are win-back offers. In some storefronts introductory offers change to another mode or
/// another length, or end. Some promotional offers get another price under the same identifier; a
/// customer who has redeemed the offer keeps the old price until the end of the offer.
///
/// An offer's price is known in three cases: a report has the transaction id and the offer, other
/// reports list the offer at that time, or the catalogue has the price. Phones never list offer
/// codes and win-back offers: without the catalogue their prices stay unknown, unless they are
/// free.
struct OfferMixture: Phenomenon {
  var promotions = 90
  var codes = 30
  var codesAtStart = 160
  var comesBack = 480
  var comesBackWithOffer = 750
  var winBacks = 500
  /// The number of introductory offers that change once, per thousand pairs of a plan and a
  /// storefront.
  var changedIntroductions = 350
  /// The number of promotional offers per thousand that change their price.
  var repriced = 400

  func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    world.habits.promotions = promotions
    world.habits.codes = codes
    world.habits.codesAtStart = codesAtStart
    world.habits.comesBack = comesBack
    world.habits.comesBackWithOffer = comesBackWithOffer
    world.habits.winBacks = winBacks
    for offer in world.offers.promotional.joined()
    where offer.mode != .freeTrial && random.happens(perMille: repriced) {
      world.offers.reprice(
        offer.identifier, from: world.midnight(perCent: random.within(30...70)),
        percent: offer.percent * [60, 80, 130][random.below(3)] / 100)
    }
    for plan in world.plans {
      let day = random.within(world.days * 30 / 100...world.days * 70 / 100)
      let next = AppOffers.introduction(of: world.products[plan], &random)
      for storefront in world.storefronts.indices
      where random.happens(perMille: changedIntroductions) {
        world.offers.introduce(
          next, plan, storefront, from: world.start + Int64(day) * BillingClock.day)
      }
    }
  }
}
