/// The hand-made customers of `SampleData`: one small piece of code per story, grouped by subject.
///
/// The price changes in this store of 365 days from 2021-01-01: pro.monthly rises from 9.99 to
/// 12.99 USD on 2021-05-08 for new subscribers only, and from 8.99 to 10.99 EUR on 2021-06-14 for
/// all; plus.monthly needs consent to 5.99 instead of 4.99 USD from 2021-07-02; news.basic falls
/// from 1.49 to 1.19 GBP on 2021-08-08, pro.yearly from 7,800 to 6,800 JPY on 2021-05-27, and
/// coins.1000 rises from 7.99 to 8.99 USD on 2021-07-20.
struct SampleStories {
  private let plan: StorePlan
  /// The customers of all stories.
  private(set) var customers: [SampleCustomer] = []

  init(plan: StorePlan) {
    self.plan = plan
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
    var story = Story("s-" + name, market, number: number, plan: plan)
    body(&story)
    customers.append(story.customer)
  }
}
