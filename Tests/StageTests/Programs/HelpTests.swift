internal import Diagnostics
internal import Foundation
internal import TestSupport
internal import Testing

struct HelpTests {
  @Test(arguments: [
    ["--help"], ["help"], ["run", "--help"], ["help", "explain"], ["check", "-h"],
    ["status", "--help"], ["init", "--help"], ["backfill", "--help"], ["erase", "--help"],
    ["forget", "--help"], ["verify", "--help"], ["eligibility", "--help"],
    ["compare-policies", "--help"], ["backtest", "--help"], ["export", "--help"],
    ["sign-offers", "--help"], ["reconcile", "--help"],
  ])
  func `help goes to standard output and shows an example`(_ arguments: [String]) throws {
    let shop = try Shop()
    let file = shop.folder.path("help")
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    let process = try shop.start(
      "paidline", arguments, output: try Shop.writing(file))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let help = try String(contentsOfFile: file, encoding: .utf8)
    #expect(help.hasPrefix("OVERVIEW: "))
    #expect(help.contains("\nEXAMPLE"))
    #expect(help.contains("paidline "))
    // An example that the terminal wraps cannot be copied.
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    let examples = try #require(lines.firstIndex { $0.hasPrefix("EXAMPLE") })
    let shown = lines[(examples + 1)...].prefix { !$0.isEmpty }
    #expect(shown.allSatisfy { $0.hasPrefix("  ") }, "\(shown)")
    // A backslash only continues an example on the next line.
    #expect(!lines.contains { $0.hasSuffix("\\") && !shown.contains($0) })
  }

  @Test(arguments: [
    "paidline", "paidline-ingest", "paidline-reconstruct", "paidline-publish", "paidline-validate",
    "paidline-fetch",
  ])
  func `help tells every exit status`(_ program: String) throws {
    let help = try Shop().run(program, "--help")
    #expect(help.status == 0)
    for status in ExitStatus.allCases {
      #expect(help.output.contains("  \(status.rawValue)"))
      #expect(help.output.contains(status.meaning))
    }
  }

  @Test func `the version is one line, or JSON`() throws {
    let shop = try Shop()
    let line = try shop.run("paidline", "--version")
    #expect(line.status == 0)
    #expect(line.output.hasPrefix("paidline 0."))
    #expect(line.output.split(separator: "\n").count == 1)
    let json = try shop.run("paidline", "--version", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: String]
    #expect(object?["program"] == "paidline")
    #expect(object?["sqlite"]?.hasPrefix("3.") == true)
  }

  @Test func `results are JSON for machines`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    for arguments in [
      ["run", shop.pipeline, "--json"], ["run", shop.pipeline, "--dry-run", "--json"],
      ["explain", shop.pipeline, "1001", "--json"], ["status", shop.pipeline, "--json"],
      ["check", shop.pipeline, "--json"], ["verify", shop.pipeline, "--json"],
      ["verify", shop.pipeline, "--full", "--json"],
      ["eligibility", shop.pipeline, "--customer", "c-1", "--json"],
    ] {
      let file = shop.folder.path("json")
      _ = FileManager.default.createFile(atPath: file, contents: nil)
      let process = try shop.start(
        "paidline", arguments, output: try Shop.writing(file))
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
    }
  }

  @Test func `log lines are JSON on demand, and hold no customer`() throws {
    let shop = try Shop(gates: "{rejected_share: {at_least: 1}}")
    try shop.folder.write(
      "in/a.ndjson", Export.purchase(1001, day: "2021-01-05", customer: "canary-7") + "{\"canary-8")
    let ending = try shop.run(
      "paidline", "run", shop.pipeline, "--log-format", "json", "--log-level", "debug")
    let lines = ending.errors.split(separator: "\n")
    #expect(lines.contains { $0.contains("read 1 new file: ") })
    var events: [String] = []
    for line in lines {  // The last one says why nothing was published.
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let time = try #require(object?["ts"] as? String)
      #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line)")
      let stage = try #require(object?["stage"] as? String)
      let event = try #require(object?["event"] as? String)
      events.append("\(stage) \(event)")
      if event == "files_read" {
        #expect(object?["run_id"] as? Int == 1 && object?["records"] as? Int == 2)
      }
    }
    #expect(events.contains("ingest files_read") && events.contains("ingest failed"))
    #expect(events.contains("run stage_ended"))
    #expect(ending.errors.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!ending.errors.contains("canary"))
  }

  @Test(arguments: ["ndjson.gz", "ndjson"])
  func `the pipeline that init writes reads gzip, and plain files by the change in its comment`(
    _ ending: String
  ) throws {
    let shop = try Shop()
    #expect(try shop.run("paidline", "init", "new").status == 0)
    let pipeline = String(decoding: try shop.folder.bytes("new/pipeline.yaml"), as: UTF8.self)
    #expect(pipeline.contains(" gzip; for plain files, leave out .gz."))
    try shop.folder.write(
      "new/pipeline.yaml", pipeline.replacing("{date}.ndjson.gz", with: "{date}.\(ending)"))
    let record = Array(Export.purchase(1001, day: "2021-01-05").utf8)
    try shop.folder.write(
      "new/exports/receipts/receipts-2021-01-05.\(ending)",
      bytes: ending == "ndjson" ? record : gzip(record))
    let run = try shop.run("paidline", "run", "new/pipeline.yaml", "--table")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("2021-01  pro      USD"), "\(run.output)")
  }
}
