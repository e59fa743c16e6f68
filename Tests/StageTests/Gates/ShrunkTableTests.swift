internal import Foundation
internal import TestSupport
internal import Testing

/// The gate `shrunk_table`: a dump that was cut takes nothing away.
struct ShrunkTableTests {
  private func shop(_ gates: String = "{}", receipts: String = "in/*.ndjson") throws -> Shop {
    let shop = try Shop()
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
        receipts: [{files: "\(receipts)", replaces: true}]
      customer_key_file: customer.key
      gates: \(gates)
      """)
    return shop
  }

  /// A dump of one purchase for each id.
  private static func dump(_ ids: ClosedRange<Int>) -> String {
    ids.map { Export.purchase($0, day: "2021-02-01", customer: "c-\($0)") }.joined()
  }

  /// Writes a dump, runs, and returns the end of the run with the number of published purchases.
  private func night(
    _ shop: Shop, _ ids: ClosedRange<Int>, file: String = "in/all.ndjson", _ more: String...
  ) throws -> (ending: Ending, rows: [String]) {
    try shop.folder.write(file, Self.dump(ids))
    return try run(shop, more)
  }

  private func run(_ shop: Shop, _ more: [String] = []) throws -> (ending: Ending, rows: [String]) {
    let ending = try shop.run("paidline", arguments: ["run"] + more)
    return (ending, try shop.rows("SELECT count(1) FROM fct_revenue"))
  }

  @Test func `a dump that was cut is held every night, until a whole one comes`() throws {
    let shop = try shop()
    #expect(try night(shop, 1001...1040).rows == ["40"])
    for cut in [1019, 1019, 1005] {
      let (ending, rows) = try night(shop, 1001...cut)
      #expect(ending.status == 65, "\(ending.errors)")
      #expect(rows == ["40"])
      #expect(
        ending.errors.contains(
          """
          paidline-ingest: in/all.ndjson has \(cut - 1000) records, but the content that it replaces \
          has 40: less than 50.0 % (gates.shrunk_table).
          Write the whole table again; if the run stops, the earlier content stays in use. If these \
          data are right, accept them for one run with --accept shrunk_table.
          """), "\(ending.errors)")
    }
    #expect(
      try shop.run("paidline", "status").output.contains(
        "held: in/all.ndjson: 5 records, 40 before"))
    #expect(try night(shop, 1002...1042) == (Ending(status: 0, output: "", errors: ""), ["41"]))
    let fresh = try self.shop()
    #expect(try night(fresh, 1002...1042).rows == ["41"])
    #expect(try shop.contentHash() == fresh.contentHash())
    #expect(try shop.rows("SELECT name, status FROM audit_file") == ["in/all.ndjson|used"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
    #expect(
      try shop.rows("SELECT DISTINCT severity, found FROM audit_gate ORDER BY 2") == [
        "stop|19 records, 40 before", "stop|5 records, 40 before",
      ])
  }

  @Test(arguments: [true, false]) func `the owner accepts it, in the same run or in a later one`(
    isLater: Bool
  ) throws {
    let shop = try shop()
    _ = try night(shop, 1001...1040)
    if isLater { #expect(try night(shop, 1001...1010).ending.status == 65) }
    let accepted = try night(shop, 1001...1010, "--accept", "shrunk_table")
    #expect(accepted.ending.status == 0 && accepted.rows == ["10"], "\(accepted.ending.errors)")
    #expect(
      try shop.rows("SELECT severity, subject, found FROM audit_gate WHERE severity <> 'stop'")
        == ["accepted|in/all.ndjson|10 records, 40 before"])
    #expect(try run(shop) == (Ending(status: 0, output: "", errors: ""), ["10"]))
    #expect(try shop.rows("SELECT name, records FROM audit_file") == ["in/all.ndjson|10"])
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }

  @Test(arguments: [
    ("{}", 40, 20, 0, "20"), ("{}", 19, 1, 0, "1"), ("{}", 20, 9, 65, "20"),
    ("{shrunk_table: {share: 0.9}}", 40, 35, 65, "40"),
    ("{shrunk_table: {share: 0.1}}", 40, 4, 0, "4"), ("{shrunk_table: off}", 40, 1, 0, "1"),
    ("{shrunk_table: warn}", 40, 1, 0, "1"),
  ])
  func `half of twenty records is the limit, which a pipeline may change`(
    _ gates: String, _ first: Int, _ second: Int, _ status: Int32, _ rows: String
  ) throws {
    let shop = try shop(gates)
    _ = try night(shop, 1001...(1000 + first))
    let cut = try night(shop, 1001...(1000 + second))
    #expect(cut.ending.status == status, "\(cut.ending.errors)")
    #expect(cut.rows == [rows])
    let isTold = status == 65 || gates.contains("warn")
    #expect(cut.ending.errors.contains("but the content that it replaces") == isTold)
    #expect(try run(shop).rows == [rows])
  }

  @Test func `only the cut one of two dumps is held, and its removal ends the matter`() throws {
    let shop = try shop()
    try shop.folder.write("in/a.ndjson", Self.dump(1001...1040))
    #expect(try night(shop, 2001...2040, file: "in/b.ndjson").rows == ["80"])
    try shop.folder.write("in/a.ndjson", Self.dump(1001...1041))
    #expect(try night(shop, 2001...2002, file: "in/b.ndjson").ending.status == 65)
    let status = try shop.run("paidline", "status").output
    #expect(status.contains("held: in/b.ndjson: 2 records, 40 before"), "\(status)")
    #expect(!status.contains("in/a.ndjson") && !status.contains("other file"), "\(status)")
    try FileManager.default.removeItem(atPath: shop.folder.path("in/b.ndjson"))
    #expect(try run(shop) == (Ending(status: 0, output: "", errors: ""), ["81"]))
  }

  @Test func `a new path, and content that moved to another path, are no cut`() throws {
    let shop = try shop()
    _ = try night(shop, 1001...1040)
    #expect(try night(shop, 2001...2001, file: "in/b.ndjson").rows == ["41"])
    try shop.folder.write("in/c.ndjson", Self.dump(1001...1040))
    #expect(try night(shop, 3001...3001).rows == ["42"])
  }

  @Test(arguments: [false, true]) func `a backfill holds it, too`(isAccepted: Bool) throws {
    let shop = try shop(receipts: "in/{date}.ndjson")
    let file = "in/2021-02-02.ndjson"
    _ = try night(shop, 2001...2040, file: "in/2021-02-03.ndjson")
    #expect(try night(shop, 1001...1040, file: file).rows == ["80"])
    try shop.folder.write(file, Self.dump(1001...1003))
    let window = ["backfill", shop.pipeline, "--from", "2021-02-02", "--through", "2021-02-02"]
    #expect(try shop.run(arguments: window).status == 65)
    // A window without the file does not decide it.
    let other = ["backfill", shop.pipeline, "--from", "2021-02-03", "--through", "2021-02-03"]
    #expect(try shop.run(arguments: other).status == 0)
    #expect(try run(shop).ending.status == 65)
    if isAccepted {
      #expect(try shop.run(arguments: window + ["--accept", "shrunk_table"]).status == 0)
      #expect(try run(shop).rows == ["43"])
    } else {
      #expect(try night(shop, 1001...1041, file: file).rows == ["81"])
    }
    #expect(try shop.run("paidline", "verify", "--full").status == 0)
  }
}
