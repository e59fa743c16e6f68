internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline-fetch` with a local replacement of the App Store Server API.
struct FetchTests {
  @Test func `all pages of a history become one export`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.list(["1003000001", "1001000002"])
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try store.asked() == [
        "production 1003000001", "production 1003000001 1003000001-1",
        "production 1003000001 1003000001-2", "production 1001000002",
      ])
    #expect(
      try store.transactions() == (100...105).map { "1003000001\($0)" } + [
        "1001000002100", "1001000002101",
      ])
    #expect(try store.exports().map { $0.suffix(14) } == ["0001.ndjson.gz"])
    let mode = try FileManager.default.attributesOfItem(
      atPath: store.shop.folder.path("signed/\(try store.exports()[0])"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `the sandbox is asked where production does not know the chain`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.list(["1100000001", "1200000002"])
    let ending = try store.fetch()
    #expect(ending.status == 0)
    #expect(ending.errors.contains("1 chain unknown to Apple (error_4040010 1)"))
    #expect(
      try store.asked() == [
        "production 1100000001", "sandbox 1100000001", "production 1200000002",
        "sandbox 1200000002",
      ])
    #expect(try store.transactions() == ["1100000001100", "1100000001101"])
    // Neither chain is requested again.
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(try store.asked().count == 4)
  }

  @Test func `failures that pass are waited out`() throws {
    let store = try PlayedStore()
    try store.list(["1302000001", "1403000002", "1502000003", "1001000004"])
    let start = Date()
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(Date().timeIntervalSince(start) >= 0.6, "Retry-After: twice 300 milliseconds")
    #expect(try store.transactions().count == 8)
    let asked = try store.asked()
    for (chain, times) in [("1302000001", 3), ("1403000002", 4), ("1502000003", 3)] {
      #expect(asked.count { $0 == "production \(chain)" } == times)
    }
  }

  @Test func `failures that last stay open, and the next run asks again`() throws {
    let store = try PlayedStore("attempts: 2", "concurrency: 1")
    try store.list(["1403000001", "1503000002", "1001000003"])
    let first = try store.fetch("--json")
    #expect(first.status == 0)
    #expect(first.errors.contains("2 chains pending; the next run requests them"))
    let tally = try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
    #expect(tally?["reasons"] as? [String: Int] == ["cut": 1, "error_5000000": 1])
    #expect(try store.transactions().count == 2)
    #expect(try store.fetch() == Ending(status: 0, output: "", errors: ""))
    #expect(try store.transactions().count == 6)
  }

  @Test func `a revision that is not good any more begins the chain anew`() throws {
    let store = try PlayedStore()
    try store.list(["1600000001"])
    #expect(try store.fetch().status == 0)
    #expect(
      try store.asked() == [
        "production 1600000001", "production 1600000001 1600000001-1", "production 1600000001",
        "production 1600000001 1600000001-1",
      ])
    #expect(Set(try store.transactions()).count == 4)
  }

  @Test func `a page that leads to itself is left open`() throws {
    let store = try PlayedStore("attempts: 1", "concurrency: 1")
    try store.list(["1800000001", "1001000002"])
    let ending = try store.fetch()
    #expect(ending.errors.contains("1 chain pending; the next run requests them"))
    #expect(ending.errors.contains("page_leads_nowhere 1"))
    #expect(try store.asked().count == 3)
  }

  @Test func `pages that lead to each other end, and so does a revision that is never valid`()
    throws
  {
    let store = try PlayedStore("attempts: 1", "concurrency: 1")
    try store.list(["2100000001", "2200000002", "1001000003"])
    let ending = try store.fetch()
    #expect(ending.errors.contains("2 chains pending; the next run requests them"))
    #expect(ending.errors.contains("pages_without_end 1"), "\(ending.errors)")
    // Three pages of the first chain, two times two of the second, and one of the third.
    #expect(try store.asked().count == 8)
  }

  @Test func `the chains of one Apple account come with one question`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.list(["1903000001", "1903000002", "1903000003"])
    let ending = try store.fetch("--json")
    #expect(ending.output.contains("\"covered\": 2"))
    #expect(try store.asked() == ["production 1903000001"])
    #expect(Set(try store.transactions()).count == 6)
    #expect(try store.fetch("--json").output.contains("\"known\": 3"))
  }

  @Test func `chains settled long ago are asked again for news`() throws {
    let store = try PlayedStore()
    try store.list(["1001000001", "1200000002"])
    #expect(try store.fetch().status == 0)
    #expect(try store.fetch("--older-than", "1h").status == 0)
    #expect(try store.asked().count == 3)
    usleep(1_100_000)
    #expect(try store.fetch("--older-than", "1s").status == 0)
    #expect(try store.asked().dropFirst(3) == ["production 1001000001 1001000001-1"])
    #expect(
      try store.transactions() == ["1001000001100", "1001000001101", "1001000001102"])
    #expect(try store.exports().count == 2)
  }

  @Test func `a plan tells chains, requests and time, and asks nothing`() throws {
    let store = try PlayedStore("requests_per_second: 2")
    try store.list((1...9).map { "100100000\($0)" })
    let ending = try store.fetch("--dry-run")
    #expect(
      ending.output == """
        chains    9: 9 never requested, 0 started, 0 due again
        requests  9 at most, as one history has all chains of an Apple account
        time      0 h 0 min 5 s at 2 requests per second

        """)
    #expect(try store.asked().isEmpty && store.exports().isEmpty)
    let json = try store.fetch("--dry-run", "--json").output
    #expect(json.contains("\"requests\": 9") && json.contains("\"seconds\": 5"))
  }

  @Test func `no more questions are asked in a second than the pipeline allows`() throws {
    let store = try PlayedStore("requests_per_second: 10")
    try store.list((10...25).map { "10010000\($0)" })
    let start = Date()
    #expect(try store.fetch().status == 0)
    // The sixteenth request is sent a second and a half after the first.
    #expect(Date().timeIntervalSince(start) >= 1.5)
  }

  @Test func `without a list the chains are those of the state, test purchases left out`() throws {
    let store = try PlayedStore("concurrency: 1")
    let export =
      Export.purchase(1_001_000_009, day: "2024-05-01")
      + Export.purchase(1_001_000_010, day: "2024-06-01", original: 1_001_000_009)
      + Export.purchase(1_001_000_011, day: "2024-06-02").replacing("Production", with: "Sandbox")
    try store.shop.folder.write("in/a.ndjson.gz", bytes: gzip(export))
    #expect(try store.shop.run("paidline-fetch", store.shop.pipeline).status == 66)
    #expect(try store.shop.run("paidline", "run", store.shop.pipeline).status == 0)
    #expect(
      try store.shop.run("paidline-fetch", store.shop.pipeline)
        == Ending(status: 0, output: "", errors: ""))
    #expect(try store.asked() == ["production 1001000009"])
  }

  @Test func `a list may come from standard input, with comments`() throws {
    let store = try PlayedStore("concurrency: 1")
    try store.shop.folder.write(
      "list.gz", bytes: gzip("# chains\n\n 1001000001 \n1001000001\n1001000002\n"))
    let ending = try store.shop.run(
      "paidline-fetch", "history", store.shop.pipeline, "--chains", "-",
      input: try Shop.reading(store.shop.folder.path("list.gz")))
    #expect(ending == Ending(status: 0, output: "", errors: ""))
    #expect(try store.asked() == ["production 1001000001", "production 1001000002"])
    try store.list(["1001000001", "pro.monthly"])
    let wrong = try store.fetch()
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("chains:2: expected a transaction id, which is a number"))
  }

  @Test func `notifications are fetched span after span`() throws {
    let store = try PlayedStore("attempts: 1")
    let first = try store.fetchNotifications()
    #expect(first.status == 69)
    #expect(
      first.errors.contains("did not return the notifications from production (error_5000001)"))
    #expect(try store.transactions(in: "notifications") == ["1001000001100"])
    #expect(try store.fetchNotifications("--json").output.contains("\"items\": 2"))
    #expect(
      try store.transactions(in: "notifications")
        == ["1001000001100", "1001000002100", "1001000003100"])
    // The next span begins a day before the end of the last span, because notifications may arrive
    // late.
    #expect(try store.fetchNotifications() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try store.asked() == [
        "production notifications 180 -", "production notifications 180 page-2",
        "production notifications 180 page-2", "production notifications 180 page-3",
        "production notifications 1 -",
      ])
    #expect(try store.fetchNotifications("--sandbox").errors.contains("sandbox (error_5000001)"))
  }
}
