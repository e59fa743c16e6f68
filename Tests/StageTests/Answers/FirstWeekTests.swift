internal import Foundation
internal import TestSupport
internal import Testing

/// Answers that a new user asks for in the first week.
struct FirstWeekTests {
  @Test func `the table has twelve months, all earlier ones in one line, and a total`() throws {
    let shop = try Shop()
    var receipts = ""
    for (number, day) in ["2023-01-05", "2023-02-05", "2023-03-05", "2024-02-05"].enumerated() {
      receipts += Export.purchase(1001 + number, day: day, customer: "c-\(number)")
    }
    receipts += Export.purchase(1009, day: "2023-02-06", customer: "c-9", price: nil)
      .replacing("\"storefront\":\"USA\",", with: "")
    try shop.folder.write("in/a.ndjson", receipts)
    let ending = try shop.run("paidline", "run", "--table")
    #expect(ending.status == 0, "\(ending.errors)")
    let rows = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst(2).prefix { !$0.isEmpty }
      .map { $0.split(separator: " ").joined(separator: "|") }
    // The months from 2023-03 to 2024-02 are twelve. 2 × 9.99 = 19.98 before; 4 × 9.99 = 39.96.
    #expect(
      rows == [
        "before|all|USD|19.98|0.00|19.98|0", "before|all|unknown|unknown|0.00|unknown|1",
        "2023-03|pro|USD|9.99|0.00|9.99|0", "2024-02|pro|USD|9.99|0.00|9.99|0",
        "total|all|USD|39.96|0.00|39.96|0", "total|all|unknown|unknown|0.00|unknown|1",
      ], "\(ending.output)")
  }

  @Test func `explain shows a customer, without the customer's id`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2024-01-05", customer: "c-ana")
        + Export.purchase(1002, day: "2024-02-05", customer: "c-ana", original: 1001)
        + Export.purchase(2001, day: "2024-01-06", customer: "c-ben"))
    #expect(try shop.run("paidline", "run").status == 0)
    let ending = try shop.run("paidline", "explain", "pipeline.yaml", "--customer", "c-ana")
    #expect(ending.status == 0, "\(ending.errors)")
    let key = try shop.rows(
      "SELECT customer_key FROM fct_revenue WHERE transaction_id = '1001'")[0]
    #expect(ending.output.hasPrefix("Customer \(key)\n"))
    #expect(ending.output.contains("1001") && ending.output.contains("1002"))
    #expect(!ending.output.contains("2001") && !ending.output.contains("c-ana"))
    #expect(
      try shop.run("paidline", "explain", "pipeline.yaml", "--customer", key).output
        == ending.output)
    try shop.folder.write("id.txt", "c-ana\n")
    #expect(
      try shop.run(
        "paidline", "explain", "pipeline.yaml", "--customer", "-",
        input: Shop.reading(shop.folder.path("id.txt"))
      ).output == ending.output)
    let unknown = try shop.run("paidline", "explain", "pipeline.yaml", "--customer", "c-Ana")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("no published purchase is of this customer"))
  }

  @Test func `the coverage of prices is known for each country`() throws {
    let shop = try Shop()
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2024-01-05", customer: "c-1")
        + Export.purchase(1002, day: "2024-01-05", customer: "c-2", price: nil)
        .replacing("USA", with: "CAN"))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(
      try shop.rows(
        """
        SELECT storefront, chargeable_rows, known_rows FROM price_coverage_daily ORDER BY 1
        """) == ["CAN|1|0", "USA|1|1"])
  }

  @Test func `a name that macOS decomposed matches the pattern that a person typed`() throws {
    let shop = try Shop(receipts: "in/für/Käufe-*.ndjson")
    try shop.folder.write(
      "in/fu\u{308}r/Ka\u{308}ufe-1.ndjson", Export.purchase(1001, day: "2024-01-05"))
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["1"])
  }

  @Test func `eighty faults give at most forty lines, and status has all`() throws {
    let names = (10..<70).map { "in/f\($0).ndjson" }
    let torn = (10..<30).map { "in/g\($0).ndjson.gz" }
    let shop = try Shop(receipts: (names + torn).joined(separator: "\", \""))
    for (number, name) in torn.enumerated() {
      let lines = Export.purchase(1001 + number, day: "2024-01-05")
      try shop.folder.write(name, bytes: Array(gzip(Array(lines.utf8)).dropLast(9 + number)))
    }
    for (number, name) in names.enumerated() {
      try shop.folder.write(name, "{\"nothing\":\(number)}\n")
    }
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65)
    let lines = ending.errors.split(separator: "\n")
    #expect(lines.count <= 40, "\(lines.count) lines")
    #expect(ending.errors.contains("`paidline status --all` shows them"), "\(ending.errors)")
    #expect(lines.last?.contains("othing was published") ?? false, "\(ending.errors)")
    let status = try shop.run("paidline", "status", "--all")
    #expect((names + torn).allSatisfy { status.output.contains($0) })
  }
}
