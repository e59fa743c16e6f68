internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// The values that exporting programs write for a missing time, and times in other units.
struct NoTimeTests {
  @Test(arguments: [
    #""cancellation_date_ms":0"#, #""cancellation_date_ms":"0","cancellation_date":"""#,
    #""cancellation_date_ms":0,"cancellation_date":"1970-01-01 00:00:00 Etc/GMT""#,
    #""cancellation_date":"0001-01-01T00:00:00Z""#, #""cancellation_date_ms":-62135596800000"#,
    #""cancellation_date":"0000-00-00 00:00:00""#, #""cancellation_date":0"#,
  ])
  func `the zero of a clock is no refund`(field: String) throws {
    let content = try receipts(response(row: "\(fields("1")),\(field)"))
    #expect(content.set.observations.map(\.cancelledAt) == [nil])
    #expect(content.codes.isEmpty)
  }

  @Test func `zero milliseconds leave the text to tell the time`() throws {
    let row =
      #""transaction_id":"1","product_id":"pro","purchase_date_ms":0,"#
      + #""purchase_date":"2020-09-13 12:26:40 Etc/GMT""#
    #expect(
      try receipts(response(row: row)).set.observations.map(\.purchasedAt.milliseconds)
        == [1_600_000_000_000])
  }

  @Test(arguments: [
    "1600000000", #""1600000000""#, "1600000000.25", "1000000000", "99999999999",
  ])
  func `a purchase in seconds is rejected, not booked in 1970`(value: String) throws {
    let row = #""transaction_id":"1","product_id":"pro","purchase_date_ms":\#(value)"#
    let content = try receipts(response(row: row))
    #expect(content.set.observations.isEmpty)
    #expect(content.codes == ["1 no_usable_row", "1 row_invalid_date"])
    #expect(content.rejects.last?.detail == "latest_receipt_info[0].purchase_date")
  }

  @Test(arguments: [
    // 100,000,000,000 ms are 1157 days, 9 hours, 46 minutes and 40 seconds; 86,400,000 ms are one
    // day.
    ("100000000000", "1973-03-03T09:46:40Z"), ("86400000", "1970-01-02T00:00:00Z"),
  ])
  func `milliseconds on either side of seconds are a time`(value: String, time: String) throws {
    let row = #""transaction_id":"1","product_id":"pro","purchase_date_ms":\#(value)"#
    #expect(try receipts(response(row: row)).set.observations.map(\.purchasedAt) == [instant(time)])
  }

  @Test(arguments: ["641331721.5", "641331721", #""641331721.5""#])
  func `a report in seconds since 2001 is rejected`(value: String) throws {
    // 2021-04-28T19:42:01Z since 2001, as Swift encodes a date.
    #expect(
      try prices(report(time: #""reported_at":\#(value),"#)).codes == ["1 price_invalid_time"])
  }

  @Test(arguments: ["1619638921.5", #""Wed, 28 Apr 2021 19:42:01 GMT""#])
  func `a time of receipt that cannot be read is noticed`(value: String) throws {
    let content = try receipts(#"{"received_at":\#(value),"response":\#(sound())}"#)
    #expect(content.notices.unreadableTimes == 1)
    // The snapshot gets the time of the newest purchase.
    #expect(content.set.records.map(\.snapshotAt.milliseconds) == [1_600_000_000_000])
  }
}
