internal import SampleStore
internal import Testing

/// Compares the sample store's facts with the truth of its generator.
struct SampleTruthTests {
  @Test func `every amount and every offer of the sample that can be known is right`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let score = TruthScore(
      SampleStore(.showcase).truth, purchases: try shop.scoredPurchases(),
      offers: try shop.scoredOffers())
    #expect(score.purchases > 400)
    #expect(score.resolvable > 350)
    #expect(score.resolvableRight == score.resolvable, "\(score.examples)")
    #expect(score.wrongButExact == 0, "\(score.examples)")
    #expect(score.outOfBounds == 0, "\(score.examples)")
    #expect(score.missing == 0 && score.unexpected == 0, "\(score.examples)")
    #expect(score.offers > 35)
    #expect(score.offersRight == score.offers && score.offersUnexpected == 0, "\(score.examples)")
  }

  @Test func `one thousandth too much is found`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    var rows = try shop.scoredPurchases()
    let index = try #require(rows.firstIndex { $0.status == "exact" })
    rows[index].paidMilli = rows[index].paidMilli.map { $0 + 1 }
    let score = TruthScore(SampleStore(.showcase).truth, purchases: rows, offers: [])
    #expect(score.wrongButExact == 1)
    #expect(score.offersRight == 0)
  }

  @Test func `every status and every eligibility of the sample is right`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let truth = SampleStore(.showcase).truth
    let score = StatusScore(
      truth, subscriptions: try shop.scoredSubscriptions(),
      eligibility: try shop.scoredEligibility(),
      chainsOf: try shop.chainsOfCustomers())
    #expect(score.subscriptions > 60 && score.eligibilities > 60)
    #expect(score.subscriptionsRight == score.subscriptions, "\(score.examples)")
    #expect(score.eligibilitiesRight == score.eligibilities, "\(score.examples)")
    #expect(
      score.subscriptionsUnexpected + score.eligibilitiesUnexpected == 0, "\(score.examples)")
    #expect(
      Set(truth.subscriptions.map(\.status)).isSuperset(of: [
        "active", "billing_retry", "expired", "grace", "promo", "revoked",
      ]))
    #expect(
      Set(truth.eligibility.map(\.introReason)) == [
        "active", "eligible", "in_grace_period", "refunded", "used_intro", "used_trial",
      ])
  }

  @Test func `another status and another reason are found`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    var found = try shop.scoredSubscriptions()
    var answers = try shop.scoredEligibility()
    found[0].status = found[0].status == "active" ? "expired" : "active"
    answers[0].introReason = "in_grace_period"
    answers.removeLast()
    let score = StatusScore(
      SampleStore(.showcase).truth, subscriptions: found, eligibility: answers,
      chainsOf: try shop.chainsOfCustomers())
    #expect(score.subscriptions - score.subscriptionsRight == 1)
    #expect(score.eligibilities - score.eligibilitiesRight == 2)
  }
}
