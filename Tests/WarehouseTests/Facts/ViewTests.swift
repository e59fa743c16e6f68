import SharedTables
import Amounts
import CivilTime
import Testing

@testable import PaidAmounts
@testable import Purchases
@testable import Subscriptions
@testable import Warehouse

/// The views over the hand-made store, whose exports cover everything through 2021-06-20.
@Suite struct `Views` {
  private func rows(_ sql: String, change: (inout SampleFacts) -> Void = { _ in }) throws
    -> [String]
  {
    let folder = try WorkFolder()
    var sample = SampleFacts()
    change(&sample)
    _ = try folder.warehouse.publish(sample.content)
    return try folder.rows(sql)
  }

  @Test func `revenue shows numbers to sum, unknown amounts stay NULL`() throws {
    #expect(
      try rows("SELECT purchase_key, list_price, paid, paid_low, paid_high FROM revenue") {
        Self.loseTheYear(&$0, high: nil)
        $0.content.amounts.amounts[1].listPrice = nil
      } == [
        "100|-|9.99|9.99|9.99", "200|9.99|-|0.0|-", "300|9.99|9.99|9.99|9.99",
        "400|9.99|240.0|240.0|240.0", "500|9.99|9.99|9.99|9.99", "900|9.99|0.0|0.0|0.0",
      ])
  }

  /// Makes the amount of the year of chain 2000 unknown, between 0 and a bound.
  private static func loseTheYear(_ sample: inout SampleFacts, high: Milliunits?) {
    sample.content.amounts.amounts[4].paid = nil
    sample.content.amounts.amounts[4].low = .zero
    sample.content.amounts.amounts[4].high = high
    sample.content.amounts.amounts[4].status = .unresolved
    sample.content.amounts.amounts[4].rule = .unresolved
  }

  private static let revenueDaily = """
    SELECT date_day, product_id, currency, gross_milli, gross_low_milli, gross_high_milli,
      net_cohort_milli, unresolved_rows, is_complete
    FROM revenue_daily ORDER BY 1, 2, 3
    """

  @Test func `revenue_daily counts unresolved rows beside the sums`() throws {
    let known = [
      "2021-05-01|pro.monthly|USD|9990|9990|9990|9990|0|1",
      "2021-05-02|coins|JPY|240000|240000|240000|240000|0|1",
      "2021-05-08|pro.monthly|USD|9990|9990|9990|9990|0|1",
    ]
    // The renewal of June 8 was refunded: gross stays, and the net of the cohort is 0.
    let refunded = "2021-06-08|pro.monthly|USD|9990|9990|9990|0|0|1"
    #expect(
      try rows(Self.revenueDaily) {
        Self.loseTheYear(&$0, high: Milliunits(59_990))
      } == known + ["2021-05-16|pro.yearly|USD|-|0|59990|-|1|1", refunded])
    #expect(
      try rows(Self.revenueDaily) {
        Self.loseTheYear(&$0, high: nil)
      } == known + ["2021-05-16|pro.yearly|USD|-|0|-|-|1|1", refunded])
  }

  @Test func `days after the last covered one are not complete`() throws {
    #expect(
      try rows("SELECT date_day, is_complete FROM revenue_daily ORDER BY 1") {
        $0.content.files[0].exportDate = CivilDay(text: "2021-05-09")
      } == ["2021-05-01|1", "2021-05-02|1", "2021-05-08|1", "2021-05-16|0", "2021-06-08|0"])
    #expect(
      try rows("SELECT DISTINCT is_complete FROM revenue_daily") {
        $0.content.files[0].exportDate = nil
      } == ["0"])
  }

  @Test func `net_revenue_ledger_daily dates a refund with itself`() throws {
    #expect(
      try rows(
        """
        SELECT date_day, product_id, currency, charges_milli, refunds_milli, net_ledger_milli,
          is_complete
        FROM net_revenue_ledger_daily WHERE date_day >= '2021-06-01'
        """) == [
          "2021-06-08|pro.monthly|USD|9990|0|9990|1", "2021-06-20|pro.monthly|USD|0|-9990|-9990|1",
        ])
  }

  @Test func `price_coverage_daily has no share where nothing was chargeable`() throws {
    #expect(
      try rows("SELECT * FROM price_coverage_daily ORDER BY 1, 2") {
        Self.loseTheYear(&$0, high: nil)
        $0.content.purchases.purchases[0].purchasedAt = at("2021-04-30T10:00:00Z")
        $0.content.subscriptions.conversions[0].startedAt = at("2021-04-30T10:00:00Z")
      } == [
        "2021-04-30|com.example.pro|pro.monthly|USA|0|0|0|-|-|1",
        "2021-05-01|com.example.pro|pro.monthly|USA|1|1|0|10000|0|1",
        "2021-05-02|com.example.pro|coins|USA|1|1|0|10000|0|1",
        "2021-05-08|com.example.pro|pro.monthly|USA|1|1|1|10000|10000|1",
        "2021-05-16|com.example.pro|pro.yearly|USA|1|0|0|0|0|1",
        "2021-06-08|com.example.pro|pro.monthly|USA|1|1|0|10000|0|1",
      ])
  }

  @Test func `trial_conversion marks a cohort that can still change`() throws {
    #expect(
      try rows("SELECT * FROM trial_conversion") == [
        "2021-05-01|com.example.pro|pro.monthly|USA|1|0|1|1|1|0|0|0|0|0|0|0"
      ])
    #expect(
      try rows("SELECT * FROM trial_conversion") {
        $0.content.subscriptions.conversions[0].isMature = true
        $0.content.subscriptions.conversions[0].maturesAt = at("2021-06-01T00:00:00Z")
        $0.content.subscriptions.conversions[0].isSameProduct = false
        $0.content.subscriptions.conversions[0].conversionRefundedAt = at("2021-05-20T00:00:00Z")
      } == ["2021-05-01|com.example.pro|pro.monthly|USA|1|1|0|1|1|1|1|0|0|0|0|1"])
    #expect(try rows("SELECT * FROM intro_conversion") == [])
  }

  @Test func `offer_performance tells what an offer brought`() throws {
    #expect(
      try rows("SELECT * FROM offer_performance") == [
        // Without a reporting currency, neither the offer nor its conversion is converted.
        "trial|-|-|com.example.pro|pro.monthly|free_trial|USA|USD|1|0|1|1|0|0|0|0|9990|0|0|-|0|0"
          + "|-|-|-|-|-|-|-|2|-|0"
      ])
    // A mature offer is complete only if all exports of its days exist: 1, otherwise 0.
    for (isCovered, isComplete) in [(false, "0"), (true, "1")] {
      let row = try rows("SELECT is_complete FROM offer_performance") {
        $0.content.subscriptions.conversions[0].isMature = true
        $0.content.subscriptions.conversions[0].maturesAt = at("2021-06-01T00:00:00Z")
        if !isCovered {
          for file in $0.content.files.indices { $0.content.files[file].exportDate = nil }
        }
      }
      #expect(row == [isComplete])
    }
  }

  @Test func `refund_rate leaves upgrades out`() throws {
    #expect(
      try rows("SELECT * FROM refund_rate WHERE product_id = 'pro.monthly'") == [
        "2021-05-01|com.example.pro|pro.monthly|1|0|0|0",
        "2021-05-08|com.example.pro|pro.monthly|1|0|0|0",
        "2021-06-08|com.example.pro|pro.monthly|1|1|10000|0",
      ])
  }

  @Test func `discount_depth compares with the list price`() throws {
    // 10,000 - 10,000 * 9,990 / 12,990 = 10,000 - 7,690 = 2,310
    #expect(
      try rows("SELECT * FROM discount_depth WHERE date_day = '2021-05-08'") {
        $0.content.amounts.amounts[1].listPrice = Milliunits(12_990)
      } == ["2021-05-08|com.example.pro|pro.monthly|USD|regular|1|12990|9990|2310|1"])
  }

  @Test func `price_outlier shows what was not believed`() throws {
    #expect(
      try rows(
        "SELECT evidence_id, price_milli, reference_milli, ratio_bp, verdict FROM price_outlier")
        == ["42|9990000|9990|10000000|unit_error"])
  }

  @Test func `renewal_rate counts a change of product as an end`() throws {
    // Paid row 1 of pro.monthly: chain 1000 renewed it, chain 2000 changed to pro.yearly.
    #expect(
      try rows("SELECT * FROM renewal_rate WHERE product_id = 'pro.monthly' AND paid_number = 1") {
        $0.content.asOf = at("2022-01-01T00:00:00Z")
      } == ["com.example.pro|pro.monthly|USA|1|2|1|5000|1|0"])
    #expect(
      try rows("SELECT * FROM renewal_rate WHERE product_id = 'pro.monthly' AND paid_number = 1")
        == ["com.example.pro|pro.monthly|USA|1|0|0|-|0|0"])
  }

  @Test func `active_subscriptions_daily counts what runs at the end of the day`() throws {
    // May 15: both months. May 16: chain 2000 has changed to the yearly plan. June 20: the refund.
    let days = "('2021-05-07', '2021-05-15', '2021-05-16', '2021-06-19', '2021-06-20')"
    #expect(
      try rows(
        """
        SELECT date_day, product_id, active_subscriptions, unresolved_subscriptions
        FROM active_subscriptions_daily WHERE date_day IN \(days) ORDER BY 2, 1
        """) == [
          "2021-05-07|pro.monthly|1|0", "2021-05-15|pro.monthly|2|0", "2021-05-16|pro.monthly|1|0",
          "2021-06-19|pro.monthly|1|0", "2021-06-20|pro.monthly|0|0", "2021-05-16|pro.yearly|1|0",
          "2021-06-19|pro.yearly|1|0", "2021-06-20|pro.yearly|1|0",
        ])
  }

  @Test func `mrr_daily spreads a year over twelve months`() throws {
    // 59,990 / 12 = 4,999.166 thousandths per month, in addition to a month at 9,990.
    #expect(
      try rows(
        """
        SELECT date_day, currency, SUM(mrr_micros), SUM(mrr_rc_compatible_micros), is_complete
        FROM mrr_daily
        WHERE date_day IN ('2021-05-01', '2021-05-15', '2021-05-16', '2021-06-20', '2021-06-21')
        GROUP BY 1, 2 ORDER BY 1
        """) == [
          "2021-05-01|USD|9990000|9990000|1", "2021-05-15|USD|19980000|19980000|1",
          "2021-05-16|USD|14989166|14989166|1", "2021-06-20|USD|4999166|4999166|1",
          "2021-06-21|USD|4999166|4999166|0",
        ])
  }

  @Test func `a week counts exactly, and as four to a month elsewhere`() throws {
    // 9,990 * 365 / 84 = 43,408.928 thousandths; 9,990 * 4 = 39,960.
    #expect(
      try rows(
        "SELECT mrr_micros, mrr_rc_compatible_micros FROM mrr_daily WHERE date_day = '2021-05-01'"
      ) {
        $0.content.timelines.rows[3].coveredPeriod = Period(7, .day)
      } == ["43408928|39960000"])
  }
}
