internal import Foundation
internal import TestSupport
internal import Testing

/// Rows in temporary files, for lack of memory, change no fact and leave no file behind.
struct MemoryTests {
  /// So little memory that encoded rows and sorts use temporary files even for few rows.
  static let scarce = ["--memory", "0M"]

  /// A synthetic store whose exports have been read; each test changes a copy.
  private static let ingested = Result {
    let store = try StoreShop(seed: 5, customers: 90, days: 730, files: 20)
    try store.export()
    let ending = try store.shop.run("paidline-ingest", store.shop.pipeline)
    try #require(ending.status == 0, "\(ending.errors)")
    return store.shop
  }

  private static func ingestedCopy() throws -> Shop { try ShopBeforeRun.copy(of: ingested.get()) }

  /// The KiB in temporary files, from the log of a reconstruction.
  private static func kibOnDisk(_ log: String) -> Int? {
    log.split(separator: "\n").first { $0.contains("\"kib_on_disk\"") }
      .flatMap { $0.firstMatch(of: #/"kib_on_disk": ?"?(\d+)/#) }
      .flatMap { Int($0.1) }
  }

  /// All rows of every table, except the tables of runs; columns with run ids are left out.
  private static func tables(of shop: Shop) throws -> [String: [String]] {
    let names = try shop.rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT IN ('audit_run', 'audit_test') ORDER BY name
      """)
    var tables: [String: [String]] = [:]
    for name in names {
      let columns = try shop.rows(
        "SELECT name FROM pragma_table_info('\(name)') WHERE name NOT LIKE '%run_id' ORDER BY cid")
      tables[name] = try shop.rows("SELECT \(columns.joined(separator: ", ")) FROM \(name)")
    }
    return tables
  }

  @Test func `answers are the same with much memory and with little, and leave nothing behind`()
    throws
  {
    let shop = try Self.ingestedCopy()
    #expect(try shop.run("paidline", "run", "-q").status == 0)
    // A renewal, an unresolved row and a row that is excluded from revenue.
    let ids = try shop.rows(
      """
      SELECT * FROM (SELECT transaction_id FROM fct_revenue WHERE renewal_number > 2 LIMIT 1)
      UNION ALL SELECT * FROM (
        SELECT transaction_id FROM fct_revenue WHERE price_status = 'unresolved' LIMIT 1)
      UNION ALL SELECT * FROM (SELECT transaction_id FROM excluded_purchase LIMIT 1)
      """)
    #expect(ids.count == 3)
    let files = try shop.folder.names("var")
    for question in ids.map({ ["explain", shop.pipeline, $0] })
      + [["compare-policies", shop.pipeline, "--rows"]]
    {
      let answer = try shop.run("paidline", arguments: question)
      #expect(answer.status == 0 && answer.output.count > 100, "\(question): \(answer.errors)")
      let jobs = ["--jobs", "3"]
      #expect(
        try shop.run("paidline", arguments: question + Self.scarce + jobs).output == answer.output)
    }
    #expect(try shop.folder.names("var") == files)
  }

  /// A number of threads, and little or much memory.
  @Test(arguments: [(2, true), (5, false), (1, true)])
  func `rows are the same with much memory and with little, and with any number of threads`(
    _ jobs: Int, _ isScarce: Bool
  ) throws {
    let expected = try Self.rows.get()
    #expect(expected.kibOnDisk == 0 && (expected.tables["fct_revenue"]?.count ?? 0) > 600)
    let shop = try Self.ingestedCopy()
    if isScarce {
      // The exports are read again, with little memory.
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: shop.folder.path("var/state.db" + suffix))
      }
      let ending = try shop.run(
        "paidline-ingest", arguments: [shop.pipeline, "--jobs", "\(jobs)"] + Self.scarce)
      try #require(ending.status == 0, "\(ending.errors)")
    }
    let found = try Self.reconstructed(shop, jobs, isScarce ? Self.scarce : [])
    #expect(isScarce == (found.kibOnDisk > 0))
    #expect(found.digest == expected.digest)
    #expect(found.tables == expected.tables)
    #expect(try !shop.folder.names("var").contains { $0.contains("sort") })
  }

  /// What a reconstruction publishes, and the KiB that it wrote to temporary files.
  private struct Rows {
    var digest: String
    var tables: [String: [String]]
    var kibOnDisk: Int
  }

  /// The rows with much memory, of one thread.
  private static let rows = Result { try reconstructed(ingestedCopy(), 1, []) }

  private static func reconstructed(_ shop: Shop, _ jobs: Int, _ arguments: [String]) throws -> Rows
  {
    let ending = try shop.run(
      "paidline-reconstruct",
      arguments: [
        shop.pipeline, "--jobs", "\(jobs)", "--log-format", "json", "--log-level", "info",
      ]
        + arguments)
    try #require(ending.status == 0, "\(ending.errors)")
    return Rows(
      digest: try #require(try shop.contentHash()), tables: try tables(of: shop),
      kibOnDisk: try #require(kibOnDisk(ending.errors)))
  }

  @Test func `a disk without room ends the run with 74, path and remedy, and the next one goes on`()
    throws
  {
    let shop = try Self.ingestedCopy()
    // Files may have at most 256 KiB: enough for the log of state.db, too little for the sorts.
    let ending = try shop.run(
      "/bin/bash",
      arguments: [
        "-c",
        """
        ulimit -f 256
        exec '\(Shop.executables.path)/paidline-reconstruct' \(shop.pipeline) --memory 0M
        """,
      ])
    #expect(ending.status == 74)
    #expect(
      ending.errors.contains(
        "writing var/state.db-sort: File too large; free some space and run again"))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    #expect(shop.folder.has("out/warehouse.db"))
  }

  @Test(.enabled("only debug builds can be told to fail") { Failpoints.areBuiltIn })
  func `a killed run leaves no temporary file`() throws {
    let shop = try Self.ingestedCopy()
    let trace = shop.folder.path("trace")
    _ = try shop.run(
      "paidline-reconstruct", arguments: [shop.pipeline] + Self.scarce,
      environment: ["PAIDLINE_FAILPOINT": "stage:3:\(trace)"])
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.folder.names("var").allSatisfy { !$0.contains("sort") })
    // A run killed between opening and unlinking its file leaves the name; the next run removes it.
    try shop.folder.write("var/state.db-sort", "left behind")
    let ending = try shop.run(
      "paidline-reconstruct", arguments: [shop.pipeline] + Self.scarce)
    #expect(ending.status == 0)
    #expect(!shop.folder.has("var/state.db-sort"))
  }

  @Test(.enabled("strace is not installed") { LongRun.has("strace") })
  func `nothing is published after the disk has refused a page of a temporary file`() throws {
    let shop = try Self.ingestedCopy()
    let ending = try shop.run(
      "/usr/bin/strace",
      arguments: [
        "-f", "-qq", "-o", shop.folder.path("trace"), "-e", "trace=fsync",
        "-e", "inject=fsync:error=EIO",
        Shop.executables.appendingPathComponent("paidline-reconstruct").path, shop.pipeline,
      ] + Self.scarce)
    let trace = try String(contentsOfFile: shop.folder.path("trace"), encoding: .utf8)
    #expect(trace.contains("(INJECTED)"))
    #expect(ending.status == 74)
    #expect(ending.errors.contains("writing var/state.db-sort: "))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    #expect(try shop.folder.names("out").allSatisfy { !$0.contains("building") })
  }

  @Test func `a first run that is cut off takes its unfinished warehouse along`() throws {
    let shop = try Self.ingestedCopy()
    let process = try shop.start("paidline-reconstruct", [shop.pipeline] + Self.scarce)
    while process.isRunning, !shop.folder.has("out/warehouse.db.building") { usleep(500) }
    // The second signal ends the program immediately.
    kill(process.processIdentifier, SIGTERM)
    usleep(20_000)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect([130, 143].contains(process.terminationStatus))
    #expect(try shop.folder.names("out") == [])
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
  }
}
