internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The list of erased customers and forgotten files survives the loss of state.db.
struct RemovalsTests {
  private static let canary = "canary-4711@example.com"
  private static let list = "var/state.db.removals"

  /// A published shop; one customer was erased and one file was forgotten.
  private func shop() throws -> Shop {
    let shop = try Shop(gates: "{volume_drop: off}", receipts: "in/receipts-{date}.ndjson")
    for (number, day) in ["2021-01-05", "2021-02-05", "2021-03-05"].enumerated() {
      try shop.folder.write(
        "in/receipts-\(day).ndjson",
        Export.purchase(1001 + number, day: day, customer: number == 0 ? Self.canary : "c-2"))
    }
    try shop.folder.write("ids.txt", Self.canary + "\n")
    try expect(0, shop, "run")
    let hash = try #require(
      try shop.rows("SELECT sha256 FROM audit_file WHERE name LIKE '%2021-03-05%'").first)
    try expect(0, shop, "forget", "--file", hash)
    try expect(0, shop, "erase", "--customer-id-file", "ids.txt")
    try expect(0, shop, "run")
    return shop
  }

  @discardableResult
  private func expect(_ status: Int32, _ shop: Shop, _ command: String, _ more: String...) throws
    -> Ending
  {
    let ending = try shop.run(arguments: [command, shop.pipeline] + more)
    #expect(ending.status == status, "\(command): \(ending.errors)")
    return ending
  }

  private func lose(_ shop: Shop, _ paths: String...) throws {
    for path in paths {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: shop.folder.path(path + suffix))
      }
    }
  }

  private static let facts =
    "SELECT transaction_id, customer_key IS NULL FROM fct_revenue ORDER BY 1"

  private func checkFacts(of shop: Shop, hash: String?) throws {
    #expect(try shop.rows(Self.facts) == ["1001|1", "1002|0"])
    #expect(try shop.contentHash() == hash)
    #expect(try shop.filesHolding(Self.canary) == [])
  }

  @Test func `a lost state_db takes the list over, and so does an older copy`() throws {
    let shop = try shop()
    let hash = try shop.contentHash()
    try checkFacts(of: shop, hash: hash)
    let attributes = try FileManager.default.attributesOfItem(atPath: shop.folder.path(Self.list))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let list = try shop.folder.bytes(Self.list)

    try lose(shop, "var/state.db")
    try expect(0, shop, "run")
    try checkFacts(of: shop, hash: hash)
    #expect(try expect(0, shop, "status").output.contains("2 used, 0 refused, 0 held, 1 forgotten"))
    try lose(shop, "var/state.db", "out/warehouse.db")
    try expect(0, shop, "run")
    try checkFacts(of: shop, hash: hash)
    #expect(try shop.folder.bytes(Self.list) == list)
  }

  @Test func `a copy of state_db from before the erasure is brought up to it`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson", Export.purchase(1001, day: "2021-01-05", customer: Self.canary))
    try shop.folder.write("ids.txt", Self.canary + "\n")
    try expect(0, shop, "run")
    let copy = try shop.folder.bytes("var/state.db")
    try expect(0, shop, "erase", "--customer-id-file", "ids.txt")
    let hash = try shop.contentHash()
    try lose(shop, "var/state.db")
    try shop.folder.write("var/state.db", bytes: copy)
    #expect(try shop.filesHolding(Self.canary) == ["var/state.db"])
    try expect(0, shop, "run")
    #expect(try shop.filesHolding(Self.canary) == [])
    #expect(try shop.rows(Self.facts) == ["1001|1"])
    #expect(try shop.contentHash() == hash)
  }

  @Test func `without the list a rebuild is refused, and the remedies it names work`() throws {
    let shop = try shop()
    let hash = try shop.contentHash()
    let list = try shop.folder.bytes(Self.list)
    try lose(shop, "var/state.db", Self.list)
    for _ in 0..<2 {
      let ending = try expect(66, shop, "run")
      #expect(ending.errors.contains("this list of erased customers is missing"))
      #expect(ending.errors.contains("--accept-lost-erasures"))
      #expect(try shop.contentHash() == hash)
      #expect(try shop.filesHolding(Self.canary) == [])
    }
    let status = try expect(66, shop, "status")
    #expect(status.output.hasPrefix("FAILED since 2"))
    #expect(status.output.contains(", 2 runs in a row: run "))
    let missing = "var/state.db.removals: this list of erased customers is missing"
    #expect(status.output.contains(missing))

    // Erase the customer again; until then no run publishes from the empty state.db.
    try expect(0, shop, "erase", "--customer-id-file", "ids.txt")
    #expect(try shop.contentHash() == hash)
    try expect(0, shop, "run")
    #expect(try shop.rows(Self.facts) == ["1001|1", "1002|0", "1003|0"])
    #expect(try shop.filesHolding(Self.canary) == [])

    // Alternatively, restore the list from a copy.
    try lose(shop, "var/state.db")
    try shop.folder.write(Self.list, bytes: list)
    try expect(0, shop, "run")
    try checkFacts(of: shop, hash: hash)

    // Alternatively, the owner continues without the list.
    try lose(shop, "var/state.db", Self.list)
    try expect(0, shop, "run", "--accept-lost-erasures")
    #expect(try shop.rows(Self.facts) == ["1001|0", "1002|0", "1003|0"])
    try expect(0, shop, "run")
  }

  @Test func `a list that was cut off or changed is refused, and nothing is read`() throws {
    let shop = try shop()
    let whole = String(decoding: try shop.folder.bytes(Self.list), as: UTF8.self)
    let lines = whole.split(separator: "\n")
    for broken in [
      "", lines.dropLast().joined(separator: "\n"),
      whole.replacingOccurrences(of: "end", with: "x"),
      whole.replacingOccurrences(of: "customer", with: "costumer"),
    ] {
      try shop.folder.write(Self.list, broken)
      let ending = try expect(78, shop, "run")
      #expect(ending.errors.contains("is cut off or was edited"))
    }
    // state.db is complete, so the remedy is to remove the list.
    try lose(shop, Self.list)
    try expect(0, shop, "run")
    #expect(String(decoding: try shop.folder.bytes(Self.list), as: UTF8.self) == whole)
  }

  @Test func `a file that is read again on purpose leaves the list`() throws {
    let shop = try shop()
    try expect(
      0, shop, "backfill", "--from", "2021-03-05", "--through", "2021-03-05", "--reprocess", "all")
    let text = String(decoding: try shop.folder.bytes(Self.list), as: UTF8.self)
    #expect(text.contains("customer\t") && !text.contains("file\t"))
    try lose(shop, "var/state.db")
    try expect(0, shop, "run")
    #expect(try shop.rows(Self.facts) == ["1001|1", "1002|0", "1003|0"])
  }
}
