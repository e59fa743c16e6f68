internal import Foundation
internal import TestSupport
internal import Testing

/// Runs of `paidline-validate` that end with a fault, and the next runs.
struct ValidateEndingTests {
  @Test func `without Apple a run ends with 69 and loses nothing`() throws {
    let apple = try PlayedApple()
    try apple.write((1...40).map { "ok-\($0)" })
    // No server listens on port 1.
    try apple.writePipeline(["attempts: 2", "concurrency: 1"], address: "http://127.0.0.1:1")
    let ending = try apple.validate()
    #expect(ending.status == 69)
    #expect(ending.errors.contains("Apple cannot be reached (connection 5)"))
    #expect(try apple.exports().isEmpty)
    try apple.writePipeline([])
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    #expect(try apple.statuses().count == 40)
  }

  @Test func `answers from before an outage are exported`() throws {
    let apple = try PlayedApple("attempts: 1", "concurrency: 1")
    try apple.write(["ok-1", "ok-2"] + (3...9).map { "down-1-\($0)" } + ["ok-10"])
    let ending = try apple.validate()
    // Five consecutive failures are an outage; the other receipts are not requested.
    #expect(ending.status == 69)
    #expect(try apple.statuses() == ["ok-1": 0, "ok-2": 0])
    #expect(try apple.asked().count == 7)
    // Earlier failures get a response now; 8 and 9 are requested for the first time, and two
    // failures are not an outage.
    #expect(try apple.validate().errors.contains("2 receipts pending; the next run requests them"))
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    #expect(try apple.statuses().count == 10)
  }

  @Test func `a damaged file says nothing, the others count, and the run ends with 65`() throws {
    let apple = try PlayedApple()
    try apple.write(["ok-1"])
    try apple.write(["ok-2", "ok-3"], file: "raw/b.ndjson.gz")
    let whole = try apple.shop.folder.bytes("raw/b.ndjson.gz")
    try apple.shop.folder.write("raw/b.ndjson.gz", bytes: Array(whole.dropLast(5)))
    let ending = try apple.validate()
    #expect(ending.status == 65)
    #expect(ending.errors.contains("raw/b.ndjson.gz: the gzip data end too early"))
    #expect(try apple.statuses() == ["ok-1": 0])
    try apple.shop.folder.write("raw/b.ndjson.gz", bytes: whole)
    #expect(try apple.validate().status == 0)
    #expect(try apple.statuses().count == 3)
  }

  @Test func `settings that cannot work are told with their remedy`() throws {
    let apple = try PlayedApple()
    #expect(try apple.validate().status == 66)  // No raw receipt is there yet.
    try apple.write(["ok-1"])
    _ = unsafe chmod(apple.shop.folder.path("secret"), 0o640)
    let open = try apple.validate()
    #expect(open.status == 77)
    #expect(open.errors.contains("chmod 600"))
    _ = unsafe chmod(apple.shop.folder.path("secret"), 0o600)
    try apple.shop.folder.write("secret", "two words")
    #expect(try apple.validate().status == 78)
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("secret"))
    #expect(try apple.validate().status == 66)
    try apple.writePipeline(["shared_secret_file: null"])
    #expect(try apple.validate().status == 78)  // 21004: the app needs a secret.
    let none = try Shop()
    let ending = try none.run("paidline-validate", none.pipeline)
    #expect(ending.status == 78)
    #expect(ending.errors.contains("expected a section validate"))
    #expect(try none.run("paidline-validate").errors == ending.errors, "pipeline.yaml is meant")
    #expect(try none.run("paidline-validate", "missing.yaml").status == 66)
  }

  @Test func `an output folder that cannot be made is told, and the answers are kept`() throws {
    let apple = try PlayedApple("output: file/validated-{run}.ndjson.gz")
    try apple.write(["ok-1"])
    try apple.shop.folder.write("file", "no folder")
    let ending = try apple.validate()
    #expect(ending.status == 73)
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("file"))
    #expect(try apple.validate().status == 0)
    #expect(try apple.asked().count == 1)
    #expect(try apple.shop.folder.names("file") == ["validated-0001.ndjson.gz"])
  }

  @Test func `an export that is there is never overwritten`() throws {
    let apple = try PlayedApple("output: in/validated-{run}.ndjson.gz")
    try apple.shop.folder.write("in/validated-0001.ndjson.gz", "something else")
    try apple.write(["ok-1"])
    #expect(try apple.validate().status == 0)
    #expect(try apple.exports() == ["validated-0001.ndjson.gz", "validated-0002.ndjson.gz"])
    #expect(try apple.shop.folder.bytes("in/validated-0001.ndjson.gz").count == 14)
  }

  @Test func `pending receipts whose file has gone are named`() throws {
    let apple = try PlayedApple("attempts: 1")
    try apple.write(["busy-1-1", "ok-2"])
    try apple.write(["ok-3"], file: "raw/b.ndjson.gz")
    #expect(try apple.validate().status == 0)
    let file = apple.shop.folder.path("raw/a.ndjson.gz")
    let bytes = try apple.shop.folder.bytes("raw/a.ndjson.gz")
    try FileManager.default.removeItem(atPath: file)
    let ending = try apple.validate()
    #expect(ending.errors.contains("1 pending receipts are in none of the files"))
    #expect(ending.errors.contains("restore raw/a.ndjson.gz"))
    try apple.shop.folder.write("raw/a.ndjson.gz", bytes: bytes)
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
  }

  @Test(.timeLimit(.minutes(2)))
  func `a killed run resumes and asks about nothing it has`() throws {
    let apple = try PlayedApple("concurrency: 4")
    try apple.write((1...150).map { "slow-20-\($0)" })
    for signal in [SIGKILL, SIGTERM, SIGINT] {
      let before = try apple.asked().count
      let process = try apple.start([])
      for _ in 0..<1000 where try apple.asked().count < before + 25 { usleep(10_000) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      if signal != SIGKILL {
        #expect(process.terminationStatus == (signal == SIGINT ? 130 : 143))
      }
      #expect(try apple.exports().isEmpty)
    }
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    let asked = try apple.asked()
    #expect(Set(asked).count == 150)
    // Only requests in progress are sent twice when a run is stopped: four requests, three times.
    #expect(asked.count <= 150 + 3 * 4)
    #expect(try apple.statuses().count == 150)
    #expect(try apple.exports().count == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a second run gets 75 while the first is asking`() throws {
    let apple = try PlayedApple("concurrency: 1")
    try apple.write(["slow-1500-1"])
    let process = try apple.start([])
    for _ in 0..<1000 where try apple.asked().isEmpty { usleep(10_000) }
    #expect(try apple.validate().status == 75)
    #expect(try apple.shop.run("paidline", "run", apple.shop.pipeline).status == 75)
    #expect(try apple.validate("--wait", "20").status == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try apple.asked().count == 1)
  }

  @Test func `the secret of the environment does, and is in no file`() throws {
    let apple = try PlayedApple("shared_secret_file: null", "attempts: 1")
    try apple.write(["ok-1", "test-2", "echo-3", "busy-1-4", "status-21003-5"])
    let errors = apple.shop.folder.path("errors")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = Process()
    process.executableURL = Shop.executables.appendingPathComponent("paidline-validate")
    process.arguments = [apple.shop.pipeline, "--log-level", "debug", "--log-format", "json"]
    process.currentDirectoryURL = URL(fileURLWithPath: apple.shop.folder.path)
    process.environment = ["PAIDLINE_SHARED_SECRET": PlayedApple.secret]
    process.standardError = try Shop.writing(errors)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("secret"))
    var files = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: apple.shop.folder.path)
    where (try? apple.shop.folder.bytes(name)) != nil {
      var bytes = try apple.shop.folder.bytes(name)
      if name.hasSuffix(".gz") { bytes = gunzip(bytes) }
      #expect(Data(bytes).range(of: Data(PlayedApple.secret.utf8)) == nil, "\(name)")
      files += 1
    }
    #expect(files >= 8)  // The store and its log among them.
    let store = try FileManager.default.attributesOfItem(
      atPath: apple.shop.folder.path("var/validation.db"))
    #expect(store[.posixPermissions] as? Int == 0o600)
  }

  /// A long run has ten thousand receipts, a short run fewer; both send fifty concurrent requests.
  @Test func `many receipts are asked about with fifty at once`() throws {
    let isLong = ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"
    let count = isLong ? 10_000 : 600
    let apple = try PlayedApple("concurrency: 50")
    try apple.write((1...count).map { $0 % 10 == 0 ? "test-\($0)" : "ok-\($0)" })
    let start = Date()
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    let seconds = Date().timeIntervalSince(start)
    // Nine in ten receipts need one request, the others two.
    #expect(try apple.asked().count == count + count / 10)
    let statuses = try apple.statuses()
    #expect(statuses.count == count && statuses.values.allSatisfy { $0 == 0 })
    if isLong { print("\(count) receipts in \(seconds) seconds") }
  }
}
