internal import Foundation
internal import TestSupport
internal import Testing

private let systemdAnalyze = "/usr/bin/systemd-analyze"
private let units = ["paidline@.service", "paidline@.timer", "paidline-alert@.service"]

/// The files shipped for operators: systemd units, the crontab line, the pages.
struct OperationsTests {
  private func text(_ name: String) throws -> String {
    try String(contentsOf: Checkout.folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The output of `systemd-analyze` about the shipped units, and its exit status.
  private func analyze(_ arguments: (TemporaryFolder) -> [String]) throws -> (Int32, String) {
    let folder = try TemporaryFolder()
    for name in units {
      // systemd requires that the program exists; any program will do.
      let unit = try text("Pipelines/systemd/\(name)")
        .replacingOccurrences(of: "ExecStart=paidline ", with: "ExecStart=/bin/true ")
      try folder.write(name, unit)
    }
    let process = Process()
    let said = Pipe()
    process.executableURL = URL(fileURLWithPath: systemdAnalyze)
    process.arguments = arguments(folder)
    process.environment = ["SYSTEMD_UNIT_PATH": "\(folder.path):", "PATH": "/usr/bin:/bin"]
    process.standardError = said
    process.standardOutput = said
    try process.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test(
    .enabled("systemd-analyze is not installed") {
      FileManager.default.isExecutableFile(atPath: systemdAnalyze)
    })
  func `systemd has nothing to complain about in the shipped units`() throws {
    let (status, said) = try analyze { folder in
      ["verify", "--man=no"]
        + ["paidline@shop.timer", "paidline@shop.service", "paidline-alert@x.service"]
        .map(folder.path)
    }
    let ours = said.split(separator: "\n").filter { $0.contains("paidline") }
    #expect(status == 0 && ours.isEmpty, "\(said)")
  }

  @Test(
    .enabled("systemd-analyze is not installed") {
      FileManager.default.isExecutableFile(atPath: systemdAnalyze)
    })
  func `the service may do next to nothing: an exposure of at most 1.0 of 10`() throws {
    // Without its restrictions the exposure of a service is 9.6.
    let (status, said) = try analyze { folder in
      ["security", "--offline=true", "--threshold=10", folder.path("paidline@.service")]
    }
    #expect(status == 0, "\(said)")
  }

  @Test func `the service retries what is worth a retry, and nothing else`() throws {
    let service = try text("Pipelines/systemd/paidline@.service")
    let line = try #require(
      service.split(separator: "\n").first { $0.hasPrefix("RestartPreventExitStatus=") })
    let prevented = line.split(separator: "=")[1].split(separator: " ").map(String.init)
    #expect(prevented == ["64", "65", "66", "69", "70", "73", "74", "77", "78"])
    #expect(service.contains("OnFailure=paidline-alert@%n.service"))
  }

  @Test func `the crontab line, the unit and the pages name options that exist`() throws {
    for page in ["Docs/operations.md", "README.md"] {
      #expect(try text(page).contains("/usr/local/bin/paidline run "))
    }
    let service = try text("Pipelines/systemd/paidline@.service")
    #expect(service.contains("\nExecStart=paidline run /etc/paidline/%i/pipeline.yaml --wait 600 "))
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    let ending = try shop.run(
      "paidline", "run", shop.pipeline, "--wait", "600", "--log-format", "json")
    #expect(ending == Ending(status: 0, output: "", errors: ""), "cron mails what is printed")
  }

  @Test func `every metric has a line in the page of operations`() throws {
    let shop = try Shop(more: "metrics: paidline.prom")
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2021-01-05"))
    _ = try shop.run("paidline", "run", shop.pipeline)
    let page = try text("Docs/operations.md")
    let names = String(decoding: try shop.folder.bytes("paidline.prom"), as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("# TYPE") }.map { $0.split(separator: " ")[2] }
    #expect(names.count > 10)
    for name in names { #expect(page.contains("`\(name)"), "\(name)") }
  }
}
