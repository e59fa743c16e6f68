internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// A lasting fault is printed at first and then weekly; `status` always shows it.
struct StandingFaultTests {
  /// A shop in which no amount is known.
  private func shop() throws -> Shop {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    #expect(try shop.run("paidline", "run").errors.contains("0 of 1 chargeable amount"))
    return shop
  }

  /// Moves the times of the reported faults some days into the past.
  private func wait(days: Int, _ shop: Shop) throws {
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      try db.execute(
        sql: "UPDATE standing_fault SET logged_at = logged_at - ?, since = since - ?",
        arguments: [days * 86_400_000, days * 86_400_000])
    }
  }

  @Test func `a run without changes and one with other changes report nothing again`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    try shop.folder.write(
      "in/b.ndjson", Export.purchase(1002, day: "2021-02-02", customer: "c-2", price: nil))
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    try wait(days: 6, shop)
    #expect(try shop.run("paidline", "run").errors == "")
    #expect(try shop.run("paidline", "status").output.contains("0 of 2 chargeable amounts"))
  }

  @Test(arguments: [true, false])
  func `after a week it is said again, with news or without, once`(hasNews: Bool) throws {
    let shop = try shop()
    try wait(days: 7, shop)
    if hasNews {
      try shop.folder.write(
        "in/b.ndjson", Export.purchase(1002, day: "2021-02-02", customer: "c-2", price: nil))
    }
    #expect(try shop.run("paidline", "run").errors.contains("amounts".prefix(6)))
    #expect(try shop.run("paidline", "run").errors == "")
  }

  @Test func `a warning that is printed once is not repeated by a run without news`() throws {
    let shop = try shop()
    try DatabaseQueue(path: shop.folder.path("var/state.db")).write { db in
      try db.execute(
        sql: """
          INSERT INTO standing_fault (stage, fault, message, since, logged_at)
          SELECT stage, 'other_products', 'lines of another app', since, logged_at
          FROM standing_fault WHERE stage = 'reconstruct' LIMIT 1
          """)
    }
    try wait(days: 8, shop)
    let ending = try shop.run("paidline", "run")
    #expect(ending.errors.contains("0 of 1 chargeable amount"))
    #expect(!ending.errors.contains("lines of another app"))
    #expect(try shop.run("paidline", "status").output.contains("lines of another app"))
  }

  @Test func `on request, every run reports it`() throws {
    let shop = try shop()
    for _ in 1...2 {
      #expect(
        try shop.run("paidline", "run", "--repeat-warnings").errors
          .contains("0 of 1 chargeable amount"))
    }
  }

  @Test func `mended it is forgotten, and come back it is new`() throws {
    let shop = try shop()
    try shop.folder.write("in/b.ndjson", Export.purchase(1002, day: "2021-02-01", customer: "c-2"))
    #expect(try shop.run("paidline", "run").errors == "")
    #expect(try shop.run("paidline", "status").output.hasPrefix("OK: "))
    try FileManager.default.removeItem(atPath: shop.folder.path("in/b.ndjson"))
    let hash = try shop.rows("SELECT sha256 FROM audit_file WHERE name = 'in/b.ndjson'")
    #expect(
      try shop.run("paidline", "forget", shop.pipeline, "--file", try #require(hash.first)).status
        == 0)
    #expect(try shop.run("paidline", "run").errors.contains("0 of 1 chargeable amount"))
  }

  @Test func `a placeholder id is reported by the first run`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1006).map { Export.purchase($0, day: "2021-02-01", customer: "guest") }.joined()
        + Export.purchase(1007, day: "2021-02-01", customer: "c-7"))
    #expect(
      try shop.run("paidline", "run")
        == Ending(
          status: 0, output: "",
          errors: """
            paidline-reconstruct: warning: 1 customer id is shared by 6 Apple accounts. An id \
            that more than 5 accounts share is a placeholder or a shared sign-in, and is treated \
            as missing. If such an id belongs to one customer, correct the records of the other \
            accounts in the exports. More: Docs/inputs.md.

            """))
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
  }

  @Test func `a fault that stops a run is reported in full in every run`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", "id,receipt\n")
    let first = try shop.run("paidline", "run")
    #expect(first.status == 65)
    for _ in 1...2 { #expect(try shop.run("paidline", "run") == first) }
  }

  @Test func `the stages alone keep the faults of the others`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline-ingest", shop.pipeline).status == 0)
    #expect(try shop.run("paidline", "status").output.contains("0 of 1 chargeable amount"))
    #expect(try shop.run("paidline-reconstruct", shop.pipeline).errors == "")
  }
}
