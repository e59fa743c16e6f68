internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// The mistakes that programs make when they export receipts, and their outcomes.
struct ExporterMistakeTests {
  /// Records of the sample data in the usual form: an object that contains a response.
  private static let records = Result { try readRecords() }
  /// The facts in ``records``.
  private static let facts = Result { facts(try read(export(try records.get()))) }

  private static func readRecords() throws -> [JSONTree] {
    let folder = Checkout.folder.appending(path: "SampleData/receipts")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let text = try names.prefix(6).map { name in
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      return String(decoding: gunzip(bytes), as: UTF8.self)
    }.joined()
    return text.split(separator: "\n").compactMap { line in
      guard line.utf8.count < 60_000, let record = JSONTree(String(line)),
        case .object(let members) = record,
        case .object(let response)? = members.first(where: { $0.key == "response" })?.value,
        case .list(let rows)? = response.first(where: { $0.key == "latest_receipt_info" })?.value,
        !rows.isEmpty
      else { return nil }
      return record
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> ExportContent {
    try readExport(bytes: bytes, name: "r.ndjson", kind: .receipts)
  }

  /// The content of the rows of an export, without files and lines; snapshot times in whole
  /// seconds.
  private static func facts(_ content: ExportContent) -> Set<String> {
    let set = content.set
    return Set(
      set.observations.map { row in
        let record = set.records[Int(row.record)]
        let offer = row.promotionalOfferID ?? row.offerCodeRefName
        return """
          \(row.transactionID.number.text(in: set.symbols)) \
          \(row.originalTransactionID.number.text(in: set.symbols)) \
          \(set.symbols.text(row.productID.symbol)) \(row.purchasedAt) \(row.rank) \(row.quantity) \
          \(row.expiresAt?.milliseconds ?? 0) \(row.cancelledAt?.milliseconds ?? 0) \
          \(row.isTrialPeriod ?? false) \(row.isInIntroOfferPeriod ?? false) \
          \(offer.map { set.symbols.text($0.symbol) } ?? "") \
          \(record.customer.map { set.symbols.text($0.symbol) } ?? "") \(record.snapshotAt.milliseconds / 1000) \
          \(record.isSandbox)
          """
      })
  }

  private static func export(_ records: [JSONTree]) -> [UInt8] {
    Array((records.map(\.json).joined(separator: "\n") + "\n").utf8)
  }

  @Test func `the sample's records are taken apart and put together as they were`() throws {
    let records = try Self.records.get()
    #expect(records.count > 40)
    for record in records { #expect(JSONTree(record.json) == record) }
    let facts = try Self.facts.get()
    #expect(facts.count > 80)
    // If a value changes without a reject, only this comparison detects it.
    let changed = records.map { record in
      record.mapped { key, value in key == "quantity" ? .text("2") : value } ?? record
    }
    #expect(Self.facts(try Self.read(Self.export(changed))) != facts)
  }

  @Test(arguments: ExporterMistake.all)
  func `a mistake changes no fact, or is rejected by its name`(mistake: ExporterMistake) throws {
    let records = try Self.records.get()
    let cleanExport = Self.export(records)
    let clean = try Self.facts.get()
    let export = mistake.export(records)
    #expect(export != cleanExport)
    let content = try Self.read(export)
    let found = Self.facts(content)
    switch mistake.outcome {
    case .same:
      #expect(content.rejects.isEmpty)
      #expect(found == clean)
    case .rejected(let code, let words):
      #expect(found.isSubset(of: clean))
      #expect(found.count < clean.count)
      let rejects = content.rejects.prefix(3).map { "\($0.reason.rawValue): \($0.detail)" }
      #expect(
        content.rejects.contains { $0.reason.rawValue == code && $0.detail.contains(words) },
        "\(rejects)")
    }
  }

  @Test(arguments: ExporterMistake.all)
  func `the page of rejects has every mistake`(mistake: ExporterMistake) throws {
    let page = try String(
      contentsOf: Checkout.folder.appending(path: "Docs/rejects.md"), encoding: .utf8)
    let outcome =
      switch mistake.outcome {
      case .same: "read correctly"
      case .rejected(let code, _): "`\(code)`"
      }
    #expect(page.contains("| \(mistake.name) | \(outcome) |"))
  }
}
