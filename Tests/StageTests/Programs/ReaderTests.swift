internal import Foundation
internal import TestSupport
internal import Testing

/// Other programs read the results of a run; `make test-slow` installs them.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"), .serialized)
struct ReaderTests {
  private static let repository = Checkout.folder

  /// Runs a script of `Tests/Readers`; returns its exit status and its output.
  static func run(_ script: String, _ arguments: String...) throws -> (Int32, String) {
    let python = repository.appendingPathComponent(".build/readers/bin/python")
    try #require(
      FileManager.default.isExecutableFile(atPath: python.path),
      "run `make test-slow`, which installs the readers into .build/readers")
    let process = Process()
    process.executableURL = python
    process.arguments =
      [repository.appendingPathComponent("Tests/Readers/\(script)").path] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, said)
  }

  @Test func `sqlite3, Python, DuckDB and Datasette read the same`() throws {
    let (shop, _) = try SampleRunTests.sample.get()
    let (status, said) = try Self.run(
      "readers.py", shop.folder.path("out/warehouse.db"), shop.folder.path("out/metadata.yaml"))
    #expect(status == 0, "\(said)")
  }

  @Test func `the sample's report is shown without a complaint, its charts equal to its tables`()
    throws
  {
    let (shop, _) = try SampleRunTests.sample.get()
    // The charts: revenue, recurring revenue and its changes, subscriptions, new customers, trials,
    // refunds.
    let (status, said) = try Self.run(
      "report.py", shop.folder.path("out/report.html"), shop.folder.path("out/warehouse.db"), "7")
    #expect(status == 0, "\(said)")
  }

  @Test func `a page with hostile products runs none of them`() throws {
    let shop = try Shop(more: "report: out/report.html")
    for (number, product) in [
      "<img src=x onerror='window.hacked=1'>", "</script><script>window.hacked=1</script>",
      "\u{600}<script>window.hacked=1</script>", "\u{202E}lmth.<svg onload='window.hacked=1'>",
      String(repeating: "long-", count: 40),
    ].enumerated() {
      try shop.folder.write(
        "in/\(number).ndjson",
        Export.purchase(1001 + number, day: "2021-0\(number + 1)-01")
          .replacing("\"pro\"", with: "\"\(product)\""))
    }
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try shop.rows("SELECT count(1) FROM fct_revenue") == ["5"])
    // All charts but that of trials, because no trial began.
    let (status, said) = try Self.run(
      "report.py", shop.folder.path("out/report.html"), shop.folder.path("out/warehouse.db"), "6")
    #expect(status == 0, "\(said)")
  }

  @Test func `a page without charts is a page`() throws {
    let shop = try Shop(more: "report: out/report.html\nreport_chart_script: none.js")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let (status, said) = try Self.run(
      "report.py", shop.folder.path("out/report.html"), shop.folder.path("out/warehouse.db"), "0")
    #expect(status == 0, "\(said)")
  }

  @Test func `a script that is no chart library is told from one`() throws {
    let shop = try Shop(more: "report: out/report.html\nreport_chart_script: other.js")
    try shop.folder.write("other.js", "window.Chart = function () {}; Chart.version = '2.9.4';")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    let (status, said) = try Self.run(
      "report.py", shop.folder.path("out/report.html"), shop.folder.path("out/warehouse.db"), "0")
    #expect(status == 0, "\(said)")
  }
}
