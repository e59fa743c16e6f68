import SharedTables
import Amounts
import Foundation
import GRDB
import PaidAmounts
import PurchaseModel
import Purchases
import Testing

@testable import Warehouse

@Suite struct `Publishing facts` {
  @Test func `a new warehouse holds every row, in key order`() throws {
    let folder = try WorkFolder()
    let report = try folder.warehouse.publish(SampleFacts().content)
    #expect(report.outcome == .created)
    #expect(report.isCheckpointed)
    #expect(report.added == 6)
    #expect(report.tests.filter { $0.failingRows > 0 } == [])
    let rows = try folder.rows(
      """
      SELECT purchase_key, transaction_id, period_kind, covered_period, price_status, price_rule,
        currency, paid_milli, reversal_kind, access_ends_at FROM fct_revenue
      """)
    #expect(
      rows == [
        "100|1001|regular|P1M|exact|reported_with_purchase|USD|9990|none|2021-06-08T10:00:00Z",
        "200|2001|regular|P1Y|configured|catalogue_price|USD|59990|none|2022-05-16T12:00:00Z",
        "300|2000|regular|P1M|inferred|price_history|USD|9990|upgrade|2021-05-16T12:00:00Z",
        "400|abc|one_time|-|configured|catalogue_price|JPY|240000|none|-",
        "500|1002|regular|P1M|derived|previous_renewal|USD|9990|refund|2021-06-20T09:00:00Z",
        "900|1000|trial|P1W|zero_by_rule|free_trial|USD|0|none|2021-05-08T10:00:00Z",
      ])
  }

  @Test func `the ledger books charges, refunds and prorated credits`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    let rows = try folder.rows(
      """
      SELECT purchase_key, entry_kind, entry_date, amount_milli, currency, amount_basis
      FROM fct_revenue_entry
      """)
    // The month of 31 days was upgraded after 15.5 days: half of 9,990 is credited, 4,995. The
    // trial was free, so it has no entry.
    #expect(
      rows == [
        "100|charge|2021-05-08|9990|USD|paid", "200|charge|2021-05-16|59990|USD|paid",
        "300|charge|2021-05-01|9990|USD|paid",
        "300|upgrade_credit_estimate|2021-05-16|-4995|USD|prorated_estimate",
        "400|charge|2021-05-02|240000|JPY|paid", "500|charge|2021-06-08|9990|USD|paid",
        "500|refund|2021-06-20|-9990|USD|full_assumed",
      ])
  }

  @Test func `ids are ordered as texts, and every id leads to its purchase`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(
      try folder.rows("SELECT * FROM bridge_transaction_id ORDER BY rowid") == [
        "1000|900", "1001|100", "10011|100", "1002|500", "2000|300", "2001|200", "77|600",
        "abc|400", "abc-2|400",
      ])
    #expect(try folder.rows("SELECT * FROM excluded_purchase") == ["600|77|sandbox"])
  }

  @Test func `rejects of one record under one code are one row`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(
      try folder.rows("SELECT * FROM rejected_record") == [
        "7|9|row_invalid_date|expires_date_ms (and 1 more)"
      ])
  }

  @Test func `states within one second are one row, the last`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    #expect(
      try folder.rows("SELECT observed_at, auto_renew_status FROM fct_renewal_state") == [
        "2021-05-08T10:00:01Z|1", "2021-06-20T10:00:00Z|0",
      ])
  }

  @Test func `the stored hash is the one computed by SQL`() throws {
    let folder = try WorkFolder()
    let report = try folder.warehouse.publish(SampleFacts().content)
    #expect(try folder.warehouse.contentDigest() == report.contentDigest)
    #expect(try folder.rows("SELECT content_digest FROM audit_run") == [report.contentDigest])
  }

  @Test func `publishing the same twice writes nothing`() throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.warehouse.path))
    let second = try folder.warehouse.publish(SampleFacts(run: 2).content)
    #expect(second.outcome == .unchanged)
    #expect(second.contentDigest == first.contentDigest)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.warehouse.path)) == before)
    #expect(try folder.rows("SELECT run_id FROM audit_run") == ["1"])
  }

  @Test func `a full refresh writes the same facts again`() throws {
    let folder = try WorkFolder()
    let first = try folder.warehouse.publish(SampleFacts().content)
    var again = SampleFacts(run: 2)
    again.content.run.kind = .fullRefresh
    let second = try folder.warehouse.publish(again.content)
    #expect(second.outcome == .replaced)
    #expect(second.contentDigest == first.contentDigest)
    #expect(second.changed == 0 && second.added == 0 && second.removed == 0)
    #expect(
      try folder.rows("SELECT DISTINCT first_run_id, changed_run_id FROM fct_revenue") == ["1|1"])
    #expect(try folder.rows("SELECT run_id, kind FROM audit_run") == ["1|run", "2|full_refresh"])
  }

  @Test func `only rows that say something else change their run`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var next = SampleFacts(run: 2)
    next.content.run.stateGeneration = 5
    next.content.amounts.amounts[3].paid = Milliunits(8990)
    next.content.amounts.amounts[3].low = Milliunits(8990)
    next.content.amounts.amounts[3].high = Milliunits(8990)
    next.content.purchases.purchases[1].source = SourceLine(file: 0, line: 6)
    let report = try folder.warehouse.publish(next.content)
    #expect(report.outcome == .replaced)
    #expect(report.changed == 1)
    #expect(
      try folder.rows(
        "SELECT purchase_key, first_run_id, changed_run_id, source_line FROM fct_revenue") == [
          "100|1|1|6", "200|1|1|5", "300|1|2|5", "400|1|1|5", "500|1|1|5", "900|1|1|5",
        ])
    #expect(try folder.rows("SELECT changed_run_id FROM fct_conversion") == ["1"])
    #expect(try folder.rows("SELECT DISTINCT run_id FROM data_test_result") == ["1", "2"])
    #expect(try folder.warehouse.contentDigest() == report.contentDigest)
  }
}
