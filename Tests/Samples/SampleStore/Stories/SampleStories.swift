/// The hand-made customers of `SampleData`; their stories are grouped by subject.
///
/// The store has 365 days from 2021-01-01. Its price changes are:
/// - 2021-05-08: pro.monthly rises from 9.99 to 12.99 USD, for new subscribers only.
/// - 2021-05-27: pro.yearly falls from 7,800 to 6,800 JPY.
/// - 2021-06-14: pro.monthly rises from 8.99 to 10.99 EUR, for all subscribers.
/// - 2021-07-02: plus.monthly rises from 4.99 to 5.99 USD, with consent.
/// - 2021-07-20: coins.1000 rises from 7.99 to 8.99 USD.
/// - 2021-08-08: news.basic falls from 1.49 to 1.19 GBP.
struct SampleStories {
  private let world: World
  private let firstNumber: Int
  private(set) var accounts: [Account] = []

  /// Creates the accounts; the first of them has the given number.
  init(world: World, firstNumber: Int) {
    self.world = world
    self.firstNumber = firstNumber
    offerStories()
    renewalStories()
    reversalStories()
    evidenceStories()
    faultStories()
    formStories()
  }

  /// Adds the customer of one story.
  mutating func addStory(
    _ number: Int, _ name: String, _ market: SampleMarket, _ body: (inout Story) -> Void
  ) {
    var story = Story(
      "s-" + name, market, story: number, account: firstNumber + accounts.count, world: world)
    body(&story)
    accounts.append(story.account)
  }
}
