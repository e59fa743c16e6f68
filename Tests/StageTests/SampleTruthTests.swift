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
