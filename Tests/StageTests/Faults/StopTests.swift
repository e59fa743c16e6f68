internal import Foundation
internal import TestSupport
internal import Testing

/// Runs that are interrupted while they wait: their export is a pipe that stays open.
struct StopTests {
  private struct Held {
    let shop: Shop
    let process: Process
    let pipe: Pipe
  }

  /// Starts a run that reads standard input, and the given export if there is one.
  private func hold(_ before: String = ":", format: String = "human", export: String? = nil) throws
    -> Held
  {
    let shop = try Shop(
      receipts: export == nil ? "-" : "in/*.ndjson\", \"-", more: "metrics: out.prom")
    if let export { try shop.folder.write("in/a.ndjson", export) }
    let pipe = Pipe()
    let errors = shop.folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = try shop.start(
      "/bin/sh",
      [
        "-c",
        """
        \(before); exec '\(Shop.executables.path)/paidline' run '\(shop.pipeline)' \
        --log-format \(format)
        """,
      ],
      input: pipe, errors: try Shop.writing(errors))
    // The run holds the lock, and will soon read standard input.
    try waitUntil { shop.folder.has("var/state.db") }
    return Held(shop: shop, process: process, pipe: pipe)
  }

  private func waitUntil(_ condition: () throws -> Bool) throws {
    for _ in 0..<400 {
      if try condition() { return }
      usleep(25_000)
    }
    Issue.record("waited ten seconds in vain")
  }

  private func isRunning(_ processID: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8) else {
      return false
    }
    return !text.contains(") Z ")
  }

  /// Whether a thread of a process waits for a pipe.
  private func isReadingPipe(_ processID: Int32) -> Bool {
    let tasks = "/proc/\(processID)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.contains { name in
      let place = try? String(contentsOfFile: "\(tasks)/\(name)/wchan", encoding: .utf8)
      return place?.contains("pipe_read") ?? false
    }
  }

  /// Completes the shop with an uninterrupted run, and checks the facts.
  private func finish(_ shop: Shop) throws {
    try shop.folder.write("export", Export.purchase(1001, day: "2021-01-05"))
    let input = try Shop.reading(shop.folder.path("export"))
    let ending = try shop.run("paidline", "run", shop.pipeline, input: input)
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    #expect(try shop.rows("SELECT transaction_id FROM fct_revenue") == ["1001"])
  }

  @Test(.timeLimit(.minutes(1)), arguments: zip([SIGTERM, SIGINT], [143, 130] as [Int32]))
  func `a signal stops a run within seconds, and the next run goes on`(
    _ signal: Int32, _ status: Int32
  ) throws {
    let held = try hold()
    let start = Date()
    kill(held.process.processIdentifier, signal)
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == status)
    #expect(held.process.terminationReason == .exit)
    #expect(Date().timeIntervalSince(start) < 5)
    try finish(held.shop)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["human", "json"])
  func `a stage that cannot end by itself has a last word in the format of the others`(
    _ format: String
  ) throws {
    let held = try hold(format: format)
    // The signal must arrive while the run reads the pipe. If the kernel does not show that, wait
    // for two seconds.
    for _ in 0..<80 where !isReadingPipe(held.process.processIdentifier) { usleep(25_000) }
    kill(held.process.processIdentifier, SIGTERM)
    held.process.waitUntilExit()
    let lines = String(decoding: try held.shop.folder.bytes("errors"), as: UTF8.self)
      .split(separator: "\n")
    #expect(
      lines.contains {
        $0.contains("stopped by SIGTERM; completed steps are kept: run again")
      })
    for line in lines {
      if format == "json" {
        let word = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(word?["level"] as? String == "error", "\(line)")
      } else {
        #expect(line.contains(#/^20[0-9-]{8}T[0-9:]{8}Z paidline/#), "\(line)")
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run that cannot end by itself has its end in the ledger and in the metrics`() throws {
    let held = try hold()
    for _ in 0..<80 where !isReadingPipe(held.process.processIdentifier) { usleep(25_000) }
    kill(held.process.processIdentifier, SIGTERM)
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == 143)
    let metrics = String(decoding: try held.shop.folder.bytes("out.prom"), as: UTF8.self)
    #expect(metrics.contains(#/paidline_last_exit_code\{[^}]*\} 143\n/#), "\(metrics)")
    let status = try held.shop.run("paidline", "status", held.shop.pipeline)
    #expect(!status.output.contains("killed"), "\(status.output)")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run that is stopped while it reads keeps none of its files, and the next reads all`()
    throws
  {
    let held = try hold(export: Export.purchase(1002, day: "2021-01-06"))
    for _ in 0..<80 where !isReadingPipe(held.process.processIdentifier) { usleep(25_000) }
    kill(held.process.processIdentifier, SIGINT)
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == 130)
    let errors = String(decoding: try held.shop.folder.bytes("errors"), as: UTF8.self)
    #expect(errors.contains("stopped by SIGINT; completed steps are kept"), "\(errors)")
    let status = try held.shop.run("paidline", "status", held.shop.pipeline, "--json").output
    #expect(status.contains("\"used\": 0"), "\(status)")
    try held.shop.folder.write("export", Export.purchase(1001, day: "2021-01-05"))
    let input = try Shop.reading(held.shop.folder.path("export"))
    #expect(try held.shop.run("paidline", "run", held.shop.pipeline, input: input).status == 0)
    #expect(
      try held.shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a killed run leaves nothing locked, and the next run goes on`() throws {
    let held = try hold()
    kill(held.process.processIdentifier, SIGKILL)
    held.process.waitUntilExit()
    try finish(held.shop)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a second run gets 75 at once and the name of the first`() throws {
    let held = try hold()
    let start = Date()
    for program in ["paidline-ingest", "paidline-reconstruct"] {
      #expect(try held.shop.run(program, held.shop.pipeline).status == 75)
    }
    let second = try held.shop.run("paidline", "run", held.shop.pipeline)
    #expect(second.status == 75)
    #expect(second.errors.contains("process \(held.process.processIdentifier), started "))
    #expect(Date().timeIntervalSince(start) < 2)
    #expect(!held.shop.folder.has("out"))
    kill(held.process.processIdentifier, SIGTERM)
    held.process.waitUntilExit()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run that waits goes on when the first has ended`() throws {
    let held = try hold()
    try held.shop.folder.write("export", Export.purchase(1002, day: "2021-01-06"))
    let second = try held.shop.start(
      "paidline", ["run", held.shop.pipeline, "--wait", "30"],
      input: try Shop.reading(held.shop.folder.path("export")))
    try held.pipe.fileHandleForWriting.write(
      contentsOf: Data(Export.purchase(1001, day: "2021-01-05").utf8))
    try held.pipe.fileHandleForWriting.close()
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == 0)
    second.waitUntilExit()
    #expect(second.terminationStatus == 0)
    #expect(
      try held.shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run that is to outlive its terminal does`() throws {
    let held = try hold("trap '' HUP")
    kill(held.process.processIdentifier, SIGHUP)
    usleep(300_000)
    #expect(isRunning(held.process.processIdentifier))
    // Another signal still stops it.
    kill(held.process.processIdentifier, SIGTERM)
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == 143)
    try finish(held.shop)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (SIGSEGV, .uncaughtSignal, SIGSEGV, ""), (SIGQUIT, .uncaughtSignal, SIGQUIT, ""),
      (
        SIGBUS, .exit, 74,
        "paidline: a database was cut off while it was read, or its disk failed; check the disk, "
          + "then run again\n"
      ),
    ] as [(Int32, Process.TerminationReason, Int32, String)])
  func `a crash writes nothing of the memory`(
    _ signal: Int32, _ reason: Process.TerminationReason, _ status: Int32, _ message: String
  ) throws {
    let held = try hold()
    kill(held.process.processIdentifier, signal)
    held.process.waitUntilExit()
    #expect(held.process.terminationReason == reason)
    #expect(held.process.terminationStatus == status)
    #expect(try Shop.messages(held.shop.folder.path("errors")) == message)
    try finish(held.shop)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a lock that is removed under a run ends it with 74, and the next run goes on`() throws {
    let held = try hold()
    try FileManager.default.removeItem(atPath: held.shop.folder.path("var/.paidline.lock"))
    try held.pipe.fileHandleForWriting.write(
      contentsOf: Data(Export.purchase(1001, day: "2021-01-05").utf8))
    try held.pipe.fileHandleForWriting.close()
    held.process.waitUntilExit()
    #expect(held.process.terminationStatus == 74)
    let said = try String(contentsOfFile: held.shop.folder.path("errors"), encoding: .utf8)
    #expect(said.contains("var/.paidline.lock was removed or replaced while the run held it"))
    try finish(held.shop)
  }
}
