internal import Diagnostics
internal import ExportReading
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Exports with damaged lines, keys or ends; `SilentLossTests` publishes a few of them.
struct DamagedExportTests {
  @Test(arguments: [UInt64](1...100))
  func `no purchase of a damaged export disappears, or a reject or a refusal tells`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let good = (1...30).map { sound("\($0)") + "\n" }.joined()
    let bytes = damaged(Array(good.utf8), &random)
    guard let content = try? readExport(bytes: bytes, name: "a", kind: .receipts) else { return }
    let hasReject = content.tally.rejected + content.tally.rows.rejected > 0
    #expect(hasReject == !content.rejects.isEmpty, "seed \(seed)")
    guard !hasReject, content.tally.records > 0 else { return }
    // A response whose list of rows has another name is a customer who bought nothing.
    let withRows = Set(content.set.observations.map { Int($0.record) })
    let empty = content.set.records.indices.count { !withRows.contains($0) }
    // A text that ends between two lines shows no damage.
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    let newline = UInt8(ascii: "\n")
    let lines = bytes.count { $0 == newline } + (bytes.last == newline ? 0 : 1)
    let expected = isGzip ? 30 : min(30, lines)
    #expect(Set(content.ids).count + empty == expected, "seed \(seed)")
  }
}
