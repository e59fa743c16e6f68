internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Times that name no zone are counted, where nothing says that they are UTC.
struct LocalTimeTests {
  @Test(arguments: [
    ("2021-04-28 19:42:01", 1), ("2021-04-28T19:42:01.5", 1), ("28.04.2021 19:42:01", 1),
    ("2021-04-28T19:42:01Z", 0), ("2021-04-28 19:42:01+02:00", 0), ("1619638921000", 0),
    ("2021-04-28 19:42:01 Etc/GMT", 0),
  ])
  func `a report's time without a zone is UTC, and counted`(_ time: String, _ count: Int) throws {
    let content = try prices(report(time: #""reported_at":"\#(time)","#))
    #expect(content.set.reports.count == 1)
    #expect(content.notices.localTimes == count)
  }

  @Test func `a record's time of receipt is one, too`() throws {
    let record = #"{"received_at":"2021-05-03 10:00:07","response":{"status":0,"#
    let content = try receipts(
      record + #""latest_receipt_info":[{\#(fields("1001"))}]}}"# + "\n")
    #expect(content.ids == ["1001"] && content.notices.localTimes == 1)
  }
}
