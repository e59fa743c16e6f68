internal import Foundation
internal import ReceiptSigning
internal import TestSupport
internal import Testing

/// The numbers of verified, trusted and rejected tokens.
struct SignedAccountTests {
  /// The counts in `status --json`: of all used tokens, then of each run, newest first.
  private func counts(_ shop: Shop) throws -> [[String: Int]] {
    let json = try shop.run("paidline", "status", "pipeline.yaml", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let runs = object?["runs"] as? [[String: Any]] ?? []
    return ([object?["signed_tokens"]] + runs.map { $0["signed_tokens"] }).map {
      ($0 as? [String: Int] ?? [:]).filter { $0.value != 0 }
    }
  }

  /// A metric of tokens, keyed by status, without zeros.
  private func metric(_ name: String, _ shop: Shop) throws -> [String: Double] {
    let metrics = PrometheusText(String(decoding: try shop.folder.bytes("m.prom"), as: UTF8.self))
    #expect(metrics.faults == [])
    var found: [String: Double] = [:]
    for standing in ["verified", "trusted", "unsigned", "rejected"] {
      let value = metrics["paidline_\(name){pipeline=\"m\",standing=\"\(standing)\"}"]
      if try #require(value) != 0 { found[standing] = value }
    }
    return found
  }

  @Test func `status, its JSON and the metrics tell what became of the tokens of each run`() throws
  {
    let more = "metrics: m.prom"
    let shop = try SignedShop(inputs: ["receipts: []"], more: more)
    let forged = try TokenSigner().sign(SignedShop.payload(1003, day: "2024-01-05"))
    let tokens = try [1001, 1002].map { try shop.token($0, day: "2024-01-05") } + [forged]
    let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
    try shop.write([
      "{\"signedTransactions\":[\(list)]}", SignedShop.payload(1004, day: "2024-01-05"),
      try shop.token(1005, day: "2024-01-05"),
    ])
    #expect(try shop.run().status == 0)
    let first = ["verified": 3, "unsigned": 1, "rejected": 1]
    #expect(try counts(shop.shop) == [first, first])
    #expect(
      try metric("signed_tokens", shop.shop) == ["verified": 3, "unsigned": 1, "rejected": 1])

    try shop.write([try shop.token(1006, day: "2024-01-06")], file: "signed/b.ndjson")
    #expect(try shop.run().status == 0)
    #expect(
      try counts(shop.shop)
        == [["verified": 4, "unsigned": 1, "rejected": 1], ["verified": 1], first])
    #expect(try metric("signed_tokens", shop.shop)["verified"] == 4)
    #expect(try metric("signed_tokens_read", shop.shop) == ["verified": 1])
    let status = try shop.shop.run("paidline", "status", "pipeline.yaml").output
    #expect(status.contains("\nSigned         4 verified, 1 unsigned, 1 rejected\n"))
    #expect(status.contains("  signed transactions\n"))
    #expect(status.contains("     0  1 verified\n"))
    #expect(status.contains("     0  3 verified, 1 unsigned, 1 rejected"))

    // Without changes the counts of all tokens stay, and the run has none.
    #expect(try shop.run("--full-refresh").status == 0)
    #expect(
      try counts(shop.shop).prefix(2) == [["verified": 4, "unsigned": 1, "rejected": 1], [:]])
    #expect(try metric("signed_tokens_read", shop.shop) == [:])

    // If files are read again without verifying signatures, the newest reading is used.
    try shop.writePipeline(["receipts: []", "signatures: trust"], more: more)
    #expect(try shop.run().status == 0)
    #expect(
      try counts(shop.shop)
        == [
          ["trusted": 5, "unsigned": 1], ["trusted": 5, "unsigned": 1], [:], [:], [:],
        ])
    let hash = try shop.shop.rows(
      "SELECT sha256 FROM audit_file WHERE name LIKE '%b.ndjson'")
    #expect(
      try shop.shop.run("paidline", "forget", "pipeline.yaml", "--file", hash[0]).status == 0)
    #expect(try counts(shop.shop).first == ["trusted": 4, "unsigned": 1])
  }

  @Test func `a store without signed transactions has no line and no column for them`() throws {
    let shop = try Shop()
    try shop.folder.write("in/a.ndjson", Export.purchase(1001, day: "2024-01-05"))
    #expect(try shop.run("paidline", "run", shop.pipeline).status == 0)
    #expect(try !shop.run("paidline", "status", shop.pipeline).output.contains("igned"))
  }
}
