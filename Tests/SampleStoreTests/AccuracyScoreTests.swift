internal import SampleStore
internal import Testing

/// A line of the accuracy table, computed by hand.
struct AccuracyScoreTests {
  /// In this test a dollar is worth 0.50 euros.
  private let perEuro: [String: Int64] = ["USD": 2_000_000]

  private let truth = StoreTruth(
    asOf: 0,
    purchases: [
      purchase("1", 9_990, "listed"), purchase("2", 4_000, "told"),
      purchase("3", 6_000, "rise_unexplained", isResolvable: false),
      purchase("4", 0, "free", kind: "trial"),
      purchase("5", 1_000, "excluded", isResolvable: false, exclusion: "sandbox"),
    ], offers: [TruthOffer(transactionID: "4", kind: "trial", status: "lapsed")])

  private static func purchase(
    _ id: String, _ paid: Int64, _ evidence: String, kind: String = "regular",
    isResolvable: Bool = true, exclusion: String = ""
  ) -> TruthPurchase {
    TruthPurchase(
      transactionIDs: [id, id + "0"], productID: "month", kind: kind, currency: "USD",
      paidMilli: paid, isResolvable: isResolvable, exclusion: exclusion, purchasedAt: 0,
      evidence: evidence)
  }

  private func row(
    _ id: String, _ paid: Int64?, _ status: String, low: Int64 = 0, high: Int64? = nil,
    currency: String? = "USD"
  ) -> ScoredPurchase {
    ScoredPurchase(
      transactionID: id, paidMilli: paid, currency: currency, status: status, lowMilli: low,
      highMilli: high, rule: "some_rule")
  }

  private func score(_ rows: [ScoredPurchase], offers: [TruthOffer] = []) -> AccuracyScore {
    AccuracyScore(truth, purchases: rows, offers: offers, perEuro: perEuro)
  }

  @Test func `right, wrong and inferred amounts are counted, free ones are not paid`() {
    let score = score([
      row("10", 9_990, "inferred"), row("2", 2_000, "inferred"),
      row("3", nil, "unresolved", high: 9_000), row("4", 0, "zero_by_rule"),
    ])
    #expect(score.paid == 3)
    #expect((score.resolvable, score.resolvableRight) == (2, 1))
    #expect((score.inferred, score.inferredWrong) == (2, 1))
    #expect((score.lies, score.unresolved, score.boundsBroken) == (0, 1, 0))
    #expect(score.deviations == ["wrong some_rule inferred, truly regular told: half": 1])
  }

  @Test func `a lie is an exact amount that is wrong, in any currency`() {
    let score = score([
      row("1", 9_000, "exact"), row("2", 4_000, "exact", currency: "EUR"),
      row("3", 6_000, "exact"),
    ])
    #expect(score.lies == 2)
    #expect(score.deviations["wrong some_rule exact, truly regular told: other currency"] == 1)
  }

  @Test func `a bound is broken where it misses the truth or is of another currency`() {
    func broken(_ row: ScoredPurchase) -> Int { score([row]).boundsBroken }
    #expect(broken(row("3", nil, "unresolved", low: 0, high: 5_990)) == 1)
    #expect(broken(row("3", nil, "unresolved", low: 6_010, high: 9_000)) == 1)
    #expect(broken(row("3", nil, "unresolved", low: 6_000, high: 6_000)) == 0)
    #expect(broken(row("3", nil, "unresolved", high: 9_000, currency: "EUR")) == 1)
    #expect(broken(row("3", nil, "unresolved", currency: "EUR")) == 0, "that is no bound")
    #expect(broken(row("3", nil, "unresolved", high: 9_000, currency: nil)) == 0)
  }

  @Test func `revenue without an amount is absent on both sides`() {
    let score = score([row("1", 9_990, "exact"), row("2", 2_000, "derived")])
    // 19.99 dollars in all. The rows with amounts have a true sum of 9.99 + 4.00, and the pipeline
    // found 9.99 + 2.00.
    #expect(score.trueRevenue == 9_995_000)
    #expect(score.absentRevenue == 3_000_000)
    #expect(score.foundRevenue == 5_995_000)
    #expect(score.missing == 2)
  }

  @Test func `a table has a line for each kind of store, with its worst seed`() {
    var table = AccuracyTable()
    let good = [row("1", 9_990, "exact"), row("2", 4_000, "exact")]
    table.add(score(good), to: AccuracyTable.kind(ofFolder: ".build/bench/hard-app-bug-1"))
    table.add(score([good[0]]), to: AccuracyTable.kind(ofFolder: "hard-app-bug-2/"))
    let lines = table.markdown.split(separator: "\n")
    #expect(lines.count == 3)
    // Three of four amounts are right; in the worse store one of two. Of 2 × 9.995 euros, 3.00 and
    // 3.00 + 2.00 have no amount.
    let line =
      "| app-bug | 6 | 66.66 % | 75.00 % | 50.00 % | 0 of 0 | 0 | 0 of 0 | 0.00 % | "
      + "+0.00 % | 40.02 % |"
    #expect(lines.last.map(String.init) == line)
    #expect(table.deviations(most: 1) == "app-bug\n  2 × missing, truly regular rise_unexplained")
  }
}
