internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The result of `paidline status`, its exit status, and the length of its output.
struct StatusTests {
  private func shop(runs: Int = 1) throws -> Shop {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in 1...runs {
      let date = "2021-02-" + (day < 10 ? "0" : "") + "\(day)"
      try shop.folder.write(
        "in/receipts-\(date).ndjson", Export.purchase(1000 + day, day: date, customer: "c-\(day)"))
      #expect(try shop.run("paidline", "run").status == 0)
    }
    return shop
  }

  private func headline(_ ending: Ending) -> Substring {
    ending.output.prefix { $0 != "\n" }
  }

  @Test func `a healthy store is told in at most 25 lines`() throws {
    let shop = try shop(runs: 11)
    let status = try shop.run("paidline", "status")
    #expect(status.status == 0 && status.errors == "")
    #expect(status.output.hasPrefix("OK: the last success was at 2"))
    #expect(status.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    #expect(!status.output.contains("Published days"))
    #expect(
      try shop.run("paidline", "status", "--restatements").output.contains(
        "Published days that the newest runs changed\n"))
  }

  @Test func `before a first run it says so`() throws {
    let shop = try Shop()
    let status = try shop.run("paidline", "status")
    #expect(status.status == 66)
    #expect(status.output.hasPrefix("NEVER RUN: no run is recorded yet; run the pipeline\n"))
  }

  @Test func `the first run is in progress before state db records it, or exists`() throws {
    for hasState in [false, true] {
      let shop = try Shop()
      if hasState { try stateWithoutRun(shop) }
      try shop.folder.write("var/.paidline.lock", "")
      let lock = unsafe open(shop.folder.path("var/.paidline.lock"), O_RDWR)
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      let running = try shop.run("paidline", "status")
      #expect(running.status == 0 && running.errors == "", "\(running.errors)")
      #expect(headline(running) == "OK: no run is recorded yet, but a program holds the lock")
      close(lock)
      let idle = try shop.run("paidline", "status")
      #expect(idle.status == 66)
      #expect(headline(idle) == "NEVER RUN: no run is recorded yet; run the pipeline")
    }
  }

  /// Creates state.db as a run leaves it before it records itself.
  private func stateWithoutRun(_ shop: Shop) throws {
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: shop.folder.path("var/state.db"), configuration: configuration)
      .write { try $0.execute(sql: "DELETE FROM run") }
  }

  @Test func `a stopped pipeline says since when, in how many runs, and the whole way out`() throws
  {
    let shop = try shop()
    try shop.folder.write("in/receipts-2021-02-02.ndjson", "id,receipt\n")
    var stop = ""
    for _ in 1...3 { stop = try shop.run("paidline", "run").errors }
    let status = try shop.run("paidline", "status")
    #expect(status.status == 65)
    let runs = try DatabaseQueue(path: shop.folder.path("var/state.db")).read {
      try Int.fetchAll($0, sql: "SELECT started_at FROM run ORDER BY run_id")
    }
    let since = Date(timeIntervalSince1970: Double(runs[1] / 1000)).formatted(.iso8601)
    #expect(
      headline(status)
        == "STOPPED since \(since), 3 runs in a row: run 4 ended with 65 (input refused or a data "
        + "test "
        + "failed; nothing published)", "\(headline(status))")
    // The whole message of the run is below the list of runs.
    let message = stop.replacing("paidline-ingest: ", with: "")
    for line in message.split(separator: "\n") {
      #expect(status.output.contains(line), "\(line)")
    }
    #expect(status.output.split(separator: "\n").count { $0.hasPrefix("Run ") } <= 3)
    try shop.folder.write(
      "in/receipts-2021-02-02.ndjson", Export.purchase(1002, day: "2021-02-02", customer: "c-2"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.run("paidline", "status").status == 0)
  }

  @Test func `of held files the one at fault is named, and the others wait in one line`() throws {
    let shop = try shop()
    for day in 2...4 {
      try shop.folder.write(
        "in/receipts-2021-02-0\(day).ndjson",
        Export.purchase(1000 + day, day: "2021-02-0\(day)", customer: "c-\(day)"))
    }
    try shop.folder.write("in/receipts-2021-02-05.ndjson", "id,receipt\n")
    #expect(try shop.run("paidline", "run").status == 65)
    let status = try shop.run("paidline", "status").output
    #expect(
      status.contains(
        """
                       held: in/receipts-2021-02-05.ndjson: 0 of 1 record usable
                       held: 3 other files; used once the files above are fixed

        """), "\(status)")
    let json = try shop.run("paidline", "status", "--json").output
    #expect(json.contains("in/receipts-2021-02-03.ndjson"))
  }

  @Test func `a held file that was removed is no longer listed`() throws {
    let shop = try shop()
    try shop.folder.write("in/receipts-2021-02-05.ndjson", "id,receipt\n")
    #expect(try shop.run("paidline", "run").status == 65)
    let file = "held: in/receipts-2021-02-05.ndjson"
    #expect(try shop.run("paidline", "status").output.contains(file))
    try FileManager.default.removeItem(atPath: shop.folder.path("in/receipts-2021-02-05.ndjson"))
    #expect(!(try shop.run("paidline", "status").output.contains(file)))
    #expect(try shop.run("paidline", "run").status == 0)
  }

  @Test func `a missing input and a killed run are told, and end as they did`() throws {
    let shop = try shop()
    try FileManager.default.removeItem(atPath: shop.folder.path("customer.key"))
    let failed = try shop.run("paidline", "run", "--full-refresh")
    let status = try shop.run("paidline", "status")
    if failed.status != 0, status.output.hasPrefix("FAILED") {
      #expect(status.status == failed.status)
    }
    try shop.folder.write("customer.key", String(repeating: "k", count: 32))
    #expect(try shop.run("paidline", "run", "--full-refresh").status == 0)
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      try db.execute(
        sql: """
          UPDATE run SET finished_at = NULL, exit_status = NULL, status = 'running'
          WHERE run_id = (SELECT max(run_id) FROM run)
          """)
    }
    let killed = try shop.run("paidline", "status")
    #expect(killed.status == 143)
    #expect(killed.output.hasPrefix("KILLED at some time after 2"))
    #expect(headline(killed).hasSuffix("committed data is kept, so run again"))
  }

  @Test func `facts that are too old are the verdict`() throws {
    let shop = try shop()
    let status = try shop.run("paidline", "status", "--max-age", "36h")
    #expect(status.status == 65)
    #expect(status.output.hasPrefix("TOO OLD: "))
    #expect(status.errors.contains("too old: "))
  }

  @Test func `a run that finds nothing new is a success`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    func note(_ columns: String) throws {
      try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
        try db.execute(sql: "UPDATE run SET \(columns)")
      }
    }
    // 2021-02-02
    try note("started_at = 1612224000000, finished_at = 1612224060000")
    #expect(try shop.run("paidline", "status", "--max-age", "36h").status == 65)
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    let status = try shop.run("paidline", "status", "--max-age", "36h")
    #expect((status.status, status.output.hasPrefix("OK")) == (0, true), "\(status.output)")
    #expect(try shop.rows("SELECT count(1) FROM run", in: "var/state.db") == ["1"])
  }

  @Test func `a last success in the future is too old, whatever the age`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.run("paidline", "status", "--max-age", "9999d").status == 0)
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      // 2035-01-01
      try db.execute(sql: "UPDATE run SET finished_at = 2051222400000, started_at = 2051222400000")
    }
    let status = try shop.run("paidline", "status", "--max-age", "9999d")
    #expect(status.status == 65)
    #expect(status.errors.contains("2035-01-01T00:00:00Z, which is in the future"))
  }

  @Test func `no output holds a control character or a mark that turns the writing direction`()
    throws
  {
    let shop = try Shop()
    let name = "in/a\u{202E}\u{9B}31m\u{200F}.ndjson"
    try shop.folder.write(name, "{broken\n")
    let hostile: Set<Unicode.Scalar> = ["\u{202E}", "\u{9B}", "\u{200F}", "\u{1B}"]
    for arguments in [["run"], ["status"], ["status", "--json"], ["check"]] {
      let ending = try shop.run("paidline", arguments: arguments)
      let scalars = Set((ending.output + ending.errors).unicodeScalars)
      #expect(scalars.isDisjoint(with: hostile), "\(arguments)")
    }
  }

  @Test(arguments: [
    ("out/warehouse.db", "DROP TABLE data_test_result", "data_test_result"),
    ("var/state.db", "DROP TABLE setting", "setting"),
  ])
  func `a view or table that was removed by hand is named with its remedy`(
    database: String, sql: String, name: String
  ) throws {
    let shop = try Shop(gates: "{volume_drop: off}", more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    try DatabaseQueue(path: shop.folder.path(database)).write { try $0.execute(sql: sql) }
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-02"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 74, "\(ending.errors)")
    #expect(ending.errors.contains("no such table: "), "\(ending.errors)")
    #expect(ending.errors.contains(name))
    #expect(ending.errors.contains("move it away"))
    #expect(!ending.errors.contains("This is a bug"))
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: shop.folder.path(database + suffix))
    }
    let again = try shop.run("paidline", "run")
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test func `a view that nobody else reads is named by verify, and the next run restores it`()
    throws
  {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    let view = "SELECT sql FROM sqlite_schema WHERE name = 'price_outlier'"
    let definition = try shop.rows(view)
    for (change, name) in [
      ("DROP VIEW price_outlier", "price_outlier"),
      ("DROP VIEW price_outlier; CREATE VIEW price_outlier AS SELECT 1", "price_outlier"),
    ] {
      try shop.change(change)
      let verified = try shop.run("paidline", "verify")
      #expect(verified.status == 70)
      #expect(
        verified.output.contains("out/warehouse.db: the view \(name) was removed or changed"),
        "\(verified)")
      try shop.folder.write(
        "in/\(change.count).ndjson", Export.purchase(1001 + change.count, day: "2021-02-02"))
      #expect(try shop.run("paidline", "run").status == 0)
      #expect(try shop.rows(view) == definition)
      #expect(try shop.run("paidline", "verify").status == 0)
    }
  }

  @Test(arguments: [("out/warehouse.db", "audit_backtest"), ("var/state.db", "cell_row")])
  func `a table that nobody reads in a run is named when it is gone`(
    database: String, table: String
  ) throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01"))
    #expect(try shop.run("paidline", "run").status == 0)
    try DatabaseQueue(path: shop.folder.path(database)).write {
      try $0.execute(sql: "DROP TABLE \(table)")
    }
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-02"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 74, "\(ending)")
    #expect(
      ending.errors.contains("no such table: \(table): this table, view or column was removed"),
      "\(ending.errors)")
  }

  @Test func `a program leaves no core dump`() throws {
    let shop = try Shop()
    let pipe = Pipe()
    let process = try shop.start("paidline-ingest", ["gather", shop.pipeline], input: pipe)
    let path = "/proc/\(process.processIdentifier)/limits"
    var limits = ""
    for _ in 0..<200 where !limits.contains(#/Max core file size\s+0\s+0\s/#) {
      usleep(20_000)
      limits = (try? String(contentsOfFile: path, encoding: .utf8)) ?? limits
    }
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(limits.contains(#/Max core file size\s+0\s+0\s/#), "\(limits)")
  }

  @Test func `warnings that stand are told below the verdict with their first run`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    for _ in 1...2 { #expect(try shop.run("paidline", "run").status == 0) }
    let status = try shop.run("paidline", "status")
    #expect(status.status == 0)
    let lines = status.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("OK, with 1 warning: "))
    #expect(lines[1].hasPrefix("  since 2") && lines[1].contains("0 of 1 chargeable amount known"))
    let json = try shop.run("paidline", "status", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["exit_status"] as? Int == 0)
    #expect(
      (object?["faults"] as? [[String: String]])?.map { $0["fault"] } == ["useless_result amounts"])
  }
}
