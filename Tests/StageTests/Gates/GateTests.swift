internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// The gates that compare an incremental run with earlier runs, and with the limits in the
/// pipeline.
struct GateTests {
  /// Runs the pipeline with the purchases of a number of customers on a day of February 2021.
  private func runDay(_ day: Int, customers: Int, in shop: Shop) throws {
    let date = "2021-02-" + (day < 10 ? "0" : "") + "\(day)"
    try shop.folder.write(
      "in/receipts-\(date).ndjson",
      (0..<customers).map { number in
        let id = 1_000_000 + day * 1000 + number
        return Export.purchase(id, day: date, customer: "c-\(id)")
      }.joined())
  }

  @Test func `a tenth of a day is published with a word, once`() throws {
    let shop = try Shop(receipts: "in/receipts-{date}.ndjson*")
    for day in 1...8 { try runDay(day, customers: 60, in: shop) }
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try runDay(9, customers: 6, in: shop)
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("receipts of 2021-02-09: 6 records, about 60 expected"))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["486"])
    #expect(
      try shop.rows("SELECT severity, subject, found, expected FROM audit_gate") == [
        "warn|receipts 2021-02-09|6 records|about 60 records"
      ])
    try runDay(10, customers: 61, in: shop)
    #expect(try shop.run("paidline", "run", shop.pipeline).errors == "")
  }

  @Test func `a halved day that stops the run is published once it is completed or accepted`()
    throws
  {
    let shop = try Shop(gates: "{volume_drop: stop}", receipts: "in/receipts-{date}.ndjson*")
    for day in 1...8 { try runDay(day, customers: 60, in: shop) }
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    try runDay(9, customers: 20, in: shop)
    for attempt in 1...2 {
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 65, "attempt \(attempt)")
      #expect(ending.errors.contains("receipts of 2021-02-09: 20 records, about 60 expected"))
      #expect(ending.errors.contains("Nothing was published."))
      try query(in: ending.errors, runsOn: shop.folder.path("var/state.db"))
    }
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["480"])
    #expect(try shop.run("paidline", "run", shop.pipeline, "--accept", "volume_drop").status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["500"])
    #expect(
      try shop.rows("SELECT run_id, severity FROM audit_gate ORDER BY 1")
        == ["2|stop", "3|stop", "4|accepted"], "stopped runs are told of too")
    try runDay(10, customers: 61, in: shop)
    let next = try shop.run("paidline", "run", shop.pipeline)
    #expect(next.status == 0, "an accepted day is not judged again: \(next.errors)")
    try runDay(11, customers: 10, in: shop)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65)
    try runDay(12, customers: 60, in: shop)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 65, "what stands is judged")
    try runDay(11, customers: 60, in: shop)
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0, "completed")
  }

  @Test func `too little coverage is not published, and says which products lack prices`() throws {
    let shop = try Shop(gates: "{coverage_floor: {share: 0.6}}")
    func purchases(_ ids: ClosedRange<Int>, of product: String, price: String?) -> String {
      ids.map {
        Export.purchase($0, day: "2021-01-05", customer: "c-\($0)", price: price)
          .replacingOccurrences(of: "\"pro\"", with: "\"\(product)\"")
      }.joined()
    }
    try shop.folder.write("in/a.ndjson", purchases(1001...1006, of: "pro", price: "9.99"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let hash = try shop.contentHash()
    // Six of eleven are known: 54.5 %, below 60 %.
    try shop.folder.write("in/b.ndjson", purchases(2001...2005, of: "plus", price: nil))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 65)
    #expect(ending.errors.contains("of 5 of 11 rows are not known"))
    #expect(ending.errors.contains("gates.coverage_floor requires 60"))
    #expect(ending.errors.contains("  plus, USD: 5 rows"))
    #expect(ending.errors.contains("Nothing was published."))
    try query(in: ending.errors, runsOn: shop.folder.path("out/warehouse.db"))
    #expect(try shop.contentHash() == hash)
    #expect(
      try shop.run("paidline", "run", shop.pipeline, "--accept", "coverage_floor").status == 0)
    #expect(try shop.contentHash() != hash)
    #expect(
      try shop.rows("SELECT run_id, severity, found FROM audit_gate ORDER BY 1")
        == ["2|stop|54.5 %", "3|accepted|54.5 %"])
    #expect(
      try shop.rows("SELECT price_coverage_bp, exact_bp FROM audit_run ORDER BY run_id")
        == ["10000|10000", "5454|5454"])
  }

  // If the first line is not JSON, the whole text is one record, of 201 in all: about half a
  // percent.
  @Test(arguments: [
    (
      "The export of today failed.\nAsk again tomorrow.\n",
      "in/b.ndjson:1: invalid_json, at byte 0; no export: it is text, but not JSON"
    ),
    (
      "{\"receipts\":[\(Export.purchase(2001, day: "2021-02-02").dropLast())]}",
      "in/b.ndjson:1: not_a_receipt, neither a response, nor a status, nor a transaction; write "
        + "each element "
        + "of the list under \"receipts\" as a record"
    ),
  ])
  func `a file of which nothing can be used stops the run, however small beside the others`(
    text: String, words: String
  ) throws {
    let shop = try Shop()
    try writeGoodDay(in: shop)
    try shop.folder.write("in/b.ndjson", text)
    for _ in 1...2 {
      let ending = try shop.run("paidline", "run", shop.pipeline)
      #expect(ending.status == 65)
      #expect(ending.errors.contains("no record of in/b.ndjson can be used:\n  \(words)"))
    }
    // After it is replaced by a file with the same name, it causes no more messages.
    try shop.folder.write("in/b.ndjson", Export.purchase(2001, day: "2021-02-02"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["201"])
    #expect(
      try shop.rows("SELECT status, count(1) FROM audit_file GROUP BY 1 ORDER BY 1")
        == ["superseded|1", "used|2"])
  }

  @Test func `an archive among the exports stops the run`() throws {
    let shop = try Shop()
    try writeGoodDay(in: shop)
    try shop.folder.write("in/b.ndjson", "PK\u{3}\u{4}\u{14}\0\0\0")
    let refused = try shop.run("paidline", "run", shop.pipeline)
    #expect(refused.status == 65)
    #expect(
      refused.errors.contains("refused in/b.ndjson: no export: it is a zip archive; unpack it;"))
  }

  /// Writes one receipt for each of 200 customers.
  private func writeGoodDay(in shop: Shop) throws {
    try shop.folder.write(
      "in/a.ndjson",
      (1001...1200).map { Export.purchase($0, day: "2021-02-01", customer: "c-\($0)") }.joined())
  }

  @Test func `a run whose purchases are all left out says so, and so does the status`() throws {
    let shop = try Shop(more: "bundle_ids: [com.example.mistyped]")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", customer: "c-1"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains("every purchase is excluded from revenue (1 foreign_bundle)"))
    #expect(ending.errors.contains("see bundle_ids of pipeline.yaml"))
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(status.output.contains("Not revenue    1 foreign_bundle\n"))
    #expect(status.output.hasPrefix("OK, with 1 warning: the last success was at 2"))
    #expect(status.status == 0, "a warning that stands does not change it")
  }

  @Test func `the status says whether the exports name customers`() throws {
    let shop = try Shop()
    let line = Export.purchase(1001, day: "2021-02-01", customer: "c-1")
    try shop.folder.write("in/a.ndjson", line.replacing("customer_id", with: "user_id"))
    let ending = try shop.run("paidline", "run", shop.pipeline)
    #expect(ending.status == 0)
    #expect(ending.errors.contains("no purchase has a usable customer id, so"))
    #expect(ending.errors.contains("{customer_id: user_id}"))
    let status = try shop.run("paidline", "status", shop.pipeline)
    #expect(
      status.output.contains(
        "0 of 1 purchase with a customer id; no usable customer_id in the records\n"))
  }

  /// Runs the query at the end of a message.
  private func query(in message: String, runsOn database: String) throws {
    let line = try #require(
      message.split(separator: "\n").first { $0.hasPrefix("  SELECT") && $0.hasSuffix(";") })
    _ = try DatabaseQueue(path: database).read { try Row.fetchAll($0, sql: String(line)) }
  }
}
