internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `paidline erase` and the files of `paidline-validate`: stored responses, pending receipts,
/// exports.
struct ErasedAnswersTests {
  private static let canary = "canary-4711@example.com"

  /// A shop whose raw receipts contain the canary's id in every field that may have it.
  private func apple(_ receipts: [String] = ["ok-1001", "ok-1002"]) throws -> PlayedApple {
    let apple = try PlayedApple("concurrency: 1", "attempts: 1")
    let spelled = "canary\\u002d4711@example.com"  // The same id, with an escape.
    let lines = receipts.enumerated().map { number, receipt in
      let id = number == 0 ? Self.canary : spelled
      return """
        {"received_at":"2021-03-01T00:00:00Z","customer_id":"\(id)",\
        "receipt":"\(Data(receipt.utf8).base64EncodedString())","price_report":\
        {"customerId":"\(id)","transaction_id":"\(receipt.suffix(4))","product_id":"pro",\
        "currency":"USD","price":"9.99","reported_at":"2021-03-01T00:00:05Z"}}

        """
    }
    let other = """
      {"received_at":"2021-03-01T00:00:00Z","app_user_id":"ben","receipt":\
      "\(Data("ok-1003".utf8).base64EncodedString())"}

      """
    try apple.shop.folder.write("raw/a.ndjson", lines.joined() + other)
    try apple.shop.folder.write("ids.txt", Self.canary + "\n")
    return apple
  }

  private func erase(_ apple: PlayedApple) throws -> Ending {
    try apple.shop.run(
      arguments: ["erase", apple.shop.pipeline, "--customer-id-file", "ids.txt"])
  }

  /// The files of the program that contain the id; exports are decompressed first.
  private func traces(_ apple: PlayedApple) throws -> [String] {
    let folder = apple.shop.folder
    var traces: [String] = []
    for place in ["var", "out", "in"] where folder.has(place) {
      for name in try folder.names(place) {
        let bytes = try folder.bytes("\(place)/\(name)")
        let text = name.hasSuffix(".gz") ? gunzip(bytes) : bytes
        let isTrace = ["canary-4711", "canary\\u002d4711"].contains {
          Data(text).range(of: Data($0.utf8)) != nil
        }
        if isTrace { traces.append("\(place)/\(name)") }
      }
    }
    return traces
  }

  private static let facts = """
    SELECT transaction_id, paid_milli, price_rule, customer_key IS NULL FROM fct_revenue ORDER BY 1
    """
  /// The canary's two purchases have the reported price.
  ///
  /// The purchase of ben has an unknown currency and stays unresolved; he keeps his key.
  private static let expected = [
    "1001|9990|reported_with_purchase|1", "1002|9990|reported_with_purchase|1",
    "1003|NULL|unresolved|0",
  ]

  @Test func `answers that wait for their export lose the id, and so does the export`() throws {
    let apple = try apple()
    // A file has the name of the exports' folder, so responses are stored but cannot be exported.
    try apple.shop.folder.write("in", "")
    #expect(try apple.validate().status == 73)
    let waiting =
      try apple.shop.folder.bytes("var/validation.db")
      + apple.shop.folder.bytes("var/validation.db-wal")
    #expect(Data(waiting).range(of: Data(Self.canary.utf8)) != nil, "the search finds it")

    let ending = try erase(apple)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.output == """
        1 customer id: 0 erased, 0 already erased, 1 in no file that was read.
        Rewritten for paidline-validate: 2 waiting responses, 0 exports.
        Apart from files named as rewritten, this command does not change in/*.ndjson.gz, raw/*.ndjson*, \
        lists of ids, or copies of the databases; remove the customers from them yourself.

        """)
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("in"))
    #expect(try traces(apple) == [])

    let asked = try apple.asked().count
    #expect(try apple.validate().status == 0)
    #expect(try apple.asked().count == asked, "nothing is asked twice")
    #expect(try apple.shop.run(arguments: ["run", apple.shop.pipeline]).status == 0)
    #expect(try apple.shop.rows(Self.facts) == Self.expected)
    #expect(try traces(apple) == [])
    #expect(try erase(apple).output.contains("1 already erased"))
  }

  @Test func `a receipt that is pending is answered later without the id`() throws {
    let apple = try apple(["busy-1-1001", "ok-1002"])
    #expect(try apple.validate().status == 0)
    #expect(try apple.validate("--unsettled").output.contains("pending"))
    #expect(try erase(apple).status == 0)
    #expect(try apple.validate().status == 0)
    #expect(try apple.validate("--unsettled").output.contains("No raw receipt is pending"))
    #expect(try apple.exports().count == 2)
    #expect(try apple.shop.run(arguments: ["run", apple.shop.pipeline]).status == 0)
    #expect(try apple.shop.rows(Self.facts) == Self.expected)
    #expect(try traces(apple) == [])
  }

  @Test func `an export that no run has read is written anew`() throws {
    let apple = try apple()
    #expect(try apple.validate().status == 0)
    #expect(try traces(apple).count == 1)
    let ending = try erase(apple)
    #expect(ending.output.contains("0 waiting responses, 1 export."), "\(ending)")
    #expect(try traces(apple) == [])
    // Another export of the same run contains the id itself. It is the same customer as the
    // pseudonym.
    let own = Export.purchase(1009, day: "2021-03-01", customer: Self.canary, price: "9.99")
    try apple.shop.folder.write("in/own.ndjson.gz", bytes: gzip(Array(own.utf8)))
    #expect(try apple.shop.run(arguments: ["run", apple.shop.pipeline]).status == 0)
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("in/own.ndjson.gz"))
    #expect(
      try apple.shop.rows(Self.facts)
        == Self.expected + ["1009|9990|reported_with_purchase|1"])
    #expect(try erase(apple).output.contains("Written anew") == false)
    #expect(try traces(apple) == [])
  }

  @Test func `an export that a run has read stays an input, and is named`() throws {
    let apple = try apple()
    #expect(try apple.validate().status == 0)
    #expect(try apple.shop.run(arguments: ["run", apple.shop.pipeline]).status == 0)
    let name = try #require(try apple.exports().first)
    let ending = try erase(apple)
    #expect(
      ending.output.contains(
        "This file has been read and still contains the ids; remove the file yourself: in/\(name)"))
    #expect(try traces(apple) == ["in/\(name)"])
    #expect(
      try apple.shop.run(arguments: ["verify", apple.shop.pipeline, "--full"]).status == 0)
    // After the export is removed, no run needs it, and the id is in no file.
    let hash = try apple.shop.contentHash()
    try FileManager.default.removeItem(atPath: apple.shop.folder.path("in/\(name)"))
    try apple.shop.folder.write("raw/b.ndjson", "{\"receipt\":\"b2stMTAwNA==\"}")  // ok-1004
    #expect(try apple.validate().status == 0)
    #expect(try apple.shop.run(arguments: ["run", apple.shop.pipeline]).status == 0)
    #expect(try apple.shop.rows("SELECT count(1) FROM fct_revenue") == ["4"])
    #expect(try apple.shop.contentHash() != hash)
    #expect(try traces(apple) == [])
  }

  @Test func `an export that cannot be read is named`() throws {
    let apple = try apple()
    #expect(try apple.validate().status == 0)
    let name = try #require(try apple.exports().first)
    try apple.shop.folder.write("in/\(name)", "\u{1}no gzip")
    let ending = try erase(apple)
    #expect(ending.status == 0)
    #expect(
      ending.output.contains(
        "This file cannot be read; remove the erased customers from it yourself: in/\(name): "))
  }
}
