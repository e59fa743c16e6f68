internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The run ledger's account of runs that could not write their own end.
struct LedgerTests {
  /// A shop with its own copy of the executables, one of them replaced by a script.
  private func shop(reconstruct script: String) throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("bin/paidline-reconstruct", "#!/bin/sh\n\(script)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: shop.folder.path("bin/paidline-reconstruct"))
    for name in ["paidline", "paidline-ingest"] {
      let source = Shop.executables.appendingPathComponent(name).resolvingSymlinksInPath().path
      let target = shop.folder.path("bin/\(name)")
      do {
        try FileManager.default.linkItem(atPath: source, toPath: target)
      } catch {
        try FileManager.default.copyItem(atPath: source, toPath: target)
      }
    }
    return shop
  }

  private func run(_ shop: Shop) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shop.folder.path("bin/paidline"))
    process.arguments = ["run", shop.pipeline]
    process.currentDirectoryURL = URL(fileURLWithPath: shop.folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func ledger(of shop: Shop) throws -> [String] {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).read { db in
      try String.fetchAll(
        db, sql: "SELECT status || ' ' || ifnull(exit_status, '') FROM run ORDER BY run_id")
    }
  }

  @Test(arguments: [
    ("kill -9 $$", Int32(143), "failed 143"),  // Killed, so it could note nothing.
    ("exit 74", 74, "failed 74"),  // It could not write, so neither to the ledger.
  ])
  func `the runner notes the end of a run whose stage could not`(
    _ script: String, _ status: Int32, _ noted: String
  ) throws {
    let shop = try shop(reconstruct: script)
    #expect(try run(shop) == status)
    #expect(try ledger(of: shop) == [noted])
  }

  @Test func `a run that ended without a word is at work while the lock is held, killed then`()
    throws
  {
    let shop = try shop(reconstruct: "exit 74")
    _ = try run(shop)
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      try db.execute(
        sql: "UPDATE run SET status = 'running', finished_at = NULL, exit_status = NULL")
    }
    let lock = unsafe open(shop.folder.path("var/.paidline.lock"), O_RDWR)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(try shop.run("paidline", "status", shop.pipeline).output.contains("running"))
    let json = try shop.run("paidline", "status", shop.pipeline, "--json").output
    #expect(json.contains("\"status\": \"running\""))
    close(lock)
    #expect(try shop.run("paidline", "status", shop.pipeline).output.contains("killed"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let status = try shop.run("paidline", "status", shop.pipeline).output
    #expect(status.contains("killed"))
    #expect(!status.contains("running"))
  }
}
