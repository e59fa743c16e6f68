internal import SampleStore
internal import Testing

/// The published facts, as input of the scores of synthetic stores.
extension Shop {
  /// The subscriptions, as input of a score.
  func scoredSubscriptions() throws -> [TruthSubscription] {
    try fields("SELECT original_transaction_id, status FROM dim_subscription ORDER BY 1")
      .map { TruthSubscription(originalTransactionID: $0[0], status: $0[1]) }
  }

  /// The truth as far as the exports tell it: of a subscription whose end nobody has looked at,
  /// they do not tell whether it goes on, nor whether its offer converted.
  func seen(_ truth: StoreTruth) throws -> StoreTruth {
    var truth = truth
    let unseen = Set(
      try rows("SELECT original_transaction_id FROM dim_subscription WHERE status = 'not_seen'"))
    let pending = Set(
      try rows(
        """
        SELECT r.transaction_id FROM fct_conversion AS c
        JOIN fct_revenue AS r ON r.purchase_key = c.offer_purchase_key
        JOIN dim_subscription AS s ON s.original_transaction_id = c.original_transaction_id
        WHERE s.seen_through_at IS NOT NULL AND c.status = 'pending'
        """))
    // Somebody looked if there is a renewal state after the end, or one that says no more renewals.
    #expect(
      try rows(
        """
        SELECT s.original_transaction_id FROM dim_subscription AS s
        JOIN fct_renewal_state AS n ON n.original_transaction_id = s.original_transaction_id
        WHERE s.status = 'not_seen' AND (n.observed_at >= s.expires_at
          OR n.auto_renew_status = 0 AND n.observed_at = (SELECT MAX(m.observed_at)
            FROM fct_renewal_state AS m
            WHERE m.original_transaction_id = s.original_transaction_id))
        """) == [])
    for index in truth.subscriptions.indices
    where unseen.contains(truth.subscriptions[index].originalTransactionID) {
      truth.subscriptions[index].status = "not_seen"
    }
    for index in truth.offers.indices where pending.contains(truth.offers[index].transactionID) {
      truth.offers[index].status = "pending"
      truth.offers[index].convertedBy = ""
    }
    return truth
  }

  /// The offers for which customers are eligible, as input of a score.
  func scoredEligibility() throws -> [TruthEligibility] {
    try fields(
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

  /// For each chain, all chains of its customer.
  func chainsOfCustomers() throws -> [String: [String]] {
    var chains: [String: [String]] = [:]
    for row in try fields(
      """
      SELECT a.original_transaction_id, b.original_transaction_id
      FROM dim_subscription a JOIN dim_subscription b ON b.customer_key = a.customer_key
      """)
    {
      chains[row[0], default: []].append(row[1])
    }
    return chains
  }

  /// The revenue rows, as input of a score.
  func scoredPurchases() throws -> [ScoredPurchase] {
    try fields(
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

  /// The offer periods, as input of a score.
  func scoredOffers() throws -> [TruthOffer] {
    try fields(
      """
      SELECT first.transaction_id, c.offer_kind, c.status, coalesce(conv.transaction_id, '')
      FROM fct_conversion c JOIN fct_revenue first ON first.purchase_key = c.offer_purchase_key
      LEFT JOIN fct_revenue conv ON conv.purchase_key = c.converted_purchase_key
      """
    ).map { TruthOffer(transactionID: $0[0], kind: $0[1], status: $0[2], convertedBy: $0[3]) }
  }

  private func fields(_ sql: String) throws -> [[String]] {
    try rows(sql).map {
      $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
