import Amounts
import CivilTime
import PurchaseModel
import Testing

@testable import PaidAmounts
@testable import Purchases
@testable import Subscriptions
@testable import Warehouse

@Suite struct `Replacing facts` {
  @Test func `purchases that vanish are removed, new ones begin with this run`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var next = SampleFacts(run: 9)
    next.content.run.stateGeneration = 5
    next.content.purchases.purchases[5].key = PurchaseKey(rawValue: 450)
    let report = try folder.warehouse.publish(next.content)
    #expect(report.added == 1 && report.removed == 1 && report.changed == 0)
    #expect(
      try folder.rows(
        "SELECT purchase_key, first_run_id, changed_run_id FROM fct_revenue WHERE currency = 'JPY'")
        == ["450|9|9"])
  }

  @Test func `a conversion that changes tells the run that changed it`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var next = SampleFacts(run: 2)
    next.content.asOf = at("2021-07-08T00:00:00Z")
    next.content.subscriptions.conversions[0].isMature = true
    let report = try folder.warehouse.publish(next.content)
    #expect(report.outcome == .replaced && report.changed == 0)
    #expect(try folder.rows("SELECT is_mature, changed_run_id FROM fct_conversion") == ["1|2"])
    #expect(try folder.rows("SELECT MAX(date_day) FROM dim_date") == ["2021-07-08"])
  }

  @Test func `many nights that end alike and one build have one hash and one content`() throws {
    let nightly = try WorkFolder()
    var last = ""
    for night in 1...5 {
      var sample = SampleFacts(run: Int64(night))
      sample.content.run.stateGeneration = Int64(night)
      if night < 5 { sample.content.amounts.amounts[1].evidenceCount = Int32(10 + night) }
      last = try nightly.warehouse.publish(sample.content).contentSHA256
    }
    let once = try WorkFolder()
    #expect(try once.warehouse.publish(SampleFacts().content).contentSHA256 == last)
    #expect(try nightly.warehouse.contentSHA256() == last)
    #expect(
      try nightly.rows(
        "SELECT first_run_id, changed_run_id FROM fct_revenue WHERE purchase_key IN (100, 200)")
        == ["1|5", "1|1"])
  }
}
