import Testing

@testable import PurchaseModel
@testable import Purchases
@testable import Subscriptions
@testable import Warehouse

/// `dim_offer_eligibility` of the hand-made store.
@Suite struct `Offer eligibility` {
  private func rows(_ facts: SampleFacts) throws -> [String] {
    let folder = try WorkFolder()
    let report = try folder.warehouse.publish(facts.content)
    #expect(try folder.warehouse.contentDigest() == report.contentDigest)
    // Sorted by rowid, which is the order of writing.
    return try folder.rows("SELECT * FROM dim_offer_eligibility ORDER BY rowid")
  }

  @Test func `a chain without a customer or without a group says nothing`() throws {
    // Chain 1000 belongs to c-1 and had a trial; chain 2000 has no group; the coins have no
    // customer.
    #expect(
      try rows(SampleFacts()) == ["\(customerOne)|20611001|0|used_trial|1"])
  }

  @Test func `customers stand in the order of their keys; a grace period decides nothing`() throws {
    var facts = SampleFacts()
    let group = SubscriptionGroupID(facts.symbol("20611001"))
    facts.content.subscriptions.subscriptions[1].subscriptionGroupID = group
    facts.content.subscriptions.subscriptions[1].status = .grace
    // The key of c-2 begins with 60, that of c-1 with a4. An upgrade is not a refund.
    #expect(
      try rows(facts) == [
        "\(customerTwo)|20611001|-|in_grace_period|1",
        "\(customerOne)|20611001|0|used_trial|1",
      ])
  }

  @Test func `a customer's groups stand in the order of their names`() throws {
    var facts = SampleFacts()
    facts.content.purchases.chains[1].customer = CustomerID(facts.symbol("c-1"))
    // Any text can be a group id: "1" precedes "20611001".
    facts.content.subscriptions.subscriptions[1].subscriptionGroupID =
      SubscriptionGroupID(facts.symbol("1"))
    facts.content.subscriptions.subscriptions[1].status = .expired
    #expect(
      try rows(facts) == [
        "\(customerOne)|1|1|eligible|1",
        "\(customerOne)|20611001|0|used_trial|1",
      ])
  }
}
