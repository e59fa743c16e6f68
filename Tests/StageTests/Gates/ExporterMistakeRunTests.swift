internal import Foundation
internal import TestSupport
internal import Testing

/// Exports in which some records have a mistake of the exporting program, through the whole
/// pipeline.
struct ExporterMistakeRunTests {
  /// The kind of export with the mistakes.
  enum Kind: String, CaseIterable, Sendable {
    case receipts = "in/a.ndjson"
    case prices = "prices/a.ndjson"
    case signed = "signed/a.ndjson"
  }

  /// The ways in which an exporting program damages a line.
  private static let mistakes: [@Sendable (String) -> [UInt8]] = [
    { Array("\($0)\n\($0)".utf8) },
    { Array("\u{FEFF}\($0)\r".utf8) },
    { Array($0.prefix($0.count / 2).utf8) },
    { Array($0.replacing("\"", with: "&quot;").utf8) },
    { Array("\"\($0.replacing("\"", with: "\\\""))\"".utf8) },
    { Array(#"{"data":\#($0)}"#.utf8) },
    { Array(#"{"record":\#($0)}"#.utf8) },
    { [0xFF, 0xFE] + $0.utf8.flatMap { [$0, 0] } },
    { Array($0.replacing("\"", with: "\\\\\"").utf8) },
    { Array($0.replacing("9.99", with: "9,99").utf8) },
    { Array($0.replacing("\"9.99\"", with: "NaN").utf8) },
    { Array($0.replacing("\"9.99\"", with: "999").utf8) },
    { Array($0.replacing("\"9.99\"", with: "9.989999771118164").utf8) },
    { Array($0.replacing("\"USD\"", with: "\"$\"").utf8) },
    { Array($0.replacing("\"quantity\":\"1\"", with: "\"quantity\":1.0").utf8) },
    { Array($0.replacing("\"false\"", with: "\"False\"").utf8) },
    { Array($0.replacing("product_id", with: "productId").utf8) },
    { Array($0.replacing("Z\"", with: "\"").utf8) },
    { Array($0.replacing(" Etc/GMT", with: "").utf8) },
    { Array($0.replacing("eyJ", with: "eyK").utf8) },
  ]

  /// Twelve purchases of 9.99 USD: eight with receipts and reports, four signed.
  private static func lines(_ kind: Kind, _ shop: SignedShop) throws -> [String] {
    switch kind {
    case .receipts:
      return (1001...1008).map {
        String(
          Export.purchase($0, day: "2024-05-0\($0 - 1000)", customer: "c-\($0)", price: nil)
            .dropLast())
      }
    case .prices:
      return (1001...1008).map {
        """
        {"reported_at":"2024-05-0\($0 - 1000)T10:00:05Z","customer_id":"c-\($0)",\
        "transaction_id":"\($0)","product_id":"pro","storefront":"USA","currency":"USD",\
        "price":"9.99"}
        """
      }
    case .signed:
      return try (2001...2004).map {
        #"{"customer_id":"c-\#($0)","signedTransactionInfo":"\#(try shop.token($0, day: "2024-05-0\($0 - 2000)"))"}"#
      }
    }
  }

  @Test(arguments: Kind.allCases, 1...4 as ClosedRange<UInt64>)
  func `no amount is exact and wrong, whatever a program did to some records`(
    kind: Kind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let shop = try SignedShop(inputs: ["prices: [\"prices/*\"]"])
    for other in Kind.allCases {
      let lines = try Self.lines(other, shop)
      var bytes: [UInt8] = []
      for line in lines {
        let isSpoiled = other == kind && UInt64.random(in: 0..<3, using: &random) == 0
        let mistake = Self.mistakes.randomElement(using: &random)
        bytes += isSpoiled ? mistake?(line) ?? [] : Array(line.utf8)
        bytes.append(0x0A)
      }
      try shop.shop.folder.write(other.rawValue, bytes: bytes)
    }
    let ending = try shop.shop.run(
      "paidline", "run", "--accept", "rejected_share", "--accept", "no_usable_record")
    #expect(ending.status == 0, "seed \(seed): \(ending.errors)")
    let rows = try shop.shop.rows(
      "SELECT transaction_id, paid_milli, price_status FROM fct_revenue ORDER BY 1")
    #expect(rows.count >= 6, "seed \(seed)")
    for row in rows where !row.hasSuffix("unresolved") {
      #expect(row.contains("|9990|"), "seed \(seed): \(row)")
    }
    // Every lost record is counted.
    let counts = try shop.shop.rows(
      "SELECT SUM(records - used - duplicates - rejected), SUM(rejected) FROM audit_file")
    #expect(counts[0].hasPrefix("0|"), "seed \(seed): \(counts)")
    if rows.count < 12 { #expect(counts != ["0|0"], "seed \(seed): \(rows)") }
  }
}
