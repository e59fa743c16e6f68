internal import Foundation
internal import TestSupport
internal import Testing

/// Runs of `paidline-fetch` that end with a fault, and the next runs.
struct FetchEndingTests {
  @Test func `without Apple a run ends with 69 and loses nothing`() throws {
    let store = try PlayedStore()
    try store.list((10...49).map { "10010000\($0)" })
    // No server listens on port 1.
    try store.writePipeline(["attempts: 2", "concurrency: 1"], address: "http://127.0.0.1:1")
    let ending = try store.fetch()
    #expect(ending.status == 69)
    #expect(ending.errors.contains("Apple cannot be reached (connection 5)"))
    #expect(try store.exports().isEmpty)
    try store.writePipeline([])
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(try store.transactions().count == 80)
  }

  @Test func `answers from before an outage are exported`() throws {
    let store = try PlayedStore("attempts: 1", "concurrency: 1")
    try store.list(["1001000001"] + (2...8).map { "140100000\($0)" })
    #expect(try store.fetch().status == 69)
    #expect(try store.transactions() == ["1001000001100", "1001000001101"])
    // Five consecutive failures are an outage. In the second run two chains are requested for the
    // first time.
    #expect(try store.asked().count == 6)
    #expect(try store.fetch().errors.contains("2 chains pending"))
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(try store.transactions().count == 16)
  }

  @Test func `a key that Apple does not take ends the run, and what came is kept`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.list(["1001000001"])
    #expect(try store.fetch().status == 0)
    try store.writePipeline(["key_id: AAAAAAAAAA"])
    try store.list(["1001000001", "1001000002"])
    let ending = try store.fetch()
    #expect(ending.status == 78)
    #expect(ending.errors.contains("Apple rejects the key (http_401)"))
    #expect(try store.exports().count == 1)
    for wrong in ["issuer_id: someone", "bundle_id: com.example.other"] {
      try store.writePipeline([wrong])
      #expect(try store.fetch().status == 78)
    }
    try store.writePipeline([])
    #expect(try store.fetch().status == 0)
    #expect(try store.transactions().count == 4)
  }

  @Test func `settings that cannot work are told with their remedy`() throws {
    let store = try PlayedStore()
    try store.list(["1001000001"])
    let path = store.shop.folder.path("AuthKey.p8")
    let key = try store.shop.folder.bytes("AuthKey.p8")
    _ = unsafe chmod(path, 0o644)
    let open = try store.fetch()
    #expect(open.status == 77)
    #expect(open.errors.contains("chmod 600"))
    _ = unsafe chmod(path, 0o600)
    try store.shop.folder.write("AuthKey.p8", "no key")
    let none = try store.fetch()
    #expect(none.status == 78)
    #expect(none.errors.contains("-----BEGIN PRIVATE KEY-----"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try store.fetch().status == 66)
    try store.shop.folder.write("AuthKey.p8", bytes: key)
    _ = unsafe chmod(path, 0o600)
    try store.writePipeline(["output: null"])
    #expect(try store.fetch().errors.contains("expected the section fetch to have the key output"))
    for wrong in [
      "output: signed/history.gz", "requests_per_second: 0", "production_url: ftp://example.com",
      "key_id: \"two words\"", "unheard_of: 1",
    ] {
      try store.writePipeline([wrong])
      let ending = try store.fetch()
      #expect(ending.status == 78)
      #expect(ending.errors.contains(wrong.prefix { $0 != ":" }), "\(ending.errors)")
    }
    let shop = try Shop()
    let without = try shop.run("paidline-fetch", shop.pipeline)
    #expect(without.status == 78)
    #expect(without.errors.contains("expected a section fetch"))
    #expect(try store.asked().isEmpty)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a killed run resumes and asks about little twice`() throws {
    let store = try PlayedStore("concurrency: 4")
    let chains = (100...249).map { "1702000\($0)" }
    try store.list(chains)
    var allowed = 150
    for signal in [SIGKILL, SIGTERM, SIGINT] {
      let before = try store.asked().count
      let process = try store.shop.start(
        "paidline-fetch", ["history", store.shop.pipeline, "--chains", "chains"])
      for _ in 0..<1000 where try store.asked().count < before + 25 { usleep(10_000) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      // Add the requests that were in progress.
      allowed += 4
      if signal != SIGKILL {
        #expect(process.terminationStatus == (signal == SIGINT ? 130 : 143))
      }
      #expect(try store.exports().isEmpty)
    }
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    let asked = try store.asked()
    #expect(Set(asked).count == 150)
    #expect(asked.count <= allowed)
    // Every transaction is exported; transactions that were requested again may be exported twice.
    let transactions = try store.transactions()
    #expect(Set(transactions).count == 300 && transactions.count <= 2 * allowed)
    #expect(try store.exports().count == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a second run gets 75 while the first is asking, and the runs go on`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.list(["1799000001", "1799000002"])
    let process = try store.shop.start(
      "paidline-fetch", ["history", store.shop.pipeline, "--chains", "chains"])
    for _ in 0..<1000 where try store.asked().isEmpty { usleep(10_000) }
    #expect(try store.fetch().status == 75)
    let export = Export.purchase(1_001_000_009, day: "2024-05-01")
    try store.shop.folder.write("in/a.ndjson.gz", bytes: gzip(export))
    #expect(try store.shop.run("paidline", "run", store.shop.pipeline).status == 0)
    #expect(try store.fetch("--wait", "20").status == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try store.asked().count == 2)
  }

  @Test func `a file of another program in place of the database stays as it is`() throws {
    let store = try PlayedStore()
    try store.list(["1001000001"])
    try store.shop.folder.write("var/fetch/fetch.db", "something else\n")
    let other = try store.fetch()
    #expect(other.status == 78)
    #expect(other.errors.contains("var/fetch/fetch.db"), "\(other.errors)")
    #expect(
      try store.shop.folder.bytes("var/fetch/fetch.db") == Array("something else\n".utf8))
    #expect(try store.asked().isEmpty)
  }

  @Test func `an export whose folder cannot be made is written by the next run`() throws {
    let store = try PlayedStore()
    try store.list(["1001000001"])
    try store.shop.folder.write("signed", "no folder")
    #expect(try store.fetch().status == 73)
    try FileManager.default.removeItem(atPath: store.shop.folder.path("signed"))
    #expect(try store.fetch().status == 0)
    #expect(try store.asked().count == 1)
    #expect(try store.transactions() == ["1001000001100", "1001000001101"])
  }

  @Test func `the private key and the tokens are in no output and no file`() throws {
    let store = try PlayedStore("attempts: 1", "concurrency: 1")
    try store.list(["1001000001", "1401000002", "1200000003"])
    let ending = try store.fetch("--json", "--log-level", "debug")
    #expect(ending.status == 0)
    let key = String(decoding: try store.shop.folder.bytes("AuthKey.p8"), as: UTF8.self)
    let secret = try #require(key.split(separator: "\n").dropFirst().first).prefix(40)
    // The header with which every bearer token of this key begins.
    let bearer = Data(#"{"alg":"ES256","kid":"2X9R4HXF34""#.utf8).base64EncodedString().prefix(40)
    try FileManager.default.removeItem(atPath: store.shop.folder.path("AuthKey.p8"))
    var texts = [ending.output + ending.errors]
    for name in try FileManager.default.subpathsOfDirectory(atPath: store.shop.folder.path) {
      guard var bytes = try? store.shop.folder.bytes(name) else { continue }
      if name.hasSuffix(".gz") { bytes = gunzip(bytes) }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    #expect(texts.count >= 5)
    for text in texts { #expect(!text.contains(secret) && !text.contains(bearer)) }
    let database = try FileManager.default.attributesOfItem(
      atPath: store.shop.folder.path("var/fetch/fetch.db"))
    #expect(database[.posixPermissions] as? Int == 0o600)
  }
}
