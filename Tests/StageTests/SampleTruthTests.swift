internal import SampleStore
internal import TestSupport
internal import Testing

/// The sample store's facts against what its generator knows.
struct SampleTruthTests {
  @Test func `every amount and every offer of the sample that can be known is right`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let score = TruthScore(
      SampleStore(.showcase).truth, purchases: try purchases(shop), offers: try offers(shop))
    #expect(score.purchases > 400)
    #expect(score.resolvable > 350)
    #expect(score.resolvableRight == score.resolvable, "\(score.examples)")
    #expect(score.wrongButExact == 0, "\(score.examples)")
    #expect(score.outOfBounds == 0, "\(score.examples)")
    #expect(score.missing == 0 && score.unexpected == 0, "\(score.examples)")
    #expect(score.offers > 40)
    #expect(score.offersRight == score.offers && score.offersUnexpected == 0, "\(score.examples)")
  }

  @Test func `one thousandth too much is found`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    var rows = try purchases(shop)
    let index = try #require(rows.firstIndex { $0.status == "exact" })
    rows[index].paidMilli = rows[index].paidMilli.map { $0 + 1 }
    let score = TruthScore(SampleStore(.showcase).truth, purchases: rows, offers: [])
    #expect(score.wrongButExact == 1)
    #expect(score.offersRight == 0)
  }

  @Test func `every status and every eligibility of the sample is right`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let truth = SampleStore(.showcase).truth
    let score = StandingScore(
      truth, subscriptions: try subscriptions(shop), eligibility: try eligibility(shop),
      chainsOf: try chains(shop))
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
    var found = try subscriptions(shop)
    var answers = try eligibility(shop)
    found[0].status = found[0].status == "active" ? "expired" : "active"
    answers[0].introReason = "in_grace_period"
    answers.removeLast()
    let score = StandingScore(
      SampleStore(.showcase).truth, subscriptions: found, eligibility: answers,
      chainsOf: try chains(shop))
    #expect(score.subscriptions - score.subscriptionsRight == 1)
    #expect(score.eligibilities - score.eligibilitiesRight == 2)
  }

  private func subscriptions(_ shop: Shop) throws -> [TruthSubscription] {
    try fields(shop, "SELECT original_transaction_id, status FROM dim_subscription ORDER BY 1")
      .map { TruthSubscription(originalTransactionID: $0[0], status: $0[1]) }
  }

  private func eligibility(_ shop: Shop) throws -> [TruthEligibility] {
    try fields(
      shop,
      """
      SELECT min(s.original_transaction_id), e.subscription_group_id, e.intro_reason,
        e.is_promo_eligible
      FROM dim_offer_eligibility e JOIN dim_subscription s
        ON s.customer_key = e.customer_key AND s.subscription_group_id = e.subscription_group_id
      GROUP BY e.customer_key, e.subscription_group_id ORDER BY 1, 2
      """
    ).map {
      TruthEligibility(
        originalTransactionID: $0[0], groupID: $0[1], introReason: $0[2],
        isPromoEligible: $0[3] == "1")
    }
  }

  /// For each chain all chains of its customer.
  private func chains(_ shop: Shop) throws -> [String: [String]] {
    var chains: [String: [String]] = [:]
    for row in try fields(
      shop,
      """
      SELECT a.original_transaction_id, b.original_transaction_id
      FROM dim_subscription a JOIN dim_subscription b ON b.customer_key = a.customer_key
      """)
    {
      chains[row[0], default: []].append(row[1])
    }
    return chains
  }

  private func purchases(_ shop: Shop) throws -> [ScoredPurchase] {
    try fields(
      shop,
      """
      SELECT transaction_id, paid_milli, currency, price_status, paid_low_milli, paid_high_milli
      FROM fct_revenue
      """
    ).map { row in
      ScoredPurchase(
        transactionID: row[0], paidMilli: Int64(row[1]),
        currency: row[2] == "NULL" ? nil : row[2], status: row[3],
        lowMilli: try #require(Int64(row[4])), highMilli: Int64(row[5]))
    }
  }

  private func offers(_ shop: Shop) throws -> [TruthOffer] {
    try fields(
      shop,
      """
      SELECT first.transaction_id, c.offer_kind, c.status, coalesce(conv.transaction_id, '')
      FROM fct_conversion c JOIN fct_revenue first ON first.purchase_key = c.offer_purchase_key
      LEFT JOIN fct_revenue conv ON conv.purchase_key = c.converted_purchase_key
      """
    ).map { TruthOffer(transactionID: $0[0], kind: $0[1], status: $0[2], convertedBy: $0[3]) }
  }

  private func fields(_ shop: Shop, _ sql: String) throws -> [[String]] {
    try shop.rows(sql).map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
