internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Unusable records are always reported, and never published as an empty result.
struct SilentLossTests {
  /// Receipts of a number of customers, with the key names of another program in their rows.
  private static func camelCase(_ ids: Range<Int>, day: String) -> String {
    ids.map { id in
      Export.purchase(id, day: day, customer: "c-\(id)", price: nil)
        .replacing("\"transaction_id\"", with: "\"transactionId\"")
        .replacing("\"product_id\"", with: "\"productId\"")
    }.joined()
  }

  private static func receipts(_ ids: Range<Int>, day: String) -> String {
    ids.map { Export.purchase($0, day: day, customer: "c-\($0)") }.joined()
  }

  @Test func `records whose rows are all unusable are rejected, not used with nothing`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.camelCase(1001..<1051, day: "2021-02-01"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    #expect(
      ending.errors == """
        paidline-ingest: no record of in/a.ndjson can be used:
          in/a.ndjson:1: no_usable_row, its only row cannot be used; its rows have \
        the key "transactionId" instead of Apple's "transaction_id": export them with Apple's key names
            50 times; expected rows with Apple's key names, such as transaction_id and product_id
          in/a.ndjson:1: row_without_transaction_id, latest_receipt_info[0].transaction_id
            50 times; expected transaction_id in every row
        Replace the file, or remove it from the inputs. If these data are right, accept them for one run \
        with --accept no_usable_record.
        To list the rows, in var/state.db:
          SELECT name, line, reason_code, detail FROM reject JOIN input_file USING (file_id) WHERE \
        status = 'held';
        More: Docs/rejects.md.
        Nothing was published.

        """)
    #expect(!shop.folder.has("out/warehouse.db"))
    let status = try shop.run("paidline", "status")
    #expect(status.output.contains("Rejects        none in the files that are used"))
    #expect(status.output.contains("               held: in/a.ndjson"))
  }

  @Test func `unreadable runs after good ones stop, and no day of nothing is published`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson")
    for day in 1...9 {
      try shop.folder.write(
        "in/receipts-2021-02-0\(day).ndjson",
        Self.receipts((day * 100 + 1)..<(day * 100 + 6), day: "2021-02-0\(day)"))
    }
    #expect(try shop.run("paidline", "run").status == 0)
    for day in 10...11 {
      try shop.folder.write(
        "in/receipts-2021-02-\(day).ndjson",
        Self.camelCase((day * 100 + 1)..<(day * 100 + 6), day: "2021-02-\(day)"))
      let ending = try shop.run("paidline", "run")
      #expect(ending.status == 65 && ending.errors.contains("Nothing was published."))
    }
    #expect(
      try shop.rows("SELECT max(date_day), min(gross_milli) FROM revenue_daily")
        == ["2021-02-09|49950"])
    // After the operator accepts the files, these days still have no usable records.
    #expect(try shop.run("paidline", "run", "--accept", "no_usable_record").status == 0)
    #expect(
      try shop.rows(
        "SELECT records, used, rejected FROM audit_file WHERE export_date > '2021-02-09'")
        == ["5|0|5", "5|0|5"])
  }

  @Test(arguments: [(pairs: 19, status: 0), (20, 65)])
  func `a share of lost rows trips the gate as lost records do`(pairs: Int, status: Int32) throws {
    let shop = try Shop()
    // Each record has a valid row and a row without an id.
    let lines = (1001..<(1001 + pairs)).map { id in
      Export.purchase(id, day: "2021-02-01", customer: "c-\(id)").replacing(
        "\"latest_receipt_info\":[",
        with: "\"latest_receipt_info\":[{\"product_id\":\"pro\",\"purchase_date_ms\":\"1\"},")
    }
    try shop.folder.write("in/a.ndjson", lines.joined())
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == status)
    #expect(
      ending.errors.contains("\(pairs) of \(2 * pairs) rows (50.0 %) of 1 new file of receipts"))
    #expect(
      ending.errors.contains(
        "in/a.ndjson:1: row_without_transaction_id, latest_receipt_info[0].transaction_id"))
    if status == 0 {
      #expect(try shop.rows("SELECT used, rejected FROM audit_file") == ["19|0"])
      #expect(
        try shop.rows("SELECT reason_code, count(1) FROM rejected_record")
          == ["row_without_transaction_id|19"])
      #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["19"])
    }
  }

  @Test func `a file that is mostly test receipts asked of production is told`() throws {
    let shop = try Shop()
    // Apple's response contains only this status, so all these records are equal.
    let sandbox = String(repeating: "{\"status\":21007}\n", count: 3)
    try shop.folder.write("in/a.ndjson", sandbox + Self.receipts(1001..<1003, day: "2021-02-01"))
    let ending = try shop.run("paidline", "run")
    #expect(
      ending
        == Ending(
          status: 0, output: "",
          errors: """
            paidline-ingest: warning: most responses in in/a.ndjson have status 21007: \
            sandbox receipts were sent to production, so these responses hold no purchase. More: \
            Docs/rejects.md.

            """))
    #expect(
      try shop.rows("SELECT gate, severity, found FROM audit_gate")
        == ["useless_result|warn|3 of 5 responses with status 21007"])
  }

  // MARK: Damaged files

  @Test(arguments: LongTests.seeds(2, long: 24))
  func `damaged exports are never published without a word`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let good = Array(Self.receipts(1001..<1031, day: "2021-02-01").utf8)
    let shop = try Shop()
    let bytes = damaged(good, &random)
    try shop.folder.write("in/a.ndjson", bytes: bytes)
    let ending = try shop.run("paidline", "run")
    #expect([0, 65].contains(ending.status), "seed \(seed): \(ending.errors)")
    let unusable = try DatabaseQueue(path: shop.folder.path("var/state.db")).read { db in
      let file = try #require(try Row.fetchOne(db, sql: "SELECT * FROM input_file"))
      return file["status"] as String == "refused" || file["records"] as Int == 0
        || file["rejected"] as Int + file["rejected_rows"] > 0
    }
    #expect(unusable == ending.errors.contains("in/a.ndjson"), "seed \(seed): \(ending.errors)")
    guard ending.status == 0 else { return }
    let missing =
      30 - (Int(try shop.rows("SELECT count(1) FROM fct_revenue").first ?? "") ?? 0)
    #expect(missing == 0 || !ending.errors.isEmpty, "seed \(seed): \(missing) rows are gone")
  }
}
