internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The entries of the run ledger for runs that could not record their own end.
struct LedgerTests {
  /// A shop with a published run.
  private func shop() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    return shop
  }

  private func ledger(of shop: Shop) throws -> [String] {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).read { db in
      try String.fetchAll(
        db, sql: "SELECT status || ' ' || ifnull(exit_status, '') FROM run ORDER BY run_id")
    }
  }

  @Test func `the runner notes the end of a run whose stage could not`() throws {
    let shop = try shop()
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06"))
    // The second stage fails because the warehouse is locked, before it looks up the run in the
    // ledger.
    let lock = unsafe open(shop.folder.path("out/warehouse.db"), O_RDONLY)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 75)
    close(lock)
    #expect(try ledger(of: shop) == ["succeeded 0", "failed 75"])
  }

  @Test func `a run that ended without a word is at work while the lock is held, killed then`()
    throws
  {
    let shop = try shop()
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
