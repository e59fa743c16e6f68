internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Rows that no undamaged file can hold: a program names the damage and the remedy, and never
/// traps.
struct DamagedRowTests {
  /// Statuses of an orderly end.
  private static let orderly: Set<Int32> = [0, 65, 66, 70, 74, 75, 77, 78]

  private static let prepared = Result {
    let shop = try Shop(more: "report: out/report.html\nmetrics: m.prom")
    try shop.folder.write(
      "in/a.ndjson",
      (0..<20).map { number in
        Export.purchase(1001 + number, day: "2021-01-05", customer: "c-\(number)")
      }.joined() + "{broken\n")
    try #require(try shop.run("paidline", "run").status == 0)
    return shop
  }

  /// Sets a column to NULL although the schema forbids it.
  private func clear(_ table: String, _ column: String, in database: String, _ shop: Shop) throws {
    let path = shop.folder.path(database)
    func change(_ sql: [String]) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        for statement in sql { try db.execute(sql: statement) }
      }
      try queue.close()
    }
    let queue = try DatabaseQueue(path: path)
    let schema = try queue.read { db in
      try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
    }
    try queue.close()
    let text = try #require(schema)
    func rewrite(_ sql: String) throws {
      let quoted = sql.replacing("'", with: "''")
      try change([
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = '\(quoted)' WHERE name = '\(table)'",
      ])
    }
    try rewrite(text.replacing("NOT NULL", with: ""))
    try change(["PRAGMA ignore_check_constraints = ON", "UPDATE \(table) SET \(column) = NULL"])
    try rewrite(text)
  }

  @Test(arguments: [
    ("out/warehouse.db", "audit_run", "rules_version"),
    ("out/warehouse.db", "audit_run", "as_of"),
    ("var/state.db", "publication", "kind"),
    ("var/state.db", "publication", "state_generation"),
    ("var/state.db", "symbol", "text"),
  ])
  func `NULL where none may be is named with its remedy`(
    database: String, table: String, column: String
  ) throws {
    let shop = try ShopBeforeRun.copy(of: try Self.prepared.get())
    try clear(table, column, in: database, shop)
    var named = false
    for arguments in [["status"], ["verify"], ["run"], ["run", "--full-refresh"]] {
      let ending = try shop.run("paidline", arguments: arguments)
      #expect(Self.orderly.contains(ending.status), "\(arguments): \(ending)")
      #expect(!ending.errors.contains("c-1"), "no value of the row is in the message")
      if ending.status == 74, ending.errors.contains("is damaged: restore it") { named = true }
      if ending.status == 70, ending.output.contains("\(table).\(column)") { named = true }
    }
    #expect(named)
  }

  /// The published facts as text; the error of SQLite where a table cannot be read.
  private static func facts(of shop: Shop) throws -> [String] {
    [
      "fct_revenue", "fct_revenue_entry", "fct_conversion", "dim_subscription", "price_evidence",
      "dim_product_price", "bridge_transaction_id",
    ].flatMap { table in
      do { return try shop.rows("SELECT * FROM \(table) ORDER BY 1, 2, 3") } catch {
        return ["\(table): \(error)"]
      }
    }
  }

  @Test(arguments: LongTests.seeds(4, long: 100), ["var/state.db", "out/warehouse.db"])
  func `a flipped byte never traps`(seed: UInt64, database: String) throws {
    var random = SeededGenerator(seed: seed)
    let shop = try ShopBeforeRun.copy(of: try Self.prepared.get())
    var bytes = try shop.folder.bytes(database)
    let place = Int.random(in: 100..<bytes.count, using: &random)
    let old = bytes[place]
    bytes[place] ^= UInt8.random(in: 1...255, using: &random)
    let facts = try Self.facts(of: shop)
    try shop.folder.write(database, bytes: bytes)
    if database == "out/warehouse.db", try Self.facts(of: shop) != facts {
      let verified = try shop.run("paidline", "verify")
      #expect(
        verified.status != 0, "byte \(place), was \(old): wrong content is not named: \(verified)")
    }
    try shop.folder.write("in/b.ndjson", Export.purchase(2001, day: "2021-01-06"))
    for arguments in [["status"], ["verify"], ["run"], ["verify", "pipeline.yaml", "--full"]] {
      let ending = try shop.run("paidline", arguments: arguments)
      #expect(
        Self.orderly.contains(ending.status),
        "byte \(place) of \(database), was \(old), \(arguments): \(ending)")
    }
  }
}
