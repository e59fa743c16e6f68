internal import Crypto
internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `paidline erase` and `paidline forget`: data that must be removed, and data that must stay.
struct ErasureTests {
  private static let canary = "canary-4711@example.com"

  /// A shop with three customers, one of them the canary, in two exports; a third export is not
  /// read yet.
  private func shop() throws -> Shop {
    let shop = try Shop(gates: "{volume_drop: off}", receipts: "in/receipts-{date}.ndjson")
    try shop.folder.write(
      "in/receipts-2021-01-05.ndjson",
      Export.purchase(1001, day: "2021-01-05", customer: Self.canary)
        + Export.purchase(1002, day: "2021-01-05", customer: "c-2"))
    try shop.folder.write(
      "in/receipts-2021-02-05.ndjson",
      Export.purchase(1003, day: "2021-02-05", customer: Self.canary, price: nil, original: 1001)
        + Export.purchase(70_000_004, day: "2021-01-20", customer: "customer-three", price: nil))
    try shop.folder.write("ids.txt", "\(Self.canary)\n\nnobody-0815\r\n")
    return shop
  }

  /// The canary's hash in the warehouse; the key is 32 times "k".
  private var key: String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(Self.canary.utf8),
      using: SymmetricKey(data: Data(repeating: UInt8(ascii: "k"), count: 32)))
    return code.prefix(16).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  private func traces(in shop: Shop) throws -> [String] {
    try shop.filesHolding(Self.canary) + shop.filesHolding(key)
  }

  private func erase(_ shop: Shop, _ more: String...) throws -> Ending {
    let name = shop.folder.path(".erase")
    for suffix in [".out", ".err"] {
      _ = FileManager.default.createFile(atPath: name + suffix, contents: nil)
    }
    let process = try shop.start(
      "paidline", ["erase", shop.pipeline, "--customer-id-file", "ids.txt"] + more,
      output: try Shop.writing(name + ".out"), errors: try Shop.writing(name + ".err"))
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus,
      output: try String(contentsOfFile: name + ".out", encoding: .utf8),
      errors: try String(contentsOfFile: name + ".err", encoding: .utf8))
  }

  private static let amounts = """
    SELECT transaction_id, paid_milli, price_status, price_rule, evidence_id, basis_purchase_key
    FROM fct_revenue ORDER BY 1
    """

  @Test(arguments: [
    ("\"c-2\"", "without the quotation marks or spaces around the id"),
    ("C-2", "with other upper-case letters"), ("'C-2',", "and with other upper-case letters"),
    ("Andre\u{301}", "in the other Unicode form (NFC, NFD)"),
    ("customer_id\nsomebody", "one line is the name of a column"),
  ])
  func `a list that names nobody ends with 65 and the nearest mistake`(
    list: String, mistake: String
  ) throws {
    let shop = try shop()
    try shop.folder.write(
      "in/receipts-2021-02-06.ndjson",
      Export.purchase(1009, day: "2021-02-05", customer: "Andr\u{e9}"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try shop.folder.write("ids.txt", list + "\n")
    for more in [["--dry-run"], []] {
      let ending = try shop.run(
        "paidline", arguments: ["erase", shop.pipeline, "--customer-id-file", "ids.txt"] + more)
      #expect(ending.status == 65)
      #expect(ending.errors.contains(mistake), "\(ending.errors)")
      #expect(ending.errors.contains("Write each id as the exports have it"))
      #expect(!ending.errors.contains("c-2") && !ending.errors.contains("C-2"))
      #expect(ending.output.contains("1 in no file that was read") || list.contains("\n"))
    }
  }

  @Test func `an id in quotation marks beside others is noted`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try shop.folder.write("ids.txt", "\(Self.canary)\n\"c-2\"\n")
    for ending in [try erase(shop, "--dry-run"), try erase(shop)] {
      #expect(ending.status == 0)
      #expect(ending.errors.contains("without the quotation marks"), "\(ending.errors)")
      #expect(!ending.errors.contains("c-2"))
    }
  }

  @Test func `an erased customer leaves no trace, and every amount stays`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.filesHolding(Self.canary).contains { $0.hasPrefix("var/state.db") })
    #expect(try shop.filesHolding(key).contains { $0.hasPrefix("out/warehouse.db") })
    let amounts = try shop.rows(Self.amounts)
    #expect(amounts.count == 4)

    let ending = try erase(shop)
    #expect(
      ending
        == Ending(
          status: 0,
          output: """
            2 customer ids: 1 erased, 0 already erased, 1 in no file that was read.
            Apart from files named as rewritten, this command does not change in/receipts-{date}.ndjson, \
            lists of ids, or copies of the databases; remove the customers from them yourself.

            """, errors: ""))
    #expect(try traces(in: shop) == [])
    #expect(try shop.rows(Self.amounts) == amounts)
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue WHERE customer_key IS NULL ORDER BY 1")
        == ["1001", "1003"])
    for table in ["fct_conversion", "dim_subscription", "price_evidence", "dim_offer_eligibility"] {
      #expect(
        try shop.rows("SELECT count(1) FROM \(table) WHERE customer_key = '\(key)'") == ["0"])
    }
    // It is reported again, and nothing is left to erase.
    #expect(try erase(shop).output.contains("2 customer ids: 0 erased, 2 already erased"))
    #expect(try shop.run("paidline", "verify", shop.pipeline, "--full").status == 0)
    #expect(try shop.run("paidline", "check", shop.pipeline).status == 0)
  }

  @Test func `exports read later do not bring a customer back`() throws {
    let shop = try shop()
    let late = try shop.folder.bytes("in/receipts-2021-02-05.ndjson")
    try FileManager.default.removeItem(atPath: shop.folder.path("in/receipts-2021-02-05.ndjson"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try erase(shop).status == 0)
    try shop.folder.write("in/receipts-2021-02-05.ndjson", bytes: late)
    try shop.folder.write(
      "in/receipts-2021-03-05.ndjson",
      Export.purchase(1009, day: "2021-03-05", customer: "nobody-0815"))
    let backfill = try shop.run(
      "paidline", "backfill", shop.pipeline, "--from", "2021-01-01", "--through", "2021-12-31",
      "--reprocess", "all")
    #expect(backfill == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["5"])
    #expect(
      try shop.rows("SELECT transaction_id FROM fct_revenue WHERE customer_key IS NULL ORDER BY 1")
        == ["1001", "1003", "1009"])
    #expect(try traces(in: shop) == [])
    #expect(try shop.filesHolding("nobody-0815") == [])
  }

  /// The facts depend on the inputs and the list of erased customers, not on their order.
  @Test func `erasing before the first file is read gives the same facts as afterwards`() throws {
    let (before, after) = (try shop(), try shop())
    #expect(try erase(before).output.contains("2 in no file that was read"))
    #expect(!before.folder.has("out"))
    try before.folder.write("out/warehouse.db.building-wal", key)
    #expect(try erase(before).status == 0)
    #expect(try traces(in: before) == [])
    #expect(try before.run("paidline", "run", before.pipeline).status == 0)
    #expect(try after.run("paidline", "run", after.pipeline).status == 0)
    let named = try after.contentHash()
    #expect(try erase(after).status == 0)
    #expect(try before.contentHash() == after.contentHash())
    #expect(try after.contentHash() != named)
    #expect(try traces(in: before) == [])
  }

  @Test func `a dry run tells and changes nothing`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let state = try shop.folder.bytes("var/state.db")
    let json = try erase(shop, "--dry-run", "--json")
    #expect(json.status == 0)
    #expect(json.output.contains("\"erased\": 1,"))
    #expect(try erase(shop, "--dry-run").output.contains("1 would be erased"))
    #expect(try shop.folder.bytes("var/state.db") == state)
    #expect(try shop.rows("SELECT count(1) FROM audit_run") == ["1"])
  }

  @Test func `a list that is missing, empty or no text is refused and names nobody`() throws {
    let shop = try shop()
    try shop.folder.write("ids.txt", "\n\n")
    #expect(try erase(shop).status == 65)
    try shop.folder.write("ids.txt", bytes: Array(Self.canary.utf8) + [0xFF])
    let broken = try erase(shop)
    #expect(broken.status == 65)
    #expect(!broken.errors.contains("canary"))
    try FileManager.default.removeItem(atPath: shop.folder.path("ids.txt"))
    #expect(try erase(shop).status == 66)
    #expect(!shop.folder.has("var"))
  }

  @Test func `the first id of a list may follow a byte order mark, and blanks around one are told`()
    throws
  {
    let shop = try shop()
    try shop.folder.write("ids.txt", "\u{FEFF}\(Self.canary)\r\n")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try erase(shop, "--dry-run").output.hasPrefix("1 customer id: 1 would be erased"))
    try shop.folder.write("ids.txt", "c-2\n \(Self.canary)\n")
    let ending = try erase(shop)
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("2 customer ids: 1 erased"))
    #expect(ending.errors.contains("warning: ids.txt:2: this id is searched with the spaces"))
    #expect(!ending.errors.contains(Self.canary))
    #expect(try !shop.filesHolding(Self.canary).isEmpty)
  }

  @Test func `a folder is no list`() throws {
    let shop = try shop()
    let ending = try shop.run("paidline", "erase", shop.pipeline, "--customer-id-file", "in")
    #expect(ending.status == 65)
    #expect(
      ending.errors.contains(
        "in: expected the list of customer ids, found a folder; name the file"))
  }

  @Test(arguments: ["var/state.db", "out/warehouse.db"])
  func `a reader that holds the log of a database is named with 75, and then it works`(
    _ path: String
  ) throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let reader = try DatabaseQueue(path: shop.folder.path(path))
    try reader.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(1) FROM sqlite_schema")
      let ending = try erase(shop)
      #expect(ending.status == 75)
      #expect(ending.errors.contains(path))
      #expect(!ending.errors.contains("canary"))
    }
    try reader.close()
    #expect(try erase(shop).status == 0)
    #expect(try traces(in: shop) == [])
  }

  // MARK: Forgetting

  private func sha256(_ shop: Shop, _ name: String) throws -> String {
    SHA256.hash(data: Data(try shop.folder.bytes(name)))
      .map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }

  @Test func `a forgotten file leaves the facts of the others, and stays forgotten`() throws {
    let (shop, other) = (try shop(), try shop())
    let name = "in/receipts-2021-02-05.ndjson"
    try FileManager.default.removeItem(atPath: other.folder.path(name))
    #expect(try other.run("paidline", "run", other.pipeline).status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let whole = try shop.contentHash()
    let hash = try sha256(shop, name)
    #expect(try shop.filesHolding("customer-three").contains { $0.hasPrefix("var/state.db") })

    let plan = try shop.run(
      "paidline", "forget", shop.pipeline, "--file", String(hash.prefix(8)), "--dry-run")
    #expect(plan.output.contains("would be forgotten: \(name) (receipts, 2 records, \(hash))"))
    #expect(try shop.filesHolding("customer-three").isEmpty == false)
    let ending = try shop.run(
      "paidline", "forget", shop.pipeline, "--file", String(hash.prefix(8)).uppercased())
    #expect(ending.status == 0)
    #expect(ending.output.contains("forgotten: \(name)"))
    #expect(try shop.contentHash() == whole)

    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.contentHash() == other.contentHash())
    // The customer and the transaction were only in that file.
    for text in ["customer-three", "70000004"] { #expect(try shop.filesHolding(text) == []) }
    #expect(
      try shop.run("paidline", "status", shop.pipeline).output
        .contains("1 used, 0 refused, 0 held, 1 forgotten"))
    #expect(try shop.rows("SELECT count(1) FROM audit_file") == ["1"])
    // The file still exists, also under another name, but it is not read again.
    try shop.folder.write("in/receipts-2021-02-06.ndjson", bytes: try shop.folder.bytes(name))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.contentHash() == other.contentHash())
    let plans = try shop.run("paidline", "run", shop.pipeline, "--dry-run").output
    #expect(plans == "No new files among 3 files.\n")
    #expect(try shop.run("paidline", "verify", shop.pipeline, "--full").status == 0)

    let again = try shop.run("paidline", "forget", shop.pipeline, "--file", hash)
    #expect(again.status == 0)
    #expect(again.output.contains("already forgotten"))
    let back = try shop.run(
      "paidline", "backfill", shop.pipeline, "--from", "2021-02-05", "--through", "2021-02-05",
      "--reprocess", "all")
    #expect(back.status == 0)
    #expect(try shop.contentHash() == whole)
  }

  @Test func `a file to forget may be named by its path`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let name = "in/receipts-2021-02-05.ndjson"
    let hash = try sha256(shop, name)
    let ending = try shop.run("paidline", "forget", shop.pipeline, "--file", name)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.output.hasPrefix("forgotten: \(name) (receipts, 2 records, \(hash))"),
      "\(ending.output)")
    let plan = try shop.run("paidline", "run", shop.pipeline, "--dry-run").output
    #expect(
      plan.hasSuffix(
        "A run would publish the facts again, because state.db has changed since the last "
          + "publication.\n"), "\(plan)")
    try shop.folder.write("in/new.txt", "never read")
    let unread = try shop.run("paidline", "forget", shop.pipeline, "--file", "in/new.txt")
    #expect(unread.status == 66)
    let other = try sha256(shop, "in/new.txt")
    #expect(unread.errors.contains("in/new.txt: no file with the hash \(other) has been read"))
    let missing = try shop.run("paidline", "forget", shop.pipeline, "--file", "in/none.ndjson")
    #expect(missing.status == 64)
    #expect(
      missing.errors.contains(
        "--file in/none.ndjson: neither the path of a file that exists or was read, nor a hash; "
          + "give a path as audit_file lists it, or four or more of the 64 hex digits of the "
          + "file's SHA-256"))
    let gone = "in/receipts-2021-01-05.ndjson"
    try FileManager.default.removeItem(atPath: shop.folder.path(gone))
    let removed = try shop.run("paidline", "forget", shop.pipeline, "--file", gone)
    #expect(removed.status == 0 && removed.output.hasPrefix("forgotten: \(gone) (receipts"))
  }

  @Test func `a path under which other content was read needs the hash`() throws {
    let shop = try shop()
    let name = "in/receipts-2021-02-05.ndjson"
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let old = try sha256(shop, name)
    try shop.folder.write(name, Export.purchase(1001, day: "2021-01-05"))
    let new = try sha256(shop, name)
    let refused = try shop.run("paidline", "forget", shop.pipeline, "--file", name)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("other content was read from this path, too"))
    #expect(refused.errors.contains("  \(old)"))
    #expect(refused.errors.contains("  \(new) (now at this path)"), "\(refused.errors)")
    let ending = try shop.run(
      "paidline", "forget", shop.pipeline, "--file", old, "--file", String(old.prefix(8)))
    #expect(ending.status == 0)
    #expect(ending.output.split(separator: "\n").filter { $0.hasPrefix("forgotten: ") }.count == 1)
  }

  @Test func `a hash that names no file, several or nothing at all is refused`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "forget", shop.pipeline, "--file", "abcd1234").status == 66)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let before = try shop.folder.bytes("var/state.db")
    for (hash, status) in [("abcd1234", Int32(66)), ("abc", 64), ("xyzw", 64)] {
      #expect(
        try shop.run("paidline", "forget", shop.pipeline, "--file", hash).status == status)
    }
    #expect(try shop.run("paidline", "forget", shop.pipeline).status == 64)
    #expect(try shop.folder.bytes("var/state.db") == before)
  }

  @Test func `a refused file that cannot be replaced no longer stops the runs`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    try shop.folder.write("in/b.ndjson.gz", "no gzip")
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65)
    let hash = try sha256(shop, "in/b.ndjson.gz")
    #expect(try shop.run("paidline", "forget", shop.pipeline, "--file", hash).status == 0)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
  }
}
