internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import Testing
internal import TestSupport

/// Real responses and notifications from the fixtures folder; skipped without it.
///
/// The expected counts were found with another JSON reader and a simple rule: an object with a
/// transaction id in a list of rows is a row.
@Suite(.enabled("the fixtures are not here", { Checkout.fixtures != nil }))
struct RealReceiptTests {
  @Test(arguments: Fixtures.files(ofKinds: ["A", "A1"]))
  func `a real response says what it says`(_ path: String) throws {
    let bytes = try Fixtures.bytes(of: path)
    let content = try readExport(bytes: bytes, name: path, kind: .receipts)
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      #expect(content.rejects.first?.reason == .invalidJSON)
      #expect(content.tally.rejected == content.tally.records)
      return
    }
    let oracle = ReceiptOracle(object)
    #expect(content.tally.records == 1)
    guard oracle.isUsable else {
      #expect(content.tally.rejected == 1)
      #expect(content.set.observations.isEmpty)
      return
    }
    // In two fixtures, which are fragments, rows have no ids.
    #expect(content.tally.rows.rejected == oracle.rowsWithoutID)
    let isLost = oracle.rowsWithoutID > 0 && oracle.ids { _ in true }.isEmpty
    #expect(content.codes == (isLost ? ["1 no_usable_row", "1 row_without_transaction_id"] : []))
    #expect(content.tally.used == (isLost ? 0 : 1))
    let set = content.set
    func ids(_ isCounted: (TransactionObservation) -> Bool) -> Set<String> {
      Set(
        set.observations.filter(isCounted).map { $0.transactionID.number.text(in: set.symbols) })
    }
    #expect(ids { _ in true } == oracle.ids { _ in true })
    #expect(
      ids { $0.isTrialPeriod == true } == oracle.ids { "\($0["is_trial_period"] ?? 0)".isYes })
    #expect(ids { $0.cancelledAt != nil } == oracle.ids { $0["cancellation_date"] != nil })
    #expect(ids { $0.isUpgraded == true } == oracle.ids { "\($0["is_upgraded"] ?? 0)".isYes })
    #expect(ids { $0.expiresAt != nil } == oracle.ids { $0["expires_date"] != nil })
    #expect(ids { $0.rank == .latest } == Set(oracle.latest.compactMap(ReceiptOracle.id)))
  }

  @Test func `all real responses together are one export in every form`() throws {
    let files = Fixtures.files(ofKinds: ["A", "A1"])
    let texts = try files.map { try Fixtures.bytes(of: $0) }
    let each = try texts.map { try readExport(bytes: $0, name: "f", kind: .receipts) }
    let sound = zip(texts, each).filter { $0.1.rejects.allSatisfy { $0.reason != .invalidJSON } }
    let joined = Array(sound.map(\.0).joined(separator: Array("\n".utf8)))
    let array = [0x5B] + Array(sound.map(\.0).joined(separator: Array(",".utf8))) + [0x5D]
    let expected = sound.reduce(0) { $0 + $1.1.set.observations.count }
    #expect(files.count > 100)
    for text in [joined, array] {
      let content = try readExport(bytes: text, name: "f", kind: .receipts)
      #expect(content.tally.records == sound.count)
      // Some fixtures are copies of other fixtures; they are duplicates.
      #expect(content.tally.duplicates < 20)
      #expect(content.set.observations.count <= expected)
      #expect(content.set.observations.count > expected * 9 / 10)
    }
  }

  @Test(arguments: Fixtures.files(ofKinds: ["D-price"]))
  func `the body of an SDK's request is a price report once it has a time`(path: String) throws {
    let bytes = try Fixtures.bytes(of: path)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let request = object?["request"] as? [String: Any]
    var body = try #require(request?["body"] as? [String: Any])
    body["reported_at"] = "2021-01-01T00:00:00Z"
    let line = try JSONSerialization.data(withJSONObject: body)
    let content = try readExport(bytes: Array(line), name: "p", kind: .prices)
    guard let price = body["price"] as? String else {
      #expect(content.rejects.count == 1)
      return
    }
    #expect(content.set.reports.first?.price.text(decimals: 2) == price)
    let offers = body["offers"] as? [Any] ?? []
    #expect(content.set.reports.first?.offers.count == offers.count)
  }
}

/// The content of a response, read by another JSON reader.
private struct ReceiptOracle {
  var latest: [[String: Any]] = []
  var others: [[String: Any]] = []
  var isUsable = false

  init(_ object: [String: Any]) {
    for part in [object, object["unified_receipt"] as? [String: Any] ?? [:]] {
      for key in ["latest_receipt_info", "latest_expired_receipt_info"] {
        latest += part[key] as? [[String: Any]] ?? []
        if let row = part[key] as? [String: Any], !row.isEmpty { latest.append(row) }
      }
      if let receipt = part["receipt"] as? [String: Any] {
        others += receipt["in_app"] as? [[String: Any]] ?? []
        if receipt["in_app"] == nil, receipt["transaction_id"] != nil { others.append(receipt) }
      }
      if let status = part["status"] as? Int {
        isUsable = [0, 21006, 21007, 21010].contains(status)
        if status == 21007 || status == 21010 {
          latest = []
          others = []
        }
        if !isUsable { return }
      }
    }
    // One fixture is a row without a response around it.
    if object["transaction_id"] != nil { latest.append(object) }
    let hasList = ["transaction_id", "receipt", "latest_receipt_info", "unified_receipt"].contains {
      object[$0] != nil
    }
    isUsable = isUsable || hasList
  }

  var rowsWithoutID: Int { (latest + others).count { Self.id($0) == nil } }

  static func id(_ row: [String: Any]) -> String? { row["transaction_id"].map { "\($0)" } }

  func ids(_ isCounted: ([String: Any]) -> Bool) -> Set<String> {
    Set((latest + others).filter(isCounted).compactMap(Self.id))
  }
}

extension String {
  fileprivate var isYes: Bool { self == "true" || self == "1" }
}

/// The real data next to the repository, as listed in its manifest.
private enum Fixtures {
  /// The paths of the files of some kinds.
  static func files(ofKinds kinds: Set<String>) -> [String] {
    guard let folder = Checkout.fixtures,
      let manifest = try? String(
        contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    else { return [] }
    return manifest.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count > 4, kinds.contains(String(columns[4])) else { return nil }
      return String(columns[0])
    }
  }

  static func bytes(of path: String) throws -> [UInt8] {
    guard let folder = Checkout.fixtures else { return [] }
    return Array(try Data(contentsOf: folder.appending(path: path)))
  }
}
