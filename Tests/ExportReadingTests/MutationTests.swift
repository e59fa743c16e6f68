internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import Testing
internal import TestSupport

struct MutationTests {
  /// The number of rounds with 2,000 mutated lines each: 100,000 lines with `PAIDLINE_LONG=1`.
  static let rounds: UInt64 =
    ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1" ? 50 : 10

  static let receiptLine = Array(
    #"""
    {"received_at":"2021-08-09T18:26:02Z","customer_id":"c-żó\u0142w","storefront":"POL","price_report":
    {"product_id":"pro","currency":"PLN","price":49.99,"introductory_price":{"price":"0","payment_mode":2,
    "subscription_period":{"unit":1,"numberOfUnits":1}},"discounts":[{"identifier":"w","price":"1.5","payment_mode":1}]},
    "response":{"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"com.example","request_date_ms":
    "1628533562000","in_app":[{"transaction_id":"1001","product_id":"pro","purchase_date_ms":"1600000000000","quantity":"1"}]},
    "latest_receipt_info":[{"transaction_id":1001,"original_transaction_id":"1000","product_id":"pro","purchase_date":
    "2020-09-13 12:26:40 Etc/GMT","expires_date_ms":"1602592000000","web_order_line_item_id":"77","is_trial_period":"true",
    "is_in_intro_offer_period":false,"in_app_ownership_type":"PURCHASED","cancellation_reason":"0"}],"pending_renewal_info":
    [{"original_transaction_id":"1000","auto_renew_status":"1","is_in_billing_retry_period":0}],"status":0}}
    """#.replacing("\n", with: "").utf8)

  /// Byte sequences with a meaning in JSON or in known fields.
  static let fragments: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u0000", "\\uD800", "null", "true", "-", "1e9",
      "0", "9999999999999999999", "\u{0}", "\u{1F}", "ż", "\n", "\r", " ", "\"status\":21004,",
      "\"product_id\":1,", "\"response\":\"{}\",", "[[[[[[[[", "2021-13-45", ".5",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80]]

  static func mutate(_ line: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = line
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2:
        let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
        bytes.removeSubrange(index..<end)
      case 3:
        let fragment = fragments[Int.random(in: 0..<fragments.count, using: &generator)]
        bytes.insert(contentsOf: fragment, at: index)
      default:
        let end = min(bytes.count, index + Int.random(in: 1...40, using: &generator))
        bytes.insert(
          contentsOf: bytes[index..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
      }
    }
    return bytes
  }

  @Test(arguments: [UInt64](1...MutationTests.rounds))
  func `no mutated line stops the reading or costs its neighbors`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var text = Array(sound("1").utf8) + [10]
    var lineCount = 1
    for _ in 0..<2000 {
      let line = Self.mutate(Self.receiptLine, &generator)
      text += line + [10]
      // A mutation may add or split lines; a line of only white space is not a record.
      lineCount += line.split(separator: 10).count { part in
        part.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
      }
    }
    text += Array(sound("2").utf8)
    lineCount += 1
    let content = try readExport(bytes: text, name: "m", kind: .receipts)
    #expect(content.tally.records == lineCount, "seed \(seed)")
    #expect(content.ids.first == "1", "seed \(seed)")
    #expect(content.ids.last == "2", "seed \(seed)")
    #expect(content.tally.rejected > 500, "seed \(seed): the mutations bite")
    #expect(content.tally.used > 100, "seed \(seed): not everything is broken")
    for report in content.set.reports {
      #expect(report.offers.upperBound <= content.set.offers.count)
    }
    for row in content.set.observations { #expect(Int(row.record) < content.set.records.count) }
    for renewal in content.set.renewals {
      #expect(Int(renewal.record) < content.set.records.count, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64](1...4))
  func `mutated pretty objects, arrays and price files never stop the reading`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bases = [
      Array((ReadingFormTests.pretty("1") + "\n" + ReadingFormTests.pretty("2")).utf8),
      Array("[\(sound("1")),\n\(sound("2"))]".utf8), Array(PriceReadingTests.own.utf8),
      Array(PriceReadingTests.storeKit.utf8),
    ]
    for round in 0..<400 {
      let bytes = Self.mutate(bases[round % bases.count], &generator)
      let kind: InputFile.Kind = round % bases.count > 1 ? .prices : .receipts
      var summaries: Set<String> = []
      for buffer in [5, 100, 1 << 16] {
        let content = try? readExport(
          bytes: bytes, name: "m", kind: kind, limits: limits(buffer: buffer))
        summaries.insert(content?.summary ?? "refused")
      }
      #expect(summaries.count == 1, "seed \(seed), round \(round): the buffer changes the result")
    }
  }

  @Test func `a buffer of any size gives the same result`() throws {
    let whole = try receipts(smallExport)
    #expect(whole.tally.used == 4)
    #expect(whole.tally.duplicates == 1)
    #expect(whole.codes == ["2 invalid_json", "8 status_21003"])
    for buffer in 1...400 {
      let content = try receipts(smallExport, limits: limits(buffer: buffer))
      #expect(content.summary == whole.summary, "buffer of \(buffer)")
    }
  }
}
