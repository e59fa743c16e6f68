internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// The mistakes that programs make when they export price reports, and their outcomes.
struct PriceMistakeTests {
  private static let records = Result {
    let folder = Checkout.folder.appending(path: "SampleData/prices")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let text = try names.prefix(4).map { name in
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      return String(decoding: gunzip(bytes), as: UTF8.self)
    }.joined()
    return text.split(separator: "\n").compactMap { JSONTree(String($0)) }
  }

  private static func read(_ bytes: [UInt8]) throws -> ExportContent {
    try readExport(bytes: bytes, name: "p.ndjson", kind: .prices)
  }

  @Test(arguments: ExporterMistake.ofPrices)
  func `a mistake changes no report, or is rejected by its name`(mistake: ExporterMistake) throws {
    let records = try Self.records.get()
    let clean = Set(try Self.read(ExporterMistake.lines(records.map(\.json))).reportLines)
    #expect(clean.count > 30)
    let content = try Self.read(mistake.export(records))
    let found = Set(content.reportLines)
    switch mistake.outcome {
    case .same:
      #expect(content.codes == [] && found == clean)
    case .rejected(let code, let words):
      #expect(found.isSubset(of: clean) && found.count < clean.count)
      let rejects = content.rejects.prefix(3).map { "\($0.reason.rawValue): \($0.detail)" }
      #expect(
        content.rejects.contains { $0.reason.rawValue == code && $0.detail.contains(words) },
        "\(rejects)")
    }
  }

  @Test(arguments: ExporterMistake.ofPrices)
  func `the page of rejects has every mistake in prices`(mistake: ExporterMistake) throws {
    let page = try String(
      contentsOf: Checkout.folder.appending(path: "Docs/rejects.md"), encoding: .utf8)
    let part = try #require(page.components(separatedBy: "## Mistakes in price reports").last)
    let outcome =
      switch mistake.outcome {
      case .same: "read as it is meant"
      case .rejected(let code, _): "`\(code)`"
      }
    #expect(part.contains("| \(mistake.name) | \(outcome) |"))
  }
}
