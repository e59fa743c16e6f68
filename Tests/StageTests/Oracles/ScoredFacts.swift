internal import SampleStore
internal import Testing

/// The published facts, as input of the scores of synthetic stores.
extension Shop {
  /// The subscriptions, as input of a score.
  func scoredSubscriptions() throws -> [TruthSubscription] {
    try fields("SELECT original_transaction_id, status FROM dim_subscription ORDER BY 1")
      .map { TruthSubscription(originalTransactionID: $0[0], status: $0[1]) }
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
