internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// A snapshot after the latest time that the reader allows is rejected; all others are used.
struct FutureSnapshotTests {
  /// The limit is 2021-06-01T00:00:00Z.
  private func read(_ lines: String...) throws -> ExportContent {
    var limits = ExportLimits()
    limits.latestSnapshot = Instant(milliseconds: 1_622_505_600_000)
    return try receipts(lines.joined(separator: "\n"), limits: limits)
  }

  @Test func `the response of a millisecond later is rejected, with its time`() throws {
    let content = try read(
      response(row: fields("1"), more: #","request_date_ms":"1622505600000""#),
      response(row: fields("2"), more: #","request_date_ms":"1622505600001""#))
    #expect(content.ids == ["1"])
    #expect(content.codes == ["2 future_snapshot"])
    #expect(content.rejects[0].detail == "a snapshot of 2021-06-01T00:00:00Z")
  }

  @Test func `a record that the server received in the future is rejected`() throws {
    let content = try read(
      #"{"received_at":"2035-01-01T00:00:00Z","response":\#(sound("1"))}"#, sound("2"))
    #expect(content.ids == ["2"])
    #expect(content.rejects[0].detail == "a snapshot of 2035-01-01T00:00:00Z")
  }

  @Test func `Apple's own time decides before the server's`() throws {
    let answer = response(row: fields("1"), more: #","request_date_ms":"1600000000000""#)
    let content = try read(#"{"received_at":"2035-01-01T00:00:00Z","response":\#(answer)}"#)
    #expect(content.ids == ["1"])
    #expect(content.codes == [])
  }

  @Test func `a price report in a rejected record is read where it comes again`() throws {
    let embedded = report(more: #""customer_id":"c""#)
    let content = try read(
      #"{"received_at":"2035-01-01T00:00:00Z","price_report":\#(embedded),"response":\#(sound("1"))}"#,
      #"{"received_at":"2021-05-01T00:00:00Z","price_report":\#(embedded),"response":\#(sound("2"))}"#
    )
    #expect(content.codes == ["1 future_snapshot"])
    #expect(content.set.reports.count == 1)
  }
}
