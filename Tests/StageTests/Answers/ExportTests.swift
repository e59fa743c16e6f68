internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `paidline export`, read by other programs.
struct ExportTests {
  /// Product ids with characters that formats must escape.
  private static let hostile = [
    "=HYPERLINK(\"http://example.com\";\"x\")", "+1", "-2+3+cmd|' /C calc'!A0", "@SUM(1+1)",
    "a,b;c\"d\"", "back\\slash", "\\N", "\\.", " edge ", "'quoted'", "＝full", "snow☃man",
    "$$; DROP TABLE fct_revenue;",
  ]

  private static func shop() throws -> Shop {
    let shop = try Shop()
    let lines = try hostile.enumerated().map { index, product in
      let text = try #require(
        String(data: JSONEncoder().encode(product), encoding: .utf8))
      return Export.purchase(1001 + index, day: "2021-03-05", customer: "c-\(index)")
        .replacing("\"product_id\":\"pro\"", with: "\"product_id\":\(text)")
    }
    try shop.folder.write("in/a.ndjson", lines.joined())
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(
      try shop.rows("SELECT count(1) FROM fct_revenue WHERE paid_milli = 9990")
        == ["\(hostile.count)"])
    return shop
  }

  /// Runs a Python program in the shop's folder.
  private func python(_ program: String, in shop: Shop) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", program]
    process.currentDirectoryURL = URL(fileURLWithPath: shop.folder.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `Python reads every table and view back as SQLite holds it`() throws {
    let shop = try Self.shop()
    #expect(
      try shop.run("paidline", "export", shop.pipeline, "--format", "csv", "--output", "all")
        .status == 0)
    let found = try python(
      """
      from csv import reader
      from sqlite3 import connect
      db = connect("file:out/warehouse.db?mode=ro", uri=True)
      names = [n for (n,) in db.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'untyped_%'")]
      rows = 0
      for name in names:
        with open(f"all/{name}.csv", newline="", encoding="utf-8") as f:
          read = list(reader(f, strict=True))
        cursor = db.execute(f'SELECT * FROM "{name}"')
        assert read[0] == [c[0] for c in cursor.description], name
        held = [["" if v is None else str(v) for v in row] for row in cursor]
        assert sorted(read[1:]) == sorted(held), name
        rows += len(held)
      print(len(names), rows > 300)
      """, in: shop)
    #expect(found == "68 True\n")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `no text of a spreadsheet-safe export begins like a formula, and no number changes`() throws
  {
    let shop = try Self.shop()
    let ending = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "csv", "--output", "safe",
      "--spreadsheet-safe")
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    let found = try python(
      """
      from csv import reader
      from glob import glob
      from re import match
      disarmed = set()
      for name in sorted(glob("safe/*.csv")):
        with open(name, newline="", encoding="utf-8") as f:
          for row in list(reader(f, strict=True))[1:]:
            for cell in row:
              if match(r"-\\d+$", cell): continue
              assert not cell.startswith(("=", "+", "-", "@", "\\t", "\\r", "＝")), (name, cell)
              if match("'[=+@＝-]", cell): disarmed.add(cell[1:])
      print("|".join(sorted(disarmed)))
      """, in: shop)
    let formulas = Self.hostile.filter { "=+-@＝".contains($0.prefix(1)) }.sorted()
    #expect(found == formulas.joined(separator: "|") + "\n")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `for PostgreSQL every table and view is written, and every value is of its column's type`()
    throws
  {
    let (shop, _) = try SampleRunTests.sample.get()
    let ending = try shop.run(
      "paidline", "export", "pipeline.yaml", "--format", "pgcopy", "--output", "pg")
    #expect(ending.status == 0, "\(ending.errors)")
    let found = try python(
      #"""
      from re import M, S, findall, fullmatch
      from sqlite3 import connect
      db = connect("file:out/warehouse.db?mode=ro", uri=True)
      names = {n for (n,) in db.execute("SELECT name FROM sqlite_schema "
        "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' "
        "AND name NOT LIKE 'untyped_%'")}
      script = open("pg/load.sql", encoding="utf-8").read()
      made = findall(r'CREATE TABLE IF NOT EXISTS "(\w+)" \((.*?)\n\);', script, S)
      assert {name for name, _ in made} == names
      reads = {"bigint": int, "double precision": float, "text": str,
        "date": lambda t: fullmatch(r"\d{4}-\d\d-\d\d", t).group(),
        "timestamptz": lambda t: fullmatch(r"\d{4}-\d\d-\d\dT[0-9:]{8}Z", t).group()}
      types = {}
      for name, body in made:
        columns = findall(r'^  "(\w+)" (bigint|double precision|text|date|timestamptz)', body, M)
        types.update({f"{name}.{column}": kind for column, kind in columns})
        for line in open(f"pg/{name}.copy", encoding="utf-8"):
          for (column, kind), cell in zip(columns, line.rstrip("\n").split("\t"), strict=True):
            if cell != "\\N": reads[kind](cell)
      print(types["revenue.paid"], types["mrr_daily.storefront"], types["ltv_cohort.net_milli"])
      """#, in: shop)
    #expect(found == "double precision text bigint\n")
  }

  @Test func `one table goes to standard output`() throws {
    let shop = try Self.shop()
    let csv = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "csv", "--table", "excluded_purchase")
    #expect(csv.output == "purchase_key,transaction_id,reason\r\n")
    let copy = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "pgcopy", "--table", "dim_product")
    #expect(copy.output.contains("com.example\t\\\\N\tauto_renewable_subscription\tP1M\t\\N"))
  }

  @Test func `a table that is not there is named, with the nearest`() throws {
    let shop = try Self.shop()
    let ending = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "csv", "--table", "revenue_dayly")
    #expect(ending.status == 66)
    #expect(ending.errors.contains("did you mean revenue_daily?"))
  }

  @Test func `files are whole or not at all`() throws {
    let shop = try Self.shop()
    // The second file cannot be moved to its path, so the first keeps its old content.
    try shop.folder.write("all/dim_date.csv", "old")
    try FileManager.default.createDirectory(
      atPath: shop.folder.path("all/dim_product.csv"), withIntermediateDirectories: true)
    let ending = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "csv", "--output", "all", "--table",
      "dim_date", "--table", "dim_product")
    #expect(ending.status == 73)
    #expect(ending.errors.contains("all/dim_product.csv exists and is not a regular file"))
    #expect(
      try String(contentsOfFile: shop.folder.path("all/dim_date.csv"), encoding: .utf8) == "old")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.folder.path("all")).sorted()
        == ["dim_date.csv", "dim_product.csv"])
  }

  @Test func `for Parquet it names the page with the statements of DuckDB`() throws {
    let shop = try Shop()
    let ending = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "parquet", "--output", "facts")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("Docs/analysts/parquet.md"))
    #expect(!shop.folder.has("facts"))
  }

  @Test func `without a warehouse there is nothing to export`() throws {
    let shop = try Shop()
    let ending = try shop.run(
      "paidline", "export", shop.pipeline, "--format", "csv", "--output", "all")
    #expect(ending.status == 66)
  }
}
