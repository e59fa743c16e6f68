import Amounts
import CivilTime
import ExchangeRates
import PurchaseModel
import Testing

@testable import PaidAmounts
@testable import Proceeds
@testable import Purchases
@testable import Warehouse

/// The hand-made store in euros, and cases of views that its own rows do not have.
@Suite struct `Views in the reporting currency` {
  /// May 1, 2, 8 and 16 and June 20 are on weekends; the yen is not quoted on May 14.
  private static let history = """
    Date,USD,JPY,
    2021-06-18,1.20,132,
    2021-06-04,1.25,130,
    2021-05-14,1.20,N/A,
    2021-05-07,1.25,130,
    2021-04-30,1.20,132,

    """

  private func rows(
    _ sql: String, inEuros: Bool = true, history: String = history,
    change: (inout SampleFacts) -> Void = { _ in }
  ) throws -> [String] {
    let folder = try WorkFolder()
    var sample = SampleFacts()
    if inEuros {
      let rates = try ExchangeRates(historyFile: Array(history.utf8))
      var share = ProceedsShare()
      share.commission = BasisPoints(3000)
      share.tax = BasisPoints(0)
      sample.content.reporting = ReportingConverter(
        currency: ReportingCurrency(Currency("EUR") ?? usd, rates: rates),
        shares: [ProceedsShare](repeating: share, count: 6))
    }
    change(&sample)
    _ = try folder.warehouse.publish(sample.content)
    return try folder.rows(sql)
  }

  private static let daily = """
    SELECT date_day, product_id, reporting_currency, gross_reporting_micros,
      net_cohort_reporting_micros, unconverted_rows, net_proceeds_estimate_micros, unestimated_rows
    FROM revenue_daily ORDER BY 1, 2
    """

  @Test func `revenue_daily tells each row by the rates of its day`() throws {
    // 9.99 ÷ 1.20 = 8.325, 240 ÷ 132 = 1.818181…, 9.99 ÷ 1.25 = 7.992, 59.99 ÷ 1.20 = 49.991666…;
    // 70 % of each remain: 5.8275, 1.2727274, 5.5944, 34.9941669. The charge of June 8 was
    // refunded.
    #expect(
      try rows(Self.daily) == [
        "2021-05-01|pro.monthly|EUR|8325000|8325000|0|5827500|0",
        "2021-05-02|coins|EUR|1818182|1818182|0|1272727|0",
        "2021-05-08|pro.monthly|EUR|7992000|7992000|0|5594400|0",
        "2021-05-16|pro.yearly|EUR|49991667|49991667|0|34994167|0",
        "2021-06-08|pro.monthly|EUR|7992000|0|0|0|0",
      ])
  }

  @Test func `amounts without a rate are left out and counted`() throws {
    #expect(
      try rows(Self.daily) { $0.content.amounts.amounts[5].currency = Currency("KWD") }[1]
        == "2021-05-02|coins|EUR|-|-|1|-|1")
    #expect(try rows(Self.daily, inEuros: false)[1] == "2021-05-02|coins|-|-|-|1|-|1")
  }

  @Test func `a refund of a charge without a rate has none either`() throws {
    // Charged on June 8, ten days before the first rate; refunded on June 20, two days after it.
    #expect(
      try rows(
        """
        SELECT entry_kind, amount_milli, amount_reporting_micros FROM fct_revenue_entry
        WHERE purchase_key = 500 ORDER BY 1
        """, history: "Date,USD,\n2021-06-18,1.20,\n")
        == ["charge|9990|-", "refund|-9990|-"])
  }

  @Test func `the ledger takes a refund by the rates of its own day`() throws {
    // Charged on June 8 at 1.25, refunded on June 20 at 1.20: 7.992 − 8.325 = −0.333 remains.
    #expect(
      try rows(
        """
        SELECT date_day, reporting_currency, charges_reporting_micros, refunds_reporting_micros,
          net_ledger_reporting_micros, unconverted_entries
        FROM net_revenue_ledger_daily WHERE date_day >= '2021-06-01' ORDER BY 1
        """) == ["2021-06-08|EUR|7992000|0|7992000|0", "2021-06-20|EUR|0|-8325000|-8325000|0"])
  }

  @Test func `revenue names the currency of its decimals`() throws {
    #expect(
      try rows(
        """
        SELECT purchase_key, fx_rate_date, reporting_currency, paid_reporting, proceeds_estimate
        FROM revenue WHERE purchase_key IN (200, 900)
        """) == ["200|2021-05-14|EUR|49.991667|34.994167", "900|2021-05-01|EUR|0.0|0.0"])
  }

  @Test func `mrr_daily adds up months in the reporting currency`() throws {
    // May 16: 7.992 of chain 1000, and 49.991667 ÷ 12 = 4.165972… of the yearly plan.
    #expect(
      try rows(
        """
        SELECT date_day, reporting_currency, SUM(mrr_reporting_micros),
          SUM(unconverted_subscriptions)
        FROM mrr_daily WHERE date_day IN ('2021-05-01', '2021-05-16') GROUP BY 1, 2 ORDER BY 1
        """) == ["2021-05-01|EUR|8325000|0", "2021-05-16|EUR|12157972|0"])
  }

  @Test func `a row paid up front is compared with the price of all its periods`() throws {
    // Three months at a list price of 9.99 per month: 4.99 of 29.97 are 1,664 in 10,000.
    #expect(
      try rows(
        "SELECT list_milli, paid_milli, discount_bp FROM discount_depth WHERE date_day = '2021-05-08'"
      ) {
        $0.content.timelines.rows[1].kind = .intro
        $0.content.amounts.amounts[1].paymentMode = .payUpFront
        $0.content.amounts.amounts[1].paid = Milliunits(4990)
        $0.content.amounts.amounts[1].low = Milliunits(4990)
        $0.content.amounts.amounts[1].high = Milliunits(4990)
        $0.content.timelines.rows[1].coveredPeriod = Period(3, .month)
      } == ["29970|4990|8336"])
  }

  @Test func `a return in another spell is no renewal`() throws {
    let sql = "SELECT * FROM renewal_rate WHERE product_id = 'pro.monthly' AND paid_number = 1"
    #expect(
      try rows(sql) {
        $0.content.asOf = at("2022-01-01T00:00:00Z")
        $0.content.timelines.rows[2].spellNumber = 2
      } == ["com.example.pro|pro.monthly|USA|1|2|0|0|1|0"])
  }

  @Test(arguments: [("2021-08-07T10:00:00Z", "1"), ("2021-08-07T09:59:59Z", "0")])
  func `a period has matured sixty days after its end, to the second`(
    _ asOf: String, matured: String
  ) throws {
    // Paid row 1 of chain 1000 ends on 2021-06-08T10:00:00Z: 22 days to June 30, 31 of July, 7 of
    // August.
    #expect(
      try rows(
        """
        SELECT matured_rows FROM renewal_rate WHERE product_id = 'pro.monthly' AND paid_number = 1
        """
      ) {
        $0.content.asOf = at(asOf)
        $0.content.purchases.purchases[3].expiresAt = at("2021-12-01T00:00:00Z")
      } == [matured])
  }

  @Test func `intro_conversion counts paid offers alone`() throws {
    #expect(
      try rows("SELECT * FROM intro_conversion") {
        $0.content.timelines.offerPeriods[0].kind = .intro
      } == ["2021-05-01|com.example.pro|pro.monthly|USA|1|0|1|1|1|0|0|0|0|0|0|0"])
    #expect(
      try rows("SELECT * FROM trial_conversion") {
        $0.content.timelines.offerPeriods[0].kind = .intro
      } == [])
  }

  @Test func `every metric tells its edges, and names peers only where they differ`() throws {
    #expect(try rows("SELECT metric FROM meta_metric WHERE edges IS NULL OR edges = ''") == [])
    #expect(try rows("SELECT count(1) > 15 FROM meta_metric") == ["1"])
  }
}
