internal import Foundation
internal import TestSupport
internal import Testing

/// `paidline-validate` with a local replacement of Apple's services.
struct ValidateTests {
  @Test func `answers become an export that the pipeline reads`() throws {
    let apple = try PlayedApple()
    try apple.write(["ok-1001", "ok-1002", "test-1003"])
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    let exports = try apple.exports()
    #expect(exports.count == 1 && exports.allSatisfy { $0.hasSuffix("-0001.ndjson.gz") })
    let record = try #require(try apple.records()["c-ok-1001"])
    #expect(Set(record.keys) == ["received_at", "customer_id", "response"])
    #expect(try apple.shop.run("paidline", "run", apple.shop.pipeline).status == 0)
    #expect(
      try apple.shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
    #expect(
      try apple.shop.rows("SELECT transaction_id, reason FROM excluded_purchase")
        == ["1003|sandbox"])
  }

  @Test func `a price report travels with its receipt`() throws {
    let apple = try PlayedApple()
    let receipt = Data("ok-1001".utf8).base64EncodedString()
    try apple.shop.folder.write(
      "raw/a.ndjson",
      """
      {"customer_id":"ana","receipt":"\(receipt)","storefront":"USA","price_report":\
      {"transaction_id":"1001","product_id":"pro","currency":"USD","price":"9.99",\
      "reported_at":"2021-03-01T00:00:05Z"}}
      """)
    #expect(try apple.validate().status == 0)
    #expect(try apple.shop.run("paidline", "run", apple.shop.pipeline).status == 0)
    #expect(
      try apple.shop.rows("SELECT paid_milli, currency, storefront FROM fct_revenue")
        == ["9990|USD|USA"])
  }

  @Test func `each receipt is asked about where Apple sends us`() throws {
    let apple = try PlayedApple("concurrency: 1")
    try apple.write(["ok-1", "test-2", "moved-3"])
    #expect(try apple.validate().status == 0)
    #expect(
      try apple.asked() == [
        "production ok-1", "production test-2", "sandbox test-2", "production moved-3",
        "sandbox moved-3", "production moved-3",
      ])
    #expect(try apple.statuses() == ["ok-1": 0, "test-2": 0, "moved-3": 0])
  }

  @Test func `settled receipts are not requested again, and get no export`() throws {
    let apple = try PlayedApple()
    try apple.write(["ok-1", "status-21003-2", "status-21006-3", "status-21010-4"])
    #expect(try apple.validate().status == 0)
    let asked = try apple.asked()
    #expect(asked.count == 4)
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    try apple.write(["ok-1", "ok-5"], file: "raw/b.ndjson.gz")
    #expect(try apple.validate().status == 0)
    #expect(try apple.asked() == asked + ["production ok-5"])
    #expect(try apple.exports().map { $0.suffix(14) } == ["0001.ndjson.gz", "0002.ndjson.gz"])
    #expect(
      try apple.statuses() == [
        "ok-1": 0, "status-21006-3": 21006, "status-21010-4": 21010, "ok-5": 0,
      ])
  }

  @Test func `a wrong secret stops the run, and what was answered is kept`() throws {
    let apple = try PlayedApple("concurrency: 1")
    try apple.write(["ok-1", "ok-2"])
    try apple.shop.folder.write("secret", "fedcba9876543210")
    let ending = try apple.validate()
    #expect(ending.status == 78)
    #expect(ending.errors.contains("wrong shared secret (21004)"))
    #expect(!ending.errors.contains("fedcba"))
    #expect(try apple.asked() == ["production ok-1"])
    #expect(try apple.exports().isEmpty)
    try apple.shop.folder.write("secret", PlayedApple.secret)
    #expect(try apple.validate().status == 0)
    #expect(try apple.statuses().count == 2)
  }

  @Test func `failures that pass are waited out`() throws {
    let apple = try PlayedApple()
    try apple.write(["busy-2-1", "down-3-2", "html-1-3", "cut-2-4", "ok-5"])
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    #expect(try apple.statuses().count == 5)
    let asked = try apple.asked()
    for (receipt, times) in [("busy-2-1", 3), ("down-3-2", 4), ("html-1-3", 2), ("cut-2-4", 3)] {
      #expect(asked.count { $0 == "production \(receipt)" } == times)
    }
  }

  @Test func `an answer without end is cut off, and the others come`() throws {
    let apple = try PlayedApple("attempts: 2")
    try apple.write(["huge-1", "ok-2"])
    let ending = try apple.validate("--json")
    #expect(ending.status == 0, "\(ending.errors)")
    let tally = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
    #expect(tally?["reasons"] as? [String: Int] == ["too_large": 1])
    #expect(try apple.statuses() == ["ok-2": 0])
  }

  @Test func `failures that last stay pending, and the next run asks again`() throws {
    let apple = try PlayedApple("attempts: 2", "concurrency: 2")
    try apple.write(["busy-3-1", "cut-3-2", "again-21100-3", "ok-4"])
    let first = try apple.validate("--json")
    #expect(first.status == 0)
    #expect(first.errors.contains("3 receipts pending; the next run requests them"))
    let tally = try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
    #expect(
      tally?["reasons"] as? [String: Int] == ["cut": 1, "status_21005": 1, "status_21100": 1])
    #expect(try apple.statuses() == ["ok-4": 0])
    let listed = try apple.validate("--unsettled")
    #expect(listed.output.contains("raw/a.ndjson.gz     1  pending  status_21005"))
    #expect(try apple.validate().errors.contains("1 receipt pending; the next run requests them"))
    #expect(try apple.statuses() == ["ok-4": 0, "busy-3-1": 0, "cut-3-2": 0])
  }

  @Test func `incurable receipts are rejected, and listed with file and line`() throws {
    let apple = try PlayedApple()
    try apple.write(["status-21003-1", "never-21100-2", "echo-3", "status-21000-4"])
    try apple.shop.folder.write("raw/b.ndjson", "{\"customer_id\":\"x\"}\nno json\n")
    let ending = try apple.validate()
    #expect(ending.status == 0)
    #expect(ending.errors.contains("6 receipts rejected"))
    #expect(try apple.exports().isEmpty)
    #expect(try apple.validate() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try apple.validate("--unsettled").output == """
        file             line  state     reason
        ───────────────  ────  ────────  ─────────────────────
        raw/a.ndjson.gz     1  rejected  status_21003
        raw/a.ndjson.gz     2  rejected  status_21100
        raw/a.ndjson.gz     3  rejected  answer_repeats_secret
        raw/a.ndjson.gz     4  rejected  status_21000
        raw/b.ndjson        1  rejected  receipt_missing
        raw/b.ndjson        2  rejected  invalid_json

        """)
  }

  @Test func `21002 is rejected in the third run`() throws {
    let apple = try PlayedApple()
    try apple.write(["status-21002-1", "ok-2"])
    for run in 1...4 {
      #expect(try apple.validate().status == 0)
      // It was requested once in each of the first three runs.
      #expect(try apple.asked().count { $0.hasSuffix("21002-1") } == min(run, 3))
      let state = run < 3 ? "pending" : "rejected"
      #expect(try apple.validate("--unsettled").output.contains("\(state)  status_21002"))
    }
  }

  @Test func `answers of long ago are asked for again on demand`() throws {
    let apple = try PlayedApple()
    try apple.write(["ok-1", "status-21003-2"])
    #expect(try apple.validate().status == 0)
    #expect(try apple.validate("--older-than", "1h").status == 0)
    #expect(try apple.asked().count == 2)
    usleep(1_100_000)
    #expect(try apple.validate("--older-than", "1s").status == 0)
    #expect(try apple.asked().count == 3)
    #expect(try apple.exports().count == 2)
  }

  @Test func `a slow answer is waited for, and a dripping one is not`() throws {
    let apple = try PlayedApple("timeout_seconds: 1", "attempts: 1")
    try apple.write(["slow-300-1", "slow-5000-2", "drip-3"])
    let start = Date()
    let ending = try apple.validate("--json")
    #expect(Date().timeIntervalSince(start) < 4)
    #expect(ending.status == 0)
    #expect(ending.output.contains("\"timeout\": 2"))
    #expect(try apple.statuses() == ["slow-300-1": 0])
  }
}
