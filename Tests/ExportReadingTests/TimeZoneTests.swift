internal import CivilTime
@testable internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import Testing

/// Clock times of an owner's zone, from the time zone database of the system.
struct TimeZoneTests {
  private static func zone(_ name: String) throws -> TimeZoneRules {
    let file = URL(filePath: "/usr/share/zoneinfo/\(name)")
    return try #require(TimeZoneRules(name: name, bytes: Array(Data(contentsOf: file))))
  }

  @Test(arguments: [
    // Two hours ahead of UTC in summer, one in winter; after 2037 by the yearly rules.
    ("Europe/Berlin", "2024-05-01 10:00:00", "2024-05-01T08:00:00Z"),
    ("Europe/Berlin", "2024-01-15T10:00:00.500", "2024-01-15T09:00:00Z"),
    ("Europe/Berlin", "15.01.2024 10:00", "2024-01-15T09:00:00Z"),
    ("Europe/Berlin", "2040-07-01 12:00:00", "2040-07-01T10:00:00Z"),
    ("Europe/Berlin", "2040-12-01 12:00:00", "2040-12-01T11:00:00Z"),
    // 2:30 occurs twice on the last Sunday of October, and never on the last one of March.
    ("Europe/Berlin", "2024-10-27 02:30:00", "2024-10-27T00:30:00Z"),
    ("Europe/Berlin", "2024-03-31 02:30:00", "2024-03-31T01:30:00Z"),
    // Summer in January.
    ("Australia/Sydney", "2040-01-01 12:00:00", "2040-01-01T01:00:00Z"),
    ("Asia/Kolkata", "2024-05-01 10:00:00", "2024-05-01T04:30:00Z"),
    ("America/New_York", "2024-07-04 09:00:00", "2024-07-04T13:00:00Z"),
    ("America/New_York", "2024-11-03 12:00:00", "2024-11-03T17:00:00Z"),
  ])
  func `a clock time is its moment`(_ name: String, _ clock: String, _ moment: String) throws {
    let bytes = Array(clock.utf8)
    let found = Instant(localText: bytes.span, in: try Self.zone(name))
    #expect(found?.text == moment)
  }

  @Test(arguments: [
    "2024-05-01T10:00:00Z", "2024-05-01 10:00:00+02:00", "2024-05-01 10:00:00 UTC", "2024-05-01",
    "1714557600", "10:00",
  ])
  func `a time with a zone, a day and a number are no clock time`(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(Instant(localText: bytes.span, in: try Self.zone("Europe/Berlin")) == nil)
  }

  @Test func `a price report has its own time, and its own zone first`() throws {
    let layout = try PriceLayout(format: nil, zone: try Self.zone("Europe/Berlin"))
    let text =
      report(time: #""reported_at":"2021-04-28 19:42:01","#) + "\n"
      + report(time: #""reported_at":"2021-04-28T20:42:01Z","#)
    let content = try readExport(
      bytes: Array(text.utf8), name: "p.ndjson", kind: .prices,
      fieldMapping: FieldMapping(layout: layout, namesUnit: false))
    #expect(
      content.set.reports.map(\.reportedAt.text) == [
        "2021-04-28T17:42:01Z", "2021-04-28T20:42:01Z",
      ])
    #expect(
      FieldMapping(layout: layout, namesUnit: false).identity
        != FieldMapping(layout: try PriceLayout(format: nil), namesUnit: false).identity)
  }

  @Test func `other bytes are no time zone`() {
    #expect(TimeZoneRules(name: "x", bytes: Array("TZif2".utf8)) == nil)
    #expect(TimeZoneRules(name: "x", bytes: []) == nil)
  }
}
