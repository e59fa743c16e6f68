internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import SignedTransactions
internal import TestSupport
internal import Testing

/// The mistakes that programs make when they export signed transactions, and their outcomes.
struct SignedMistakeTests {
  /// The sample's records that are JSON objects with only valid tokens.
  private static let records = Result { () throws -> [JSONTree] in
    let path = "SampleData/signed/signed-2021-12-31.ndjson.gz"
    let bytes = Array(try Data(contentsOf: Checkout.folder.appending(path: path)))
    return try String(decoding: gunzip(bytes), as: UTF8.self).split(separator: "\n")
      .compactMap { line in
        guard let record = JSONTree(String(line)), case .object = record else { return nil }
        return try read(ExporterMistake.lines([record.json])).rejects.isEmpty ? record : nil
      }
  }

  private static func read(_ bytes: [UInt8]) throws -> ExportContent {
    let root = try Data(contentsOf: Checkout.folder.appending(path: "SampleData/signed/root.der"))
    let roots = try #require(TrustedRoots(certificates: [Array(root)]))
    return try readExport(
      bytes: bytes, name: "s.ndjson", kind: .signed,
      fieldMapping: FieldMapping(
        receiptKeys: [:], priceKeys: [:], priceUnit: .main,
        signed: SignedInputs(policy: SignaturePolicy(), roots: roots)))
  }

  /// The transactions of an export and the prices in it, without files and lines.
  private static func facts(_ content: ExportContent) -> Set<String> {
    let set = content.set
    let rows = set.observations.map { row in
      let record = set.records[Int(row.record)]
      let price = row.signed?.price.map { "\($0.amount.rawValue) \($0.currency.code)" }
      return """
        \(row.transactionID.number.text(in: set.symbols)) \
        \(row.originalTransactionID.number.text(in: set.symbols)) \
        \(set.symbols.text(row.productID.symbol)) \(row.purchasedAt.milliseconds) \
        \(row.quantity) \(row.expiresAt?.milliseconds ?? 0) \(row.cancelledAt?.milliseconds ?? 0) \
        \(row.isTrialPeriod.map { "\($0)" } ?? "-") \(price ?? "-") \
        \(row.signed?.storefront?.code ?? "-") \(record.snapshotAt.milliseconds) \
        \(record.isSandbox)
        """
    }
    return Set(rows + content.reportLines)
  }

  @Test func `a change of one price is a change of the facts`() throws {
    let records = try Self.records.get()
    #expect(records.count > 10)
    let clean = try Self.read(ExporterMistake.lines(records.map(\.json)))
    #expect(clean.rejects.isEmpty && Self.facts(clean).count > 20)
    let changed = records.map { record in
      record.mapped { key, value in
        guard key == "price", case .word(let word) = value else { return value }
        return .word(word + "0")
      } ?? record
    }
    let found = try Self.read(ExporterMistake.lines(changed.map(\.json)))
    #expect(Self.facts(found) != Self.facts(clean))
  }

  @Test(arguments: ExporterMistake.ofSigned)
  func `a mistake changes no transaction, or is rejected by its name`(mistake: ExporterMistake)
    throws
  {
    let records = try Self.records.get()
    let cleanExport = ExporterMistake.lines(records.map(\.json))
    let clean = Self.facts(try Self.read(cleanExport))
    let export = mistake.export(records)
    #expect(export != cleanExport)
    let content = try Self.read(export)
    let found = Self.facts(content)
    let rejects = content.rejects.prefix(3).map { "\($0.reason.rawValue): \($0.detail)" }
    switch mistake.outcome {
    case .same:
      #expect(content.rejects.isEmpty, "\(rejects)")
      #expect(found == clean)
    case .rejected(let code, let words):
      #expect(found.isSubset(of: clean) && found.count < clean.count)
      #expect(
        content.rejects.contains {
          $0.reason.rawValue == code && (words.isEmpty || $0.detail.contains(words))
        }, "\(rejects)")
    }
  }

  @Test(arguments: ExporterMistake.ofSigned)
  func `the page of rejects has every mistake in signed transactions`(mistake: ExporterMistake)
    throws
  {
    let page = try String(
      contentsOf: Checkout.folder.appending(path: "Docs/rejects.md"), encoding: .utf8)
    let part = try #require(
      page.components(separatedBy: "## Mistakes in signed transactions").last)
    let outcome =
      switch mistake.outcome {
      case .same: "read as it is meant"
      case .rejected(let code, _): "`\(code)`"
      }
    #expect(part.contains("| \(mistake.name) | \(outcome) |"))
  }
}
