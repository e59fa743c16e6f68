internal import Foundation
internal import TestSupport
internal import Testing

/// A dry run shows the records of new files, so that an export can be corrected before it is read.
struct LookTests {
  private static let report = """
    {"product_id":"","currency":"dollars","price":"9,99","reported_at":"yesterday"}
    """

  private static func good(_ number: Int) -> String {
    """
    {"product_id":"pro","currency":"USD","price":"9.99","reported_at":"2021-02-01T10:00:05Z",\
    "n":\(number)}
    """
  }

  private func shop() throws -> Shop {
    let shop = try Shop(receipts: "in/receipts*", inputs: [#"prices: ["in/prices*"]"#])
    try shop.folder.write("in/receipts.ndjson", Export.purchase(1001, day: "2021-02-01"))
    try shop.folder.write("in/prices-0.ndjson", Self.good(0) + "\n")
    return shop
  }

  @Test func `all faults of a record are told at once`() throws {
    let shop = try shop()
    try shop.folder.write("in/prices.ndjson", Self.report)
    try shop.folder.write("in/prices-2.ndjson", "{\"n\":1}\n{\"n\":2}\n")
    let ending = try shop.run("paidline", "run", "-n")
    #expect(
      ending.output.contains(
        """
        in/prices-2.ndjson: a run would reject 2 of the first 2 records:
          line 1: price_without_product, product_id, 2 times; expected product_id in every price \
        report; map a key of another name under inputs.price_keys
          line 1: price_without_currency, currency, 2 times; expected
        """), "\(ending.output)")
    #expect(ending.status == 65 && ending.errors == "")
    #expect(
      ending.output.contains(
        """
        in/prices.ndjson: a run would reject 1 of 1 record:
          line 1: price_without_product, product_id; expected product_id in every price report; \
        map a key of another name under inputs.price_keys
          line 1: price_invalid_currency, currency; expected the three letters of ISO 4217, \
        such as USD, not $ or US
          line 1: price_not_a_decimal, price; expected a number with a point and at most three \
        decimals, such as 9.99 or "9.99", in the unit that price_unit names (999 with minor); \
        for 9,99 write decimal: "," in the entry
          line 1: price_invalid_time, reported_at; expected 2021-04-28T19:42:01Z, or seconds, \
        milliseconds or microseconds since 1970; Swift's own seconds since 2001 are refused
        """), "\(ending.output)")
    #expect(
      ending.output.hasSuffix(
        """
        Nothing was changed. More: Docs/rejects.md.
        A run would end with status 65 and publish nothing, stopped by no_usable_record. More: \
        Docs/gates.md.

        """))
    #expect(!shop.folder.has("var/state.db"))
  }

  @Test func `rows that would be lost are told, and good files are silent`() throws {
    let shop = try shop()
    try shop.folder.write(
      "in/receipts-2.ndjson",
      Export.purchase(1002, day: "2021-02-01").replacing(
        "\"quantity\":\"1\"", with: "\"quantity\":\"x\"")
    )
    try shop.folder.write("in/receipts-3.csv", "id,receipt\n1,2\n")
    try shop.folder.write("in/receipts-4.zip", "PK\u{3}\u{4}\u{14}\0\0\0")
    let output = try shop.run("paidline", "run", "--dry-run").output
    #expect(
      output.contains(
        """
        in/receipts-2.ndjson: a run would reject 1 of 1 record and 1 of 1 row:
          line 1: no_usable_row, its only row cannot be used
        """), "\(output)")
    #expect(output.contains("in/receipts-3.csv: a run would reject 1 of 1 record:"))
    #expect(output.contains("in/receipts-4.zip would be refused: "))
    #expect(!output.contains("in/receipts.ndjson: "))
  }

  @Test func `a quantity of 0 is no fault of a row that lacks its transaction id`() throws {
    let shop = try shop()
    try shop.folder.write(
      "in/receipts-2.ndjson",
      Export.purchase(1002, day: "2021-02-01")
        .replacing("\"transaction_id\":\"1002\"", with: "\"transaction_id\":\"\"")
        .replacing("\"quantity\":\"1\"", with: "\"quantity\":\"0\""))
    let output = try shop.run("paidline", "run", "--dry-run").output
    #expect(output.contains("row_without_transaction_id"), "\(output)")
    #expect(!output.contains("row_invalid_quantity"), "\(output)")
  }

  @Test func `only new files are listed and looked into`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/prices.ndjson", Self.report)
    let output = try shop.run("paidline", "run", "--dry-run").output
    #expect(!output.contains("in/receipts.ndjson"))
    #expect(output.contains("A run would read 1 of 3 files, 79 bytes."))
    try FileManager.default.removeItem(atPath: shop.folder.path("in/prices.ndjson"))
    #expect(
      try shop.run("paidline", "run", "--dry-run").output
        == "No new files among 2 files.\n")
  }

  @Test func `a file that waits for somebody is told of, though it is not new`() throws {
    let shop = try shop()
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/receipts-2.csv", "id,receipt\n1,2\n")
    #expect(try shop.run("paidline", "run").status == 65)
    #expect(
      try shop.run("paidline", "run", "--dry-run").output
        == "No new files among 3 files. 1 file that was read before is held or refused; paidline "
        + "status shows why.\nA run would end with status 65 and publish nothing, stopped by "
        + "no_usable_record. More: Docs/gates.md.\n")
  }

  @Test func `the last line tells the status of a run that a refused file would stop`() throws {
    let shop = try shop()
    let archive = "in/receipts-2.zip"
    try shop.folder.write(archive, "PK\u{3}\u{4}\u{14}\0\0\0")
    let expected =
      "A run would end with status 65 and publish nothing, stopped by refused_file. "
      + "More: Docs/gates.md."
    let plan = try shop.run("paidline", "run", "--dry-run")
    #expect(plan.output.split(separator: "\n").last.map(String.init) == expected)
    #expect(plan.status == 65, "the status that it tells")
    let accepted = try shop.run("paidline", "run", "--dry-run", "--accept", "refused_file").output
    #expect(!accepted.contains("would end"))
    // The run ends with this status, and so does every later run as long as the file exists.
    #expect(try shop.run("paidline", "run").status == 65)
    #expect(try shop.run("paidline", "run", "--dry-run").output.hasSuffix(expected + "\n"))
    let json = try shop.run("paidline", "run", "--dry-run", "--json").output
    #expect(json.contains("refused_file"))
    try FileManager.default.removeItem(atPath: shop.folder.path(archive))
    #expect(!(try shop.run("paidline", "run", "--dry-run").output.contains("would end")))
    #expect(try shop.run("paidline", "run").status == 0)
  }

  @Test func `rejects of a longer file end no plan, as its other records may be right`() throws {
    let shop = try shop()
    try shop.folder.write(
      "in/prices.ndjson", Self.report + "\n" + (1...100).map(Self.good).joined(separator: "\n"))
    let output = try shop.run(arguments: ["run", "-n", "--look", "1"]).output
    #expect(output.contains("a run would reject 1 of the first 1 record"))
    #expect(!output.contains("would end"))
    #expect(try shop.run("paidline", "run").status == 0)
  }

  @Test func `an option sets the number of records that are looked at`() throws {
    let shop = try shop()
    try shop.folder.write(
      "in/prices.ndjson", (1...100).map(Self.good).joined(separator: "\n") + "\n" + Self.report)
    func output(_ look: String...) throws -> String {
      try shop.run(arguments: ["run", "-n"] + look).output
    }
    #expect(!(try output().contains("would reject")), "the 101st")
    #expect(try output("--look", "101").contains("a run would reject 1 of the first 101 records"))
    try shop.folder.write("in/prices.ndjson", Self.report)
    #expect(!(try output("--look", "0").contains("would reject")))
    #expect(try output("--json").contains("price_without_product"))
  }
}
