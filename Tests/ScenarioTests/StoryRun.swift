internal import CivilTime
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions
internal import TestSupport

/// Plays a story in memory: from sightings to facts through every rule.
func play(_ story: Story) throws -> StoryFacts {
  let told = StoryStore(story)
  let asOf = story.asOf.map { instant($0) } ?? told.store.sightings.defaultAsOf
  let bundles = Set(story.bundles.map { told.store.bundle($0) })
  var book = try mergeSightings(told.store.sightings, bundleIDs: bundles)
  book.nameSubscriptionGroups(by: told.store.catalogue)
  let courses = Purchases.courses(of: book, catalogue: told.store.catalogue)
  let amounts = try paidAmounts(
    book: book, courses: courses, set: told.store.sightings, catalogue: told.store.catalogue,
    policy: story.renewalPrices)
  let subscriptions = Subscriptions.subscriptions(
    book: book, courses: courses, amounts: amounts, asOf: asOf)
  return StoryFacts(
    story: told, book: book, courses: courses, amounts: amounts, subscriptions: subscriptions,
    eligibility: offerEligibility(
      book: book, courses: courses, subscriptions: subscriptions.subscriptions))
}
