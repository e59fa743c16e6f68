internal import CivilTime
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `paidline backfill` for a range of export days.
struct BackfillTests {
  /// A shop with one export, of one purchase, for each of the given days of January 2021.
  private func shop(days: [Int], gates: String = "{volume_drop: off}") throws -> Shop {
    let shop = try Shop(gates: gates, receipts: "in/receipts-{date}.ndjson")
    for day in days { try export(day, to: shop) }
    return shop
  }

  private func export(_ day: Int, to shop: Shop) throws {
    let date = Self.date(day)
    try shop.folder.write(
      "in/receipts-\(date).ndjson", Export.purchase(1000 + day, day: date, customer: "c-\(day)"))
  }

  private static func date(_ day: Int) -> String { "2021-01-" + (day < 10 ? "0" : "") + "\(day)" }

  private func backfill(_ shop: Shop, _ from: Int, _ through: Int, _ more: String...) throws
    -> Ending
  {
    let name = shop.folder.path(".backfill")
    for suffix in [".out", ".err"] {
      _ = FileManager.default.createFile(atPath: name + suffix, contents: nil)
    }
    let process = try shop.start(
      "paidline",
      ["backfill", shop.pipeline, "--from", Self.date(from), "--through", Self.date(through)]
        + more,
      output: try Shop.writing(name + ".out"), errors: try Shop.writing(name + ".err"))
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus,
      output: try String(contentsOfFile: name + ".out", encoding: .utf8),
      errors: try String(contentsOfFile: name + ".err", encoding: .utf8))
  }

  private func purchases(_ shop: Shop) throws -> [String] {
    try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1")
  }

  private func stateRows(_ shop: Shop, _ sql: String) throws -> [String] {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).read {
      try String.fetchAll($0, sql: sql)
    }
  }

  @Test func `reads the window and nothing else, publishes once, and says nothing`() throws {
    let shop = try shop(days: [4, 5, 6, 7, 8])
    #expect(try backfill(shop, 5, 7) == Ending(status: 0, output: "", errors: ""))
    #expect(try purchases(shop) == ["1005", "1006", "1007"])
    #expect(try shop.rows("SELECT kind FROM audit_run") == ["backfill"])
    #expect(try backfill(shop, 1, 31) == Ending(status: 0, output: "", errors: ""))
    #expect(try purchases(shop) == ["1004", "1005", "1006", "1007", "1008"])
    let hash = try shop.contentHash()
    // Neither a backfill nor a run has anything left to do.
    #expect(try backfill(shop, 1, 31).status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.contentHash() == hash)
    #expect(try shop.rows("SELECT COUNT(1) FROM audit_run") == ["2"])
  }

  @Test func `the plan tells files, bytes, time and gaps, and changes nothing`() throws {
    let shop = try shop(days: [4, 5, 8, 10])
    let plan = try backfill(shop, 1, 9, "--dry-run")
    #expect(plan.status == 0)
    #expect(plan.output.contains("would read 3 of 3 files"))
    #expect(plan.output.contains("no earlier run has read at least 1 MiB"))
    #expect(plan.output.contains("No receipts for 2021-01-06 to 2021-01-07."))
    #expect(!shop.folder.has("var"))
    _ = try backfill(shop, 5, 5)
    let json = try backfill(shop, 1, 9, "--dry-run", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["files_to_read"] as? Int == 2)
    #expect((object["gaps"] as? [[String: String]])?.first?["through"] == "2021-01-07")
  }

  @Test func `the time is estimated from the rate of earlier runs`() throws {
    let shop = try shop(days: [4, 5])
    _ = try backfill(shop, 4, 4)
    // 2 MB in 4 s are half a megabyte per second; so the estimate for the file of the 5th is one
    // second, rounded up.
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      try db.execute(sql: "UPDATE input_file SET bytes = 2000000")
      try db.execute(sql: "UPDATE run SET started_at = 0, finished_at = 4000")
    }
    let plan = try backfill(shop, 4, 5, "--dry-run")
    #expect(plan.output.contains("Estimated time: 0:01 minutes, at 0.5 MB per second"))
  }

  @Test func `a window without files is a missing input, and says where exports lie`() throws {
    let shop = try shop(days: [4, 8])
    let ending = try backfill(shop, 5, 7)
    #expect(ending.status == 66)
    #expect(ending.errors.contains("begin on 2021-01-04 and end on 2021-01-08"))
    #expect(!shop.folder.has("var/state.db"))
  }

  @Test func `patterns without a date are left alone, and alone they are refused`() throws {
    let shop = try Shop(receipts: "in/*.ndjson")
    try export(4, to: shop)
    let alone = try backfill(shop, 4, 4)
    #expect(alone.status == 64)
    #expect(alone.errors.contains("needs {date} in the patterns"))
    #expect(alone.errors.contains("paidline run"))
    try shop.folder.write("more/x.ndjson", Export.purchase(2000, day: "2021-01-04"))
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing(
        "\"in/*.ndjson\"", with: "\"in/receipts-{date}.ndjson\", \"more/*.ndjson\""))
    let plan = try backfill(shop, 4, 4, "--dry-run")
    #expect(plan.output.contains("Skipped, because the pattern has no {date}: more/*.ndjson"))
    #expect(try backfill(shop, 4, 4).status == 0)
    #expect(try purchases(shop) == ["1004"])
  }

  @Test(arguments: [
    ["--from", "2021-01-05"], ["--from", "2021-01-05", "--through", "2021-01-04"],
    ["--through", "2021-01-05"], [], ["--from", "5.1.2021", "--through", "2021-01-04"],
  ])
  func `a window needs two days in their order`(_ window: [String]) throws {
    let shop = try shop(days: [4])
    let process = try shop.start("paidline", ["backfill", shop.pipeline] + window)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
  }

  @Test func `too many rejects hold what a backfill read, until they are admitted`() throws {
    let shop = try shop(
      days: [4, 5], gates: "{rejected_share: {share: 0.2, at_least: 1}, volume_drop: off}")
    // One of the two records of the third day is rejected: a quarter of all four.
    try shop.folder.write(
      "in/receipts-2021-01-06.ndjson", Export.purchase(1006, day: "2021-01-06") + "{broken\n")
    let held = try backfill(shop, 4, 6, "--step-bytes", "1")
    #expect(held.status == 65)
    #expect(held.errors.contains("1 of 4 records (25.0 %) of 3 new files of receipts"))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try stateRows(shop, "SELECT DISTINCT status FROM input_file") == ["held"])
    #expect(try backfill(shop, 4, 6, "--accept", "rejected_share").status == 0)
    #expect(try purchases(shop) == ["1004", "1005", "1006"])
  }

  @Test func `a refused file outside the window still stops a publication`() throws {
    let shop = try shop(days: [4, 5])
    try shop.folder.write(
      "pipeline.yaml",
      String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
        .replacing("{date}.ndjson", with: "{date}.ndjson*"))
    try shop.folder.write("in/receipts-2021-01-06.ndjson.gz", "no gzip")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65)
    let ending = try backfill(shop, 4, 5)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("receipts-2021-01-06.ndjson.gz"))
    // The file is read again and refused again.
    #expect(try backfill(shop, 6, 6, "--reprocess", "failed").status == 65)
  }

  @Test func `everything is read again on purpose, and says the same`() throws {
    let shop = try shop(days: [4, 5])
    #expect(try backfill(shop, 4, 5).status == 0)
    let hash = try shop.contentHash()
    let before = try stateRows(shop, "SELECT generation FROM generation")
    #expect(try backfill(shop, 4, 5, "--reprocess", "all").status == 0)
    #expect(try stateRows(shop, "SELECT generation FROM generation") != before)
    #expect(try shop.contentHash() == hash)
    #expect(try purchases(shop) == ["1004", "1005"])
  }

  @Test func `an earlier view leaves out what was seen later`() throws {
    let shop = try shop(days: [4, 5, 6])
    #expect(try backfill(shop, 4, 6, "--as-of", "2021-01-05T23:59:59Z").status == 0)
    #expect(try purchases(shop) == ["1004", "1005"])
    #expect(try backfill(shop, 4, 6).status == 0)
    #expect(try purchases(shop) == ["1004", "1005", "1006"])
  }

  @Test(.timeLimit(.minutes(10)), arguments: LongTests.seeds(1, long: 20))
  func `killed at random moments and resumed, it ends with the facts of one run`(_ seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let generated = try StoreShop(seed: seed, files: 20)
    try generated.export()
    let (first, last) = generated.days
    let arguments = [
      "backfill", generated.shop.pipeline, "--from", first.text, "--through", last.text,
      "--step-bytes", "1",
    ]
    func files(ofRunsThrough run: Int) throws -> Int {
      try DatabaseQueue(path: generated.shop.folder.path("var/state.db")).read {
        try Int.fetchOne(
          $0, sql: "SELECT count(1) FROM input_file WHERE first_run_id <= ?", arguments: [run]) ?? 0
      }
    }
    var committed: [(files: Int, run: Int)] = []
    for _ in 0..<4 {
      let process = try generated.shop.start("paidline", arguments)
      usleep(UInt32.random(in: 20_000...250_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      guard generated.shop.folder.has("var/state.db") else { continue }
      let waits = try generated.shop.run("paidline", "status", generated.shop.pipeline)
      // The run that was killed is reported as killed.
      if waits.status == 0 || waits.status == 143 {
        let run = try DatabaseQueue(path: generated.shop.folder.path("var/state.db")).read {
          try Int.fetchOne($0, sql: "SELECT max(run_id) FROM run") ?? 0
        }
        committed.append((try files(ofRunsThrough: run), run))
      }
    }
    // Committed files stay committed.
    #expect(committed.map(\.files) == committed.map(\.files).sorted(), "seed \(seed)")
    try generated.run("backfill", Array(arguments.dropFirst(2)))
    #expect(try generated.shop.contentHash() == generated.hashOfOneRun(), "seed \(seed)")
    if let last = committed.last {
      let stayed = try files(ofRunsThrough: last.run)
      #expect(stayed >= last.files, "seed \(seed): it began anew")
    }
  }
}
