internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Rows of well-formed responses with one random change: each row is used, a duplicate or rejected.
struct RowAccountTests {
  private typealias Object = [String: Any]

  private static let lists = ["in_app", "latest_receipt_info", "pending_renewal_info"]

  /// The values that a program may write instead of the right value.
  private static var values: [Any] {
    [
      NSNull(), "", "x", "-1", "0", "2021-13-45", "1e9", "99999999999999999999", 7, -1, 0.5, true,
      [Any](), Object(), ["1"], ["$numberLong": "1"],
    ]
  }

  /// The values that a program may write instead of a row.
  private static var elements: [Any] { [NSNull(), 7, "x", [Any](), Object(), true] }

  /// A response with a number of transactions, most of which are in both lists of rows.
  private static func response(_ number: Int, rows: Int) -> [String: [Any]] {
    let ids = (0..<rows).map { String(number * 100 + $0) }
    let row = { (id: String) -> Any in
      [
        "transaction_id": id, "original_transaction_id": ids[0], "product_id": "pro",
        "purchase_date_ms": "1600000000000", "expires_date_ms": "1602592000000",
        "web_order_line_item_id": "9\(id)", "is_trial_period": "false", "quantity": "1",
      ]
    }
    let renewal: Any = [
      "original_transaction_id": ids[0], "product_id": "pro", "auto_renew_status": "1",
    ]
    return [
      "in_app": ids.prefix(2).map(row), "latest_receipt_info": ids.map(row),
      "pending_renewal_info": [renewal],
    ]
  }

  /// Makes one random change in one of the lists.
  private static func change(_ lists: inout [String: [Any]], _ random: inout SeededGenerator) {
    guard let name = Self.lists.randomElement(using: &random), var list = lists[name],
      let index = list.indices.randomElement(using: &random)
    else { return }
    if var row = list[index] as? Object, let key = row.keys.sorted().randomElement(using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: row[key] = nil
      case 1: row["\(key)X"] = row.removeValue(forKey: key)
      case 2, 3: row[key] = values.randomElement(using: &random)
      case 4:
        lists[name]?.append(row)
        return
      default: break
      }
      list[index] = row
    }
    if Int.random(in: 0..<8, using: &random) == 0,
      let element = elements.randomElement(using: &random)
    {
      list[index] = element
    }
    if Int.random(in: 0..<12, using: &random) == 0 { list.remove(at: index) }
    lists[name] = list
  }

  private static func text(_ lists: [String: [Any]], of number: Int) throws -> String {
    let response: Object = [
      "status": 0, "environment": "Production",
      "receipt": [
        "bundle_id": "com.example", "request_date_ms": "1628533562000",
        "in_app": lists["in_app"] ?? [],
      ],
      "latest_receipt_info": lists["latest_receipt_info"] ?? [],
      "pending_renewal_info": lists["pending_renewal_info"] ?? [],
    ]
    let record: Object = ["customer_id": "c-\(number)", "response": response]
    let data = try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  @Test(arguments: LongTests.seeds(3, long: 8))
  func `records and rows in are used, repeated or rejected, each with its reason`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var rejectedRecords = 0
    var rejectedRows = 0
    for _ in 0..<500 {
      var rows: [Int] = []
      var lines: [String] = []
      for number in 1...3 {
        var lists = Self.response(number, rows: Int.random(in: 1...3, using: &random))
        for _ in 0..<Int.random(in: 0...4, using: &random) { Self.change(&lists, &random) }
        rows.append(lists.values.reduce(0) { $0 + $1.count })
        lines.append(try Self.text(lists, of: number))
      }
      let content = try receipts(lines.joined(separator: "\n"))
      let story = "seed \(seed):\n\(lines.joined(separator: "\n"))\n\(content.codes)"
      #expect(content.tally.records == 3, "\(story)")
      // If a record is rejected for a reason other than its rows, its rows are not counted.
      let counted = Set(content.set.records.map { Int($0.source.line) })
        .union(content.rejects.lazy.filter { $0.reason == .noUsableRow }.map(\.line))
      #expect(
        content.tally.rows.rows == counted.reduce(0) { $0 + rows[$1 - 1] }, "\(story)")
      #expect(
        content.tally.rows.used == content.set.observations.count + content.set.renewals.count,
        "\(story)")
      // A record without any usable row is not counted as used.
      #expect(content.tally.used == counted.count - content.noUsableRows, "\(story)")
      #expect(
        content.rejects.isEmpty == (content.tally.rejected + content.tally.rows.rejected == 0),
        "\(story)")
      rejectedRecords += content.tally.rejected
      rejectedRows += content.tally.rows.rejected
    }
    #expect(rejectedRecords > 20 && rejectedRows > 200, "the changes bite")
  }
}

extension ExportContent {
  /// The number of records that were rejected because none of their rows is usable.
  fileprivate var noUsableRows: Int { rejects.count { $0.reason == .noUsableRow } }
}
