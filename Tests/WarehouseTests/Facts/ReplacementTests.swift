import SharedTables
import Amounts
import Foundation
import GRDB
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

  @Test(arguments: [false, true])
  func `while a reader holds the log, later runs compare with what stands there`(
    throughLink: Bool
  ) throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    // SQLite keeps the write-ahead log next to the target of the link.
    let link = folder.path + "/link.db"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.warehouse.path)
    let warehouse = throughLink ? WarehouseDatabase(path: link) : folder.warehouse
    let reader = try folder.analyst()
    func publishRun(_ run: Int64, count: Int64) throws -> PublishReport {
      var sample = SampleFacts(run: run)
      sample.content.run.stateGeneration = run
      sample.content.amounts.amounts[1].listPrice = Milliunits(count)
      return try warehouse.publish(sample.content)
    }
    try reader.unsafeRead { db in
      try db.execute(sql: "BEGIN; SELECT count(1) FROM fct_revenue")
      #expect(try publishRun(2, count: 12).changed == 1)
      #expect(
        try !publishRun(3, count: 13).isCheckpointed, "the file alone still has what run 1 wrote")
      // Runs 3 and 4 are equal; run 1, which is still in the file itself, differs.
      #expect(try publishRun(4, count: 13).changed == 0)
      try db.execute(sql: "COMMIT")
    }
    #expect(try publishRun(5, count: 13).isCheckpointed)
    #expect(try publishRun(6, count: 14).changed == 1, "read from the file again")
    #expect(
      try folder.rows(
        "SELECT list_price_milli, changed_run_id FROM fct_revenue WHERE purchase_key = 100")
        == ["14|6"])
  }

  @Test func `many runs that end alike and one build have one hash and one content`() throws {
    let repeated = try WorkFolder()
    var last = ""
    for run in 1...5 {
      var sample = SampleFacts(run: Int64(run))
      sample.content.run.stateGeneration = Int64(run)
      if run < 5 { sample.content.amounts.amounts[1].listPrice = Milliunits(Int64(10 + run)) }
      last = try repeated.warehouse.publish(sample.content).contentDigest
    }
    let once = try WorkFolder()
    #expect(try once.warehouse.publish(SampleFacts().content).contentDigest == last)
    #expect(try repeated.warehouse.contentDigest() == last)
    #expect(
      try repeated.rows(
        "SELECT first_run_id, changed_run_id FROM fct_revenue WHERE purchase_key IN (100, 200)")
        == ["1|5", "1|1"])
  }
}
