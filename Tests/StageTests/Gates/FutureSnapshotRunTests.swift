internal import Foundation
internal import TestSupport
internal import Testing

/// One record with a date of the future changes neither the as-of time nor a status.
struct FutureSnapshotRunTests {
  private static func future(_ id: Int, _ time: String = "2035-01-01") -> String {
    Export.purchase(id, day: "2021-02-01").replacing(
      "\"received_at\":\"2021-02-01T", with: "\"received_at\":\"\(time)T")
  }

  private static let sound = (1...30).map { number in
    Export.purchase(1000 + number, day: "2021-02-01", customer: "c-\(number)")
  }.joined()

  private func active(_ shop: Shop) throws -> [String] {
    try shop.rows(
      "SELECT count(*), (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1) "
        + "FROM dim_subscription WHERE status NOT IN ('expired', 'revoked')")
  }

  @Test(arguments: ["2035-01-01", "9999-12-31"])
  func `a record of the future is left out, and the run says so`(_ time: String) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.sound + Self.future(2000, time))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains("in/a.ndjson:31: future_snapshot, a snapshot of \(time)T10:00:10Z"),
      "\(ending.errors)")
    #expect(try active(shop) == ["30|2021-02-01T10:00:10Z"])
    // Purchase and as-of time are of the same day.
    #expect(try shop.rows("SELECT count(*) FROM dim_date") == ["1"])
    let verified = try shop.run("paidline", "verify", shop.pipeline, "--full")
    #expect(verified.status == 0, "\(verified.errors)")
  }

  @Test func `many records of the future stop the run, and nothing is published`() throws {
    let shop = try Shop()
    let many = (0..<25).map { Self.future(2000 + $0) }.joined()
    try shop.folder.write("in/a.ndjson", Self.sound + many)
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("or the clock of this machine"), "\(ending.errors)")
    #expect(!shop.folder.has("out/warehouse.db"))
  }

  @Test func `an export day of the future is no export day`() throws {
    let shop = try Shop(receipts: "in/r-{date}.ndjson")
    try shop.folder.write("in/r-2021-02-02.ndjson", Self.sound)
    try shop.folder.write("in/r-9999-12-31.ndjson", Export.purchase(3000, day: "2021-02-01"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try shop.rows("SELECT count(*) FROM dim_date") == ["1"])
    #expect(
      try shop.rows("SELECT export_date FROM audit_file ORDER BY name") == ["2021-02-02", "NULL"])
  }
}
