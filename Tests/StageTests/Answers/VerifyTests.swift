internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `paidline verify`, with and without `--full`.
struct VerifyTests {
  /// A shop after one run with two purchases; each test changes a copy.
  private static let small = Result {
    let shop = try Shop(gates: "{volume_drop: off}")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-01-06", customer: "c-2"))
    try #require(try shop.run("paidline", "run", shop.pipeline).status == 0)
    return shop
  }

  private func published() throws -> Shop { try ShopBeforeRun.copy(of: Self.small.get()) }

  private func verify(_ shop: Shop, _ more: String...) throws -> Ending {
    let name = shop.folder.path(".verify")
    for suffix in [".out", ".err"] {
      _ = FileManager.default.createFile(atPath: name + suffix, contents: nil)
    }
    let process = try shop.start(
      "paidline", ["verify", shop.pipeline] + more, output: try Shop.writing(name + ".out"),
      errors: try Shop.writing(name + ".err"))
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus,
      output: try String(contentsOfFile: name + ".out", encoding: .utf8),
      errors: try String(contentsOfFile: name + ".err", encoding: .utf8))
  }

  private func scratch(_ shop: Shop) throws -> [String] {
    try shop.folder.names("var").filter { $0.hasPrefix(".paidline.scratch") }
  }

  @Test func `a publication is verified, and no file is left behind`() throws {
    let shop = try published()
    let files = try shop.folder.names("var") + shop.folder.names("out")
    let ending = try verify(shop)
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("The stored facts and record counts agree."))
    let full = try verify(shop, "--full", "--jobs", "2")
    #expect(full.status == 0)
    #expect(full.output == "The facts rebuilt from the exports match the published facts.\n")
    #expect(full.errors == "")
    #expect(try shop.folder.names("var") + shop.folder.names("out") == files)
    try FileManager.default.createDirectory(
      atPath: shop.folder.path("elsewhere"), withIntermediateDirectories: false)
    #expect(try verify(shop, "--full", "--scratch", "elsewhere").status == 0)
    #expect(try shop.folder.names("elsewhere") == [])
  }

  @Test func `a changed row is reported with table, key, column and both values`() throws {
    let shop = try published()
    let key = try #require(
      try shop.rows("SELECT purchase_key FROM fct_revenue WHERE transaction_id = '1002'").first)
    try shop.change(
      """
      UPDATE fct_revenue SET paid_milli = 9980, paid_low_milli = 9980, paid_high_milli = 9980
      WHERE transaction_id = '1002'
      """)
    let quick = try verify(shop)
    #expect(quick.status == 70)
    #expect(
      quick.output.contains(
        "the rows in the warehouse are not those that run 1 published: their digest is "))
    #expect(
      quick.output.hasSuffix("\nverify --full lists the rows that differ from the exports.\n"))
    #expect(
      quick.errors.contains(
        "the published facts are wrong; publish them again with `paidline run --full-refresh`."))
    let full = try verify(shop, "--full")
    #expect(full.status == 70)
    #expect(
      full.output.contains(
        "fct_revenue \(key): paid_milli is 9980, but the exports give "
          + "9990\n"))
    #expect(try scratch(shop) == [])
    #expect(try shop.run("paidline", "run", shop.pipeline, "--full-refresh").status == 0)
    #expect(try verify(shop, "--full").status == 0)
  }

  @Test(arguments: [("chain_part", "body"), ("file_keys", "customers"), ("link", "body")])
  func `a bit that a disk has changed in state.db is found`(table: String, column: String) throws {
    let shop = try published()
    let state = try DatabaseQueue(path: shop.folder.path("var/state.db"))
    try state.write { db in
      var blob = try #require(try Data.fetchOne(db, sql: "SELECT \(column) FROM \(table)"))
      blob[blob.count / 2] ^= 1
      let row = "(SELECT MIN(rowid) FROM \(table))"
      try db.execute(
        sql: table == "chain_part"
          ? "UPDATE chain_part SET body = ? WHERE chain_key = (SELECT MIN(chain_key) FROM chain_part)"
          : "UPDATE \(table) SET \(column) = ? WHERE rowid = \(row)", arguments: [blob])
    }
    try state.close()
    let ending = try verify(shop)
    #expect(ending.status == 70)
    #expect(
      ending.output.contains(
        "var/state.db: rows of \(table) that are not as written: 1. Restore the file from a copy"))
    guard table == "chain_part" else { return }
    let refresh = try shop.run("paidline", "run", shop.pipeline, "--full-refresh")
    #expect(refresh.status == 74)
    #expect(refresh.errors.contains("a chain part cannot be decoded, so the file is damaged"))
  }

  @Test func `a key that a disk has changed in state.db is found`() throws {
    let shop = try published()
    let state = try DatabaseQueue(path: shop.folder.path("var/state.db"))
    try state.write { db in
      try db.execute(
        sql: """
          UPDATE claim SET chain_key = chain_key + 1
          WHERE transaction_id = (SELECT MIN(transaction_id) FROM claim)
          """)
    }
    try state.close()
    let ending = try verify(shop)
    #expect(ending.status == 70)
    #expect(
      ending.output.contains("var/state.db: rows of claim that are not as written: 1. Restore"))
  }

  @Test(
    arguments: [
      ("recurring_change_daily", "running = running + 1"), ("dim_date", "month = '2021-02'"),
      ("meta_column", "description = 'no'"),
      ("completeness_monthly", "is_complete = 1 - is_complete"),
    ])
  func `a row that follows from others is found if it does not`(table: String, change: String)
    throws
  {
    let shop = try published()
    try shop.change(
      "UPDATE \(table) SET \(change) WHERE rowid = (SELECT MIN(rowid) FROM \(table))")
    let ending = try verify(shop)
    #expect(ending.status == 70)
    #expect(
      ending.output.contains("out/warehouse.db: rows of \(table) that are wrong or missing: 1\n"))
    #expect(try shop.run("paidline", "run", shop.pipeline, "--full-refresh").status == 0)
    #expect(try verify(shop).status == 0)
  }

  @Test func `missing and additional rows are reported`() throws {
    let shop = try published()
    try shop.change(
      """
      DELETE FROM bridge_transaction_id WHERE transaction_id = '1001';
      INSERT INTO bridge_transaction_id VALUES ('9999', 1);
      """)
    let full = try verify(shop, "--full")
    #expect(full.status == 70)
    #expect(full.output.contains("bridge_transaction_id 1001: the row is missing\n"))
    #expect(full.output.contains("bridge_transaction_id 9999: the row is in no export\n"))
    let json = try verify(shop, "--full", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["differing_rows"] as? Int == 2)
  }

  @Test func `an account that lost a record is reported`() throws {
    let shop = try published()
    try shop.change("UPDATE audit_file SET records = 2, used = 2 WHERE name LIKE '%a.ndjson'")
    let ending = try verify(shop)
    #expect(ending.status == 70)
    #expect(
      ending.output.contains(
        "in/a.ndjson: used, 1 used + 0 duplicates + 0 rejected in state.db, but used, "
          + "2 used + 0 duplicates + 0 rejected in the warehouse"))
    // The remedy that the message names.
    #expect(try shop.run("paidline", "run", shop.pipeline, "--full-refresh").status == 0)
    #expect(try verify(shop).status == 0)
  }

  @Test func `a file that is gone is named, and one that was moved is found`() throws {
    let shop = try published()
    let manager = FileManager.default
    try manager.moveItem(
      atPath: shop.folder.path("in/a.ndjson"), toPath: shop.folder.path("in/z.ndjson"))
    #expect(try verify(shop, "--full").status == 0)
    // No fact uses the new content under the old name, and `verify` does not read it.
    try shop.folder.write("in/a.ndjson", Export.purchase(1003, day: "2021-01-07"))
    #expect(try verify(shop, "--full").status == 0)
    try manager.removeItem(atPath: shop.folder.path("in/z.ndjson"))
    let missing = try verify(shop, "--full")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("1 of 2 files behind the facts are gone or changed"))
    #expect(missing.errors.contains("  in/a.ndjson ("))
    #expect(try verify(shop).status == 0)
    #expect(try scratch(shop) == [])
  }

  @Test func `changes that no run has published cannot be verified`() throws {
    let shop = try published()
    try shop.folder.write("in/c.ndjson", Export.purchase(1003, day: "2021-01-07"))
    #expect(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    let stale = try verify(shop, "--full")
    #expect(stale.status == 65)
    #expect(stale.errors.contains("state.db has changed since"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let pipeline = String(decoding: try shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try shop.folder.write("pipeline.yaml", pipeline + "\nrenewal_prices: as_current\n")
    #expect(try verify(shop).errors.contains("the settings"))
    #expect(try verify(try Shop()).status == 66)
  }

  @Test func `facts of an earlier view are verified as that view`() throws {
    let shop = try published()
    let ending = try shop.run("paidline", "run", shop.pipeline, "--as-of", "2021-01-05T23:00:00Z")
    #expect(ending.status == 0)
    #expect(try verify(shop, "--full").status == 0)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [SIGTERM, SIGINT, SIGKILL])
  func `a verification that is stopped leaves nothing behind, or the next one clears it`(
    _ signal: Int32
  ) throws {
    let shop = try ShopBeforeRun.copy(of: Self.long.get())
    let process = try shop.start("paidline", ["verify", shop.pipeline, "--full"])
    for _ in 0..<4000 where try scratch(shop).isEmpty { usleep(500) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    if signal == SIGKILL {
      #expect(try scratch(shop).count == 1)
    } else {
      #expect(process.terminationStatus == (signal == SIGINT ? 130 : 143))
      #expect(try scratch(shop) == [])
    }
    #expect(try verify(shop, "--full").status == 0)
    #expect(try scratch(shop) == [])
  }

  /// A published store whose verification takes long enough to be stopped.
  private static let long = Result {
    let generated = try StoreShop(seed: 1, customers: 60, days: 60, files: 3)
    try generated.export()
    try generated.run("run")
    return generated.shop
  }
}
