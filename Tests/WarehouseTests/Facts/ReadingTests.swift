import Amounts
import CivilTime
import Testing

@testable import Warehouse

@Suite struct `Reading what is published` {
  private func published() throws -> WorkFolder {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    return folder
  }

  @Test func `revenue by month, product and currency`() throws {
    let folder = try published()
    let lines = try folder.warehouse.revenueByMonth()
    #expect(
      lines.map {
        "\($0.month) \($0.productID) \($0.purchases): \($0.gross.text(in: $0.currency ?? usd)), "
          + "\($0.refunds.rawValue) back, \($0.net.rawValue) left"
      } == [
        "2021-05 coins 1: 240 JPY, 0 back, 240000 left",
        "2021-05 pro.monthly 3: 19.98 USD, 0 back, 19980 left",
        "2021-05 pro.yearly 1: 59.99 USD, 0 back, 59990 left",
        "2021-06 pro.monthly 1: 9.99 USD, 9990 back, 0 left",
      ])
  }

  @Test func `coverage counts chargeable rows`() throws {
    let folder = try published()
    let line = try folder.warehouse.coverage()
    #expect(line == CoverageLine(chargeableRows: 5, knownRows: 5, exactRows: 1, freeRows: 1))
  }

  @Test func `the run remembers its figures`() throws {
    let folder = try published()
    let run = try #require(try folder.warehouse.lastRun())
    #expect(run.files == 2 && run.records == 8 && run.rejected == 1)
    #expect(run.coverage == 10_000 && run.exact == 2000)  // 5 of 5, and 1 of 5
    #expect(run.completeThrough == CivilDay(text: "2021-06-20"))
    #expect(
      try folder.warehouse.rejectsByReason() == [
        RejectCount(reasonCode: "row_invalid_date", rows: 1)
      ])
    #expect(try folder.warehouse.lastTestResults().count == DataTest.all.count)
    #expect(try folder.warehouse.exportDays() == [CivilDay(text: "2021-06-21")])
  }

  @Test func `a purchase is found by any of its ids`() throws {
    let folder = try published()
    let found = try #require(try folder.warehouse.purchase(transactionID: "10011"))
    #expect(found.revenue?["purchase_key"] == "100")
    #expect(found.revenue?["paid_milli"] == "9990")
    #expect(found.transactionIDs == ["1001", "10011"])
    #expect(found.entries.map { $0["entry_kind"] } == ["charge"])
    #expect(found.evidence?["verdict"] == "believed")
    #expect(found.sourceFile == "receipts.gz" && found.evidenceFile == "prices.gz")
    #expect(found.rule?.rule == "reported_with_purchase")
    let refunded = try #require(try folder.warehouse.purchase(transactionID: "1002"))
    #expect(refunded.entries.map { $0["amount_milli"] } == ["9990", "-9990"])
    let sandbox = try #require(try folder.warehouse.purchase(transactionID: "77"))
    #expect(sandbox.revenue == nil && sandbox.exclusion == "sandbox")
    #expect(try folder.warehouse.purchase(transactionID: "78") == nil)
  }

  @Test(arguments: [
    (["2021-05-01", "2021-05-02", "2021-05-03"], "2021-05-02"),
    (["2021-05-03", "2021-05-01"], "2021-04-30"),
    (["2021-05-01", "2021-05-01", "2021-05-02"], "2021-05-01"), ([], nil),
  ])
  func `complete through the day before the newest export day without an earlier gap`(
    days: [String], through: String?
  ) {
    let files = days.enumerated().map { index, day in
      var file = SampleFacts.auditFiles[0]
      file.sourceFileID = Int64(index)
      file.exportDate = CivilDay(text: day)
      return file
    }
    #expect(RunSummary.completeThrough(files)?.text == through)
  }
}
