internal import Foundation
internal import TestSupport
internal import Testing

/// What lies in a file for want of memory decides nothing, and leaves nothing behind.
struct MemoryTests {
  /// Puts everything that is not tiny into the file, and takes its pages out of memory all the
  /// time.
  static let inFile = ["PAIDLINE_MEMORY": "file"]

  /// A synthetic store whose exports have been read.
  private static func ingested(seed: UInt64) throws -> Shop {
    let store = try StoreShop(seed: seed, customers: 150, days: 730, files: 20)
    try store.export()
    let ending = try store.shop.run(
      "paidline-ingest", store.shop.pipeline)
    try #require(ending.status == 0, "\(ending.errors)")
    return store.shop
  }

  /// How many KiB lay in the file, as the log of a reconstruction tells.
  private static func spilledKiB(_ log: String) -> Int? {
    log.split(separator: "\n").first { $0.contains("\"kib_on_disk\"") }
      .flatMap { $0.firstMatch(of: #/"kib_on_disk": ?"?(\d+)/#) }
      .flatMap { Int($0.1) }
  }

  /// Every table with all its rows, but the accounts of runs, and what names a run in the others.
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

  @Test func `rows are the same, in memory and in the file, of one thread and of three`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    let shop = try Self.ingested(seed: seed)
    func reconstruct(_ jobs: Int, _ environment: [String: String]) throws -> Int? {
      for name in try shop.folder.names("out") where name.hasPrefix("warehouse.db") {
        try FileManager.default.removeItem(atPath: shop.folder.path("out/\(name)"))
      }
      let ending = try shop.run(
        "paidline-reconstruct",
        arguments: [
          shop.pipeline, "--jobs", "\(jobs)", "--full-refresh", "--log-format", "json",
          "--log-level", "info",
        ], environment: environment)
      try #require(ending.status == 0, "seed \(seed): \(ending.errors)")
      return Self.spilledKiB(ending.errors)
    }
    try FileManager.default.createDirectory(
      atPath: shop.folder.path("out"), withIntermediateDirectories: true)
    #expect(try reconstruct(3, [:]) == 0)
    let (hash, rows) = (try shop.contentHash(), try Self.tables(of: shop))
    #expect((rows["fct_revenue"]?.count ?? 0) > 1000, "seed \(seed)")
    for jobs in [1, 3] {
      #expect(try reconstruct(jobs, Self.inFile) ?? 0 > 0)
      #expect(try shop.contentHash() == hash, "seed \(seed), \(jobs) threads")
      #expect(try Self.tables(of: shop) == rows, "seed \(seed), \(jobs) threads")
    }
    #expect(try !shop.folder.names("var").contains { $0.contains("memory") })
  }

  @Test func `a disk without room ends the run with 74, path and remedy, and the next one goes on`()
    throws
  {
    let shop = try Self.ingested(seed: 5)
    // Files of at most 40 MiB: enough for both databases, too little for memory.
    let ending = try shop.run(
      "/bin/bash",
      arguments: [
        "-c",
        "ulimit -f 40960; exec '\(Shop.executables.path)/paidline-reconstruct' \(shop.pipeline)",
      ], environment: Self.inFile)
    #expect(ending.status == 74)
    #expect(ending.errors.contains("var/state.db-memory: cannot be enlarged: File too large."))
    #expect(ending.errors.contains("free some space, or give more memory, and run again"))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    #expect(shop.folder.has("out/warehouse.db"))
  }

  @Test func `a killed run leaves no file of memory`() throws {
    let shop = try Self.ingested(seed: 6)
    let trace = shop.folder.path("trace")
    _ = try shop.run(
      "paidline-reconstruct", arguments: [shop.pipeline],
      environment: Self.inFile.merging(["PAIDLINE_FAILPOINT": "stage:3:\(trace)"]) { $1 })
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.folder.names("var").allSatisfy { !$0.contains("memory") })
    // What was killed between opening the file and taking its name away is removed by the next.
    try shop.folder.write("var/state.db-memory", "left behind")
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    #expect(!shop.folder.has("var/state.db-memory"))
  }

  @Test func `a disk that fails under memory ends the run with 74 and a word`() throws {
    let shop = try Self.ingested(seed: 7)
    let errors = shop.folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = try shop.start(
      "paidline-reconstruct", [shop.pipeline], errors: try Shop.writing(errors),
      environment: Self.inFile)
    // The file shrinks behind the program's back, as if its disk were gone.
    while process.isRunning { Self.shrinkMemory(of: process.processIdentifier) }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 74)
    let said = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(said.contains("paidline-reconstruct: "))
    #expect(said.contains("var/state.db-memory: cannot be written: the disk failed."))
  }

  @Test func `a run goes on where addresses are rationed`() throws {
    let shop = try Self.ingested(seed: 8)
    // Some 3 GB: a file of memory gets half of them.
    let ending = try shop.run(
      "/bin/bash",
      arguments: [
        "-c",
        "ulimit -v 3000000; exec '\(Shop.executables.path)/paidline-reconstruct' \(shop.pipeline)",
      ], environment: Self.inFile)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(shop.folder.has("out/warehouse.db"))
  }

  @Test(
    .enabled("strace is not installed") { LongRun.has("strace") }, arguments: [inFile, [:]])
  func `nothing is published after the disk has refused a page`(_ environment: [String: String])
    throws
  {
    let shop = try Self.ingested(seed: 9)
    let ending = try shop.run(
      "/usr/bin/strace",
      arguments: [
        "-f", "-qq", "-o", shop.folder.path("trace"), "-e", "trace=sync_file_range",
        "-e", "inject=sync_file_range:error=EIO",
        Shop.executables.appendingPathComponent("paidline-reconstruct").path, shop.pipeline,
      ], environment: environment)
    let trace = try String(contentsOfFile: shop.folder.path("trace"), encoding: .utf8)
    #expect(trace.contains("(INJECTED)"))
    #expect(ending.status == 74)
    #expect(ending.errors.contains("var/state.db-memory: cannot be written: "))
    #expect(!shop.folder.has("out/warehouse.db"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
    #expect(try shop.folder.names("out").allSatisfy { !$0.contains("building") })
  }

  @Test func `a first run that is cut off takes its unfinished warehouse along`() throws {
    let shop = try Self.ingested(seed: 10)
    let process = try shop.start(
      "paidline-reconstruct", [shop.pipeline], environment: Self.inFile)
    while process.isRunning, !shop.folder.has("out/warehouse.db.building") { usleep(500) }
    // The second signal cuts off at once.
    kill(process.processIdentifier, SIGTERM)
    usleep(20_000)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect([130, 143].contains(process.terminationStatus))
    #expect(try shop.folder.names("out") == [])
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).status == 0)
  }

  private static func shrinkMemory(of process: Int32) {
    let folder = "/proc/\(process)/fd"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = "\(folder)/\(name)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      guard target?.hasSuffix("state.db-memory (deleted)") == true else { continue }
      let file = FileHandle(forUpdatingAtPath: path)
      try? file?.truncate(atOffset: 0)
    }
    usleep(1000)
  }
}
