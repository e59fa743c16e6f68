internal import CivilTime
internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// Stores with signed transactions from `paidline-sample`, with the real executables.
struct SignedStoreRunTests {
  /// Creates a store, runs its pipeline, and reads its truth.
  private static func run(_ options: String...) throws -> (shop: Shop, truth: StoreTruth) {
    let shop = try Shop()
    let made = try shop.run(
      "paidline-sample", arguments: [".", "--customers", "150", "--days", "730"] + options)
    try #require(made.status == 0, "\(made.errors)")
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("var/warehouse.db", with: "out/warehouse.db")
        + "customer_key_file: customer.key\n")
    let ending = try shop.run("paidline", "run")
    try #require(ending.status == 0, "\(ending.errors)")
    func text(_ name: String) throws -> String {
      String(decoding: try shop.folder.bytes(name), as: UTF8.self)
    }
    let truth = try #require(
      StoreTruth(
        purchasesCSV: try text("truth.csv"), offersCSV: try text("truth-offers.csv")))
    return (shop, truth)
  }

  private func score(_ run: (shop: Shop, truth: StoreTruth)) throws -> TruthScore {
    TruthScore(
      run.truth, purchases: try run.shop.scoredPurchases(),
      offers: try run.shop.scoredOffers())
  }

  @Test func `receipts of one year and signed transactions of the next are one true store`() throws
  {
    let run = try Self.run("--signed-from", "2022-01-01")
    #expect(
      try run.shop.rows("SELECT count(1) FROM audit_file WHERE kind = 'signed' AND rejected > 0")
        == ["0"])
    let signed = try run.shop.rows(
      """
      SELECT count(1), SUM(purchased_at >= '2022'), SUM(price_status <> 'exact')
      FROM fct_revenue WHERE signed_price_milli IS NOT NULL
      """)[0].split(separator: "|").map(String.init)
    // Purchases after that day have a signed price, and their amount is that price.
    #expect(try #require(Int(signed[0])) > 400)
    #expect(signed[1] == signed[0] && signed[2] == "0")
    // The receipts end with the year; the signed transactions continue for some quarters.
    #expect(
      try run.shop.rows("SELECT complete_through_date FROM audit_run") == ["2022-09-29"])
    #expect(
      try run.shop.run("paidline", "status").output.contains("\nNewest export  2022-12-31\n"))
    // There is one row per purchase, whether it is in receipts, in transactions or in both.
    let score = try score(run)
    #expect(score.missing == 0 && score.unexpected == 0, "\(score.examples)")
    #expect(score.wrongButExact == 0 && score.outOfBounds == 0, "\(score.examples)")
    #expect(score.resolvableRight == score.resolvable, "\(score.examples)")
    #expect(score.offersRight == score.offers && score.offersUnexpected == 0, "\(score.examples)")
  }

  private static let third = Result { try run("--signed-share", "0.3") }

  @Test func `with three in ten customers signed every exact row is right`() throws {
    let run = try Self.third.get()
    let shares = try run.shop.rows(
      "SELECT 100 * SUM(signed_price_milli IS NOT NULL) / count(1) FROM fct_revenue")
    #expect((20...40).contains(try #require(Int(shares[0]))))
    let score = try score(run)
    #expect(score.wrongButExact == 0 && score.outOfBounds == 0, "\(score.examples)")
    #expect(score.missing == 0 && score.unexpected == 0, "\(score.examples)")
    #expect(score.resolvableRight == score.resolvable, "\(score.examples)")
    let store = SampleStore(
      SampleOptions(
        customers: 150, seed: 1, firstDay: CivilDay(daysSinceEpoch: 18_628), days: 730, files: 8))
    let statusScore = StatusScore(
      store.truth, subscriptions: try run.shop.scoredSubscriptions(),
      eligibility: try run.shop.scoredEligibility(), chainsOf: try run.shop.chainsOfCustomers())
    #expect(
      statusScore.subscriptionsRight == statusScore.subscriptions, "\(statusScore.examples)")
    #expect(
      statusScore.eligibilitiesRight == statusScore.eligibilities, "\(statusScore.examples)")
  }

  @Test func `the backtest is the truth score of what it hides`() throws {
    let (shop, truth) = try Self.third.get()
    #expect(try shop.run("paidline", "backtest", shop.pipeline).status == 0)
    var paid: [String: TruthPurchase] = [:]
    for purchase in truth.purchases {
      for id in purchase.transactionIDs { paid[id] = purchase }
    }
    var verdicts: [String: Int] = [:]
    var sums: [String: [Int64]] = [:]
    for row in try shop.rows(
      """
      SELECT r.transaction_id, b.rule, b.status, r.currency, b.rule_milli, b.low_milli, b.high_milli,
        b.verdict
      FROM audit_backtest AS b JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
      """)
    {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let truth = try #require(paid[cells[0]])
      let (rule, low, high) = (Int64(cells[4]), Int64(cells[5]) ?? 0, Int64(cells[6]) ?? .max)
      let verdict =
        if let rule {
          rule == truth.paidMilli ? "right" : "wrong"
        } else {
          (low...high).contains(truth.paidMilli) ? "bounds_hold" : "bounds_miss"
        }
      #expect(cells[7] == verdict, "\(row), in truth \(truth.paidMilli)")
      verdicts[verdict, default: 0] += 1
      var sum = sums["\(cells[1])|\(cells[2])|\(cells[3])"] ?? [0, 0, 0, 0]
      sum[0] += 1
      sum[1] += verdict == "right" ? 1 : 0
      sum[2] += truth.paidMilli
      sum[3] += rule.map { abs($0 - truth.paidMilli) } ?? 0
      sums["\(cells[1])|\(cells[2])|\(cells[3])"] = sum
    }
    let published = try shop.rows(
      """
      SELECT rule, status, currency, rows, right_rows, signed_milli, error_milli
      FROM backtest_by_rule ORDER BY 1, 2, 3
      """)
    let expected = sums.map { key, sum in
      ([key] + sum.map(String.init)).joined(separator: "|")
    }
    #expect(published.sorted() == expected.sorted())
    #expect(verdicts["bounds_miss"] == nil)
    #expect(try #require(verdicts["right"]) > 9 * (verdicts["wrong"] ?? 0))
  }
}
