internal import Deciding
internal import PurchaseModel
internal import TestSupport

/// Runs a scenario in memory: from observations to facts, with every rule.
func play(_ story: Story) throws -> StoryFacts {
  let storyStore = StoryStore(story)
  let asOf = story.asOf.map { instant($0) } ?? storyStore.store.observations.newestMoment
  let bundles = Set(story.bundles.map { storyStore.store.bundle($0) })
  let store = try DecidedStore(
    storyStore.store.observations, catalogue: storyStore.store.catalogue, bundles: bundles,
    policy: story.renewalPrices, asOf: asOf,
    cells: story.books?.cells(in: storyStore.store.observations.symbols))
  let decided = store.decided
  return StoryFacts(
    story: storyStore, store: store, book: decided.purchases, timelines: decided.timelines,
    amounts: decided.amounts, subscriptions: decided.subscriptions,
    eligibility: decided.eligibility)
}
