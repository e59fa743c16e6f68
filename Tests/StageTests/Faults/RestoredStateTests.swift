internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Copies of state.db that an operator puts back.
struct RestoredStateTests {
  private static let names = ["var/state.db", "var/state.db-wal", "var/state.db-shm"]

  private func size(_ name: String, _ shop: Shop) throws -> Int {
    try shop.folder.bytes(name).count
  }

  private func mode(_ name: String, _ shop: Shop) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: shop.folder.path(name))[.posixPermissions]
      as? Int
  }

  private func setMode(_ name: String, _ mode: Int, _ shop: Shop) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: shop.folder.path(name))
  }

  @Test func `a run leaves an empty log, so that the file alone is a copy`() throws {
    let shop = try Shop(gates: "{volume_drop: off}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try size("var/state.db-wal", shop) == 0)
    let copy = try shop.folder.bytes("var/state.db")
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try size("var/state.db-wal", shop) == 0)

    // The copy replaces the newer file; the empty log and the -shm file stay where they are.
    try shop.folder.write("var/state.db", bytes: copy)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
  }

  /// A shop with three runs: the files of state.db after the first one, and after the last one,
  /// whose log could not be emptied because a reader used it.
  private func runs() throws -> (shop: Shop, old: [UInt8], new: [[UInt8]]) {
    let shop = try Shop(gates: "{volume_drop: off}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let old = try shop.folder.bytes("var/state.db")
    // The log of the next run but one fits the file after the next run, but not the copy.
    try shop.folder.write("in/m.ndjson", Export.purchase(1004, day: "2021-01-06"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let reader = try DatabaseQueue(path: shop.folder.path("var/state.db"))
    let new = try reader.read { db in
      #expect(try Int.fetchOne(db, sql: "SELECT count(1) FROM input_file") == 2)
      try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-05"))
      #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
      return try Self.names.map { try shop.folder.bytes($0) }
    }
    try reader.close()
    #expect(!new[1].isEmpty)
    return (shop, old, new)
  }

  @Test func `an older copy beside the log of a newer file is refused, and its remedy works`()
    throws
  {
    let (shop, old, new) = try runs()
    for (name, bytes) in zip(Self.names, [old] + new.dropFirst()) {
      try shop.folder.write(name, bytes: bytes)
    }
    for arguments in [["run"], ["status"], ["verify"]] {
      let ending = try shop.run("paidline", arguments: arguments)
      #expect(ending.status == 74, "\(arguments): \(ending)")
      #expect(ending.errors.contains("var/state.db-wal do not belong together"), "\(ending.errors)")
    }
    for name in Self.names.dropFirst() {
      try FileManager.default.removeItem(atPath: shop.folder.path(name))
    }
    try shop.folder.write(Self.names[0], bytes: old)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == [
        "1001", "1002", "1004",
      ])
    #expect(try shop.run("paidline", "verify", "pipeline.yaml", "--full").status == 0)
  }

  @Test func `a newer file beside the log of an older one is refused`() throws {
    let (shop, _, older) = try runs()
    for name in Self.names {
      try? FileManager.default.removeItem(atPath: shop.folder.path(name))
    }
    for (name, bytes) in zip(Self.names, older) { try shop.folder.write(name, bytes: bytes) }
    try shop.folder.write("in/c.ndjson", Export.purchase(1003, day: "2021-02-06"))
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("var/state.db-wal", bytes: older[1])
    #expect(try shop.run("paidline", "run").status == 74)
  }

  @Test func `the file and its own log are used as they are`() throws {
    let (shop, _, new) = try runs()
    for (name, bytes) in zip(Self.names, new) { try shop.folder.write(name, bytes: bytes) }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try shop.run("paidline", "status").status == 0)
  }

  @Test func `what names customers loses the permissions that it must not have`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try setMode("customer.key", 0o644, shop)
    let first = try shop.run("paidline", "run")
    #expect(first.status == 0)
    #expect(
      first.errors.contains(
        "other users could read customer.key, which must stay private; its mode is now 640"))
    try setMode("var/state.db", 0o644, shop)
    let second = try shop.run("paidline", "run")
    #expect(second.status == 0)
    #expect(second.errors.contains("other users could read "), "\(second.errors)")
    #expect(second.errors.contains("var/state.db, which must stay private; its mode is now 600"))
    #expect(try mode("var/state.db", shop) == 0o600)
    #expect(try mode("customer.key", shop) == 0o640)
    #expect(try shop.run("paidline", "run").errors == "")
  }

  @Test func `who may read the facts may read the dashboard, and nobody else`() throws {
    let shop = try Shop(more: "report: out/report.html")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try mode("out/report.html", shop) == mode("out/warehouse.db", shop))
    try setMode("out/warehouse.db", 0o600, shop)
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try mode("out/report.html", shop) == 0o600)
  }
}
