internal import Foundation
internal import TestSupport
internal import Testing

/// Files that were replaced by other content under the same name.
struct ReplacedFileTests {
  private static let bad = String(repeating: "{broken\n", count: 3)
  private static let good = Export.purchase(1001, day: "2021-02-01")
  private static let other = Export.purchase(1002, day: "2021-02-01", customer: "c-2")

  /// A file without any usable record, a file with mostly rejected records, and a truncated file.
  ///
  /// Each has its status.
  private static let faults: [(bytes: [UInt8], status: String)] = [
    (Array(bad.utf8), "held"), (Array((bad + good).utf8), "held"),
    (Array(gzip(Array(good.utf8)).dropLast(30)), "refused"),
  ]

  @Test(arguments: 0..<3)
  func `replaced under its name, a held or refused file is counted nowhere`(fault: Int) throws {
    let (bytes, state) = Self.faults[fault]
    let shop = try Shop(more: "metrics: m.prom")
    try shop.folder.write("in/a.ndjson", bytes: bytes)
    #expect(try shop.run("paidline", "run").status == 65)
    #expect(try metric("input_files{pipeline=\"m\",state=\"\(state)\"}", shop) == 1)
    #expect(try shop.run("paidline", "status").output.contains("\(state): in/a.ndjson"))

    try shop.folder.write("in/a.ndjson", Self.other)
    #expect(try shop.run("paidline", "run") == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.rows("SELECT name, status FROM audit_file ORDER BY source_file_id")
        == ["in/a.ndjson|superseded", "in/a.ndjson|used"])
    #expect(try metric("input_files{pipeline=\"m\",state=\"\(state)\"}", shop) == 0)
    for reason in ["invalid_json", "no_usable_row"] {
      #expect(try metric("rejected{pipeline=\"m\",reason=\"\(reason)\"}", shop) == 0)
    }
    #expect(try shop.rows("SELECT count(1) FROM rejected_record") == ["0"])
    let status = try shop.run("paidline", "status")
    #expect(status.status == 0 && status.output.hasPrefix("OK: "))
    #expect(status.output.contains("Input files    1 used, 0 refused, 0 held, 0 forgotten\n"))
    #expect(status.output.contains("Rejects        none\n"))
    #expect(!status.output.contains("superseded") && !status.output.contains(": in/a.ndjson\n"))
  }

  @Test(arguments: 0..<3)
  func `brought back, it is what it was`(fault: Int) throws {
    let (bytes, state) = Self.faults[fault]
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", bytes: bytes)
    #expect(try shop.run("paidline", "run").status == 65)
    try shop.folder.write("in/a.ndjson", Self.other)
    #expect(try shop.run("paidline", "run").status == 0)
    try shop.folder.write("in/b.ndjson", bytes: bytes)
    #expect(try shop.run("paidline", "run").status == 65)
    #expect(
      try shop.run("paidline", "status").output.contains("Input files    1 used")
        && shop.run("paidline", "status").output.contains("1 \(state)"))
  }

  @Test func `moved to another name, it is not replaced`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Self.bad)
    #expect(try shop.run("paidline", "run").status == 65)
    try shop.folder.write("in/b.ndjson", Self.bad)
    try shop.folder.write("in/a.ndjson", Self.good)
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 65, "it still lies there: \(ending.errors)")
    try FileManager.default.removeItem(atPath: shop.folder.path("in/b.ndjson"))
    #expect(try shop.run("paidline", "run").status == 0)
  }

  private static let sales =
    "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\t"
    + "Country Code\tApple Identifier\tCustomer Price\tSubscription\tOrder Type\tPromo Code\n"
    + "pro\tIAY\t1\t02/01/2021\t02/01/2021\tUSD\tUS\t77\t7.77\tNew\t\t \n"

  private static let report = #"""
    {"transaction_id":"1001","product_id":"pro","currency":"USD","price":"9.99",\#
    "reported_at":"2021-02-01T10:00:05Z","customer_id":"c-1"}

    """#

  /// A file of each kind: its path, and its text.
  private static let used: [(path: String, text: String)] = [
    ("in/b.ndjson.gz", other), ("prices/p.ndjson.gz", report),
    ("apple/sales-2021-02-01.txt.gz", sales),
  ]

  /// Files that keep the patterns from matching nothing.
  private static let besides: [(path: String, text: String)] = [
    ("prices/z.ndjson.gz", report.replacing("10:00:05Z", with: "10:00:06Z")),
    ("apple/sales-2021-02-02.txt.gz", sales.replacing("02/01/2021", with: "02/02/2021")),
  ]

  @Test(arguments: 0..<3)
  func `what was used stays used after a truncated file at its path, and after its removal`(
    kind: Int
  ) throws {
    let (path, text) = Self.used[kind]
    let shop = try Shop(
      inputs: ["prices: [prices/*.gz]", #"apple_reports: ["apple/*-{date}.txt.gz"]"#])
    for file in Self.used + Self.besides {
      try shop.folder.write(file.path, bytes: Array(gzip(file.text)))
    }
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-02-01", price: nil))
    #expect(try shop.run("paidline", "run").status == 0)
    let facts = try shop.contentHash()
    let lines = try shop.rows("SELECT count(1) FROM apple_report_line")

    try shop.folder.write(path, bytes: Array(gzip(text).dropLast(12)))
    #expect(try shop.run("paidline", "run").status == 65)
    // The message asks for the removal, where no whole file is at hand.
    try FileManager.default.removeItem(atPath: shop.folder.path(path))
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.contentHash() == facts)
    #expect(try shop.rows("SELECT count(1) FROM apple_report_line") == lines)
    #expect(
      try shop.rows("SELECT count(1) FROM audit_file WHERE status = 'used'") == ["6"])
  }

  private func metric(_ name: String, _ shop: Shop) throws -> Double? {
    PrometheusText(String(decoding: try shop.folder.bytes("m.prom"), as: UTF8.self))[
      "paidline_\(name)"]
  }
}
