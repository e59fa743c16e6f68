internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// The fuzzer's corpus: inputs that once broke this reader or another JSON reader.
struct CorpusTests {
  private static let folder = Checkout.folder.appendingPathComponent("Fuzz/Corpus")

  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { !$0.hasPrefix(".") }.sorted()

  @Test func `the corpus is there`() {
    #expect(Self.names.count > 30)
  }

  @Test(arguments: names)
  func `an input of the corpus is read alike by every buffer, and nothing points outside`(
    name: String
  ) throws {
    let input = Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    let choice = try #require(input.first)
    var summaries: Set<String> = []
    for buffer in [1, 7, 100, 1 << 16] {
      let content = try? readExport(
        bytes: Array(input.dropFirst()), name: choice & 2 == 0 ? "a.ndjson" : "a.ndjson.gz",
        kind: choice & 1 == 0 ? .receipts : .prices, limits: limits(buffer: buffer))
      summaries.insert(content?.summary ?? "refused")
      guard let set = content?.set else { continue }
      #expect(set.observations.allSatisfy { Int($0.record) < set.records.count })
      #expect(set.renewals.allSatisfy { Int($0.record) < set.records.count })
      #expect(set.reports.allSatisfy { $0.offers.upperBound <= set.offers.count })
    }
    #expect(summaries.count == 1)
  }
}
