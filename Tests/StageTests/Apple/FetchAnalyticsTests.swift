internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline-fetch reports` for App Analytics, with a local replacement of App Store Connect.
struct FetchAnalyticsTests {
  private static let header =
    "Event Date\tApp Name\tApp Apple Identifier\tEvent Group\tEvent Name\tSubscription Name\t"
    + "Subscription Identifier\tOffer Type\tTerritory\tCounts\n"

  private static func line(_ day: String, _ event: String, _ count: Int) -> String {
    "\(day)\tShop\t70\tx\t\(event)\tPro\t9001\t\tUS\t\(count)\n"
  }

  private static func store() throws -> PlayedStore {
    let store = try PlayedStore()
    try store.writePipeline([
      "attempts: 2",
      "reports: {key_id: 2X9R4HXF34, private_key_file: AuthKey.p8, "
        + "output: \"apple/{report}-{date}.txt.gz\", url: \"\(store.address)\"}",
    ])
    return store
  }

  private static func fetch(_ store: PlayedStore, _ connect: PlayedConnect, _ more: String...)
    throws -> Ending
  {
    try store.shop.folder.write("connect.json", try connect.text())
    return try store.shop.run(
      "paidline-fetch",
      arguments: [
        "reports", store.shop.pipeline, "--report", "analytics_event", "--from", "2026-10-01",
        "--through", "2026-10-31",
      ] + more)
  }

  private static func connect() -> PlayedConnect {
    var connect = PlayedConnect(storefronts: [])
    connect.addApp("70", "com.example.shop")
    return connect
  }

  @Test func `instances come with all their parts, and the key is sent to Apple alone`() throws {
    let store = try Self.store()
    var connect = Self.connect()
    let event = "App Store Subscription Event Report"
    connect.addInstance(
      "i1", app: "70", report: event, made: "2026-10-02", at: store.address,
      [
        ("/files/a", Self.header + Self.line("2026-10-01", "Free trial start activation", 2)),
        ("/files/b", Self.header + Self.line("2026-10-01", "Full price from free trial", 1)),
      ])
    connect.addInstance(
      "i2", app: "70", report: event, made: "2026-11-02", at: store.address,
      [("/files/c", Self.header)])
    let ending = try Self.fetch(store, connect, "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("\"written\": 1"))
    #expect(
      try store.asked() == [
        "connect /v1/apps com.example.shop", "connect /v1/apps/70/analyticsReportRequests",
        "connect /v1/analyticsReportRequests/r70/reports",
        "connect /v1/analyticsReports/2/instances",
        "connect /v1/analyticsReportInstances/i1/segments", "file /files/a", "file /files/b",
      ])
    #expect(
      try store.shop.folder.names("apple") == ["analytics_event_70-2026-10-02.txt.gz"])
    // A second fetch asks only for the lists.
    let again = try Self.fetch(store, connect, "--json")
    #expect(again.status == 0 && again.output.contains("\"known\": 1"))
    #expect(try store.asked().count == 11)
  }

  @Test func `the first fetch asks Apple for the reports, and says when they come`() throws {
    let store = try Self.store()
    var connect = Self.connect()
    connect.addUnasked(app: "70")
    let ending = try Self.fetch(store, connect, "--json")
    #expect(ending.status == 0 && ending.output.contains("\"missing\": 1"), "\(ending.errors)")
    #expect(ending.errors.contains("within two days"))
    #expect(try store.asked().last == "create /v1/analyticsReportRequests ONGOING 70")
  }

  @Test func `an address that is not encrypted is not asked, and one that has ended is told`()
    throws
  {
    let store = try Self.store()
    var connect = Self.connect()
    let event = "App Store Subscription Event"
    connect.addInstance(
      "i1", app: "70", report: event, made: "2026-10-02", at: "http://reports.example.com",
      [("/files/a", "")])
    let plain = try Self.fetch(store, connect)
    #expect(plain.status == 65 && plain.errors.contains("not https"), "\(plain.errors)")
    var ended = Self.connect()
    ended.addInstance(
      "i1", app: "70", report: event, made: "2026-10-02", at: store.address + "/files/gone",
      [("", "")])
    let gone = try Self.fetch(store, ended)
    #expect(gone.status == 69 && gone.errors.contains("http_403"), "\(gone.errors)")
    #expect(!store.shop.folder.has("apple/analytics_event_70-2026-10-02.txt.gz"))
  }
}
