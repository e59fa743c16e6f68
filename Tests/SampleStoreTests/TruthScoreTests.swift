internal import SampleStore
internal import Testing

/// Scores are computed from plain rows.
struct TruthScoreTests {
  private let truth = StoreTruth(
    asOf: 0,
    purchases: [
      purchase(["1", "2"], 9_990),
      purchase(["3"], 4_990, isResolvable: false),
      purchase(["4"], 0),
      purchase(["5"], 9_990, exclusion: "sandbox"),
    ],
    offers: [TruthOffer(transactionID: "4", kind: "trial", status: "converted", convertedBy: "1")])

  private static func purchase(
    _ ids: [String], _ paid: Int64, isResolvable: Bool = true, exclusion: String = ""
  ) -> TruthPurchase {
    TruthPurchase(
      transactionIDs: ids, productID: "pro", kind: "regular", currency: "USD", paidMilli: paid,
      isResolvable: isResolvable, exclusion: exclusion, purchasedAt: 0)
  }

  private func row(
    _ id: String, _ paid: Int64?, _ status: String = "exact", currency: String? = "USD",
    low: Int64? = nil, high: Int64? = nil
  ) -> ScoredPurchase {
    ScoredPurchase(
      transactionID: id, paidMilli: paid, currency: currency, status: status,
      lowMilli: low ?? paid ?? 0, highMilli: high ?? paid)
  }

  @Test func `a perfect pipeline has every row right by any of its ids`() {
    let score = TruthScore(
      truth, purchases: [row("2", 9_990), row("3", nil, "unresolved"), row("4", 0)],
      offers: [TruthOffer(transactionID: "4", kind: "trial", status: "converted", convertedBy: "2")]
    )
    #expect(score.purchases == 3)
    #expect(score.right == 2)
    #expect(score.unresolved == 1)
    #expect(score.resolvable == 2)
    #expect(score.resolvableRight == 2)
    #expect(score.resolvableRightBasisPoints == 10_000)
    #expect(score.offersRight == 1)
    #expect(
      score.wrong + score.missing + score.unexpected + score.outOfBounds
        + score.offersUnexpected == 0)
    #expect(score.examples.isEmpty)
  }

  @Test func `another amount is wrong, and worse where it claims to be exact`() {
    let score = TruthScore(
      truth, purchases: [row("1", 9_999), row("3", 4_999, "derived"), row("4", 0)], offers: [])
    #expect(score.wrong == 2)
    #expect(score.wrongButExact == 1)
    #expect(score.resolvableRightBasisPoints == 5_000)
  }

  @Test func `the right digits in the wrong currency are wrong, but nothing is nothing everywhere`()
  {
    let score = TruthScore(
      truth, purchases: [row("1", 9_990, currency: "EUR"), row("4", 0, currency: "EUR")],
      offers: [])
    #expect(score.wrong == 1)
    #expect(score.right == 1)
  }

  @Test
  func `knowable amounts that stay unknown are counted, and so are bounds that miss the truth`() {
    let score = TruthScore(
      truth,
      purchases: [
        row("1", nil, "unresolved", low: 0, high: 5_000), row("3", nil, "unresolved"),
        row("4", nil, "conflict"),
      ], offers: [])
    #expect(score.unresolved == 3)
    #expect(score.unresolvedButResolvable == 2)
    #expect(score.outOfBounds == 1)
  }

  @Test func `missing, unknown, excluded and repeated rows are counted`() {
    let score = TruthScore(
      truth, purchases: [row("1", 9_990), row("2", 9_990), row("5", 9_990), row("6", 1)],
      offers: [])
    #expect(score.right == 1)
    #expect(score.missing == 2)
    #expect(score.unexpected == 3)
  }

  @Test(arguments: [
    TruthOffer(transactionID: "4", kind: "trial", status: "lapsed"),
    TruthOffer(transactionID: "4", kind: "trial", status: "converted", convertedBy: "3"),
    TruthOffer(transactionID: "4", kind: "promo", status: "converted", convertedBy: "1"),
    TruthOffer(transactionID: "1", kind: "trial", status: "converted", convertedBy: "1"),
  ])
  func `an offer with another outcome is not right`(_ offer: TruthOffer) {
    let score = TruthScore(truth, purchases: [], offers: [offer])
    #expect(score.offersRight == 0)
    #expect(!score.examples.isEmpty)
  }

  @Test(arguments: [
    ("pending", "", 0, 0), ("lapsed", "", 1, 0), ("converted", "1", 1, 1),
    ("converted", "3", 1, 0),
  ])
  func `an open offer whose result no export shows is not counted, but a stated result is`(
    _ status: String, _ converting: String, _ offers: Int, _ right: Int
  ) {
    var unseen = truth
    unseen.offers[0].isResultSeen = false
    let row = TruthOffer(
      transactionID: "4", kind: "trial", status: status, convertedBy: converting)
    let score = TruthScore(unseen, purchases: [], offers: [row])
    #expect((score.offers, score.offersRight) == (offers, right))
    // Where the exports show the result, an open offer is wrong.
    #expect(TruthScore(truth, purchases: [], offers: [row]).offers == 1)
  }

  @Test func `a subscription is not seen only where no export shows its end`() {
    let chains = [
      TruthSubscription(originalTransactionID: "1", status: "expired", isEndSeen: false),
      TruthSubscription(originalTransactionID: "2", status: "expired"),
    ]
    var unfinished = StoreTruth(asOf: 0, purchases: [], offers: [])
    unfinished.subscriptions = chains
    func score(_ status: String) -> StatusScore {
      StatusScore(
        unfinished,
        subscriptions: ["1", "2"].map {
          TruthSubscription(originalTransactionID: $0, status: status)
        }, eligibility: [], chainsOf: [:])
    }
    #expect((score("not_seen").subscriptions, score("not_seen").subscriptionsRight) == (1, 0))
    #expect((score("expired").subscriptions, score("expired").subscriptionsRight) == (2, 2))
    #expect((score("active").subscriptions, score("active").subscriptionsRight) == (2, 0))
  }

  @Test func `a percentage has two decimals, zeros too`() {
    #expect([9_805, 10_000, 7].map(AccuracyTable.percent) == ["98.05 %", "100.00 %", "0.07 %"])
  }
}
