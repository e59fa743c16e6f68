@testable internal import Pipeline
internal import PurchaseModel
internal import TemporaryFiles
internal import TestSupport
internal import Testing

struct SortedKeyTests {
  /// The values in the order of their keys.
  private func sorted<Value: BitwiseCopyable>(_ records: [(SortedKey, Value)]) throws -> [Value] {
    let folder = try TemporaryFolder()
    let sort = ExternalSort(memory: SortMemory(bytes: 0, path: folder.path("sort")))
    let writer = sort.writer()
    for (key, value) in records { try writer.add(key, value: value) }
    try writer.finish()
    let reader = try sort.reader()
    var values: [Value] = []
    while try reader.next() { values.append(reader.value(Value.self)) }
    return values
  }

  @Test func `evidence ids are in numeric order, negative ones first`() throws {
    let ids: [Int64] = [0, 1, -1, .max, .min, 256, 255, -256]
    #expect(
      try sorted(ids.map { (SortedKey(evidenceID: $0), $0) })
        == [.min, -256, -1, 0, 1, 255, 256, .max])
  }

  @Test func `transaction ids are in the order in which they compare, and are read back`() throws {
    var symbols = SymbolTable()
    let texts = ["7", "10", "9007199254740993", "GPA.1", "0010", "17000000000000000000000"]
    let ids = texts.map { TransactionID(AppleNumber(Array($0.utf8).span, symbols: &symbols)) }
    #expect(try sorted(ids.map { (SortedKey($0), $0) }) == ids.sorted())
    for id in ids { #expect(SortedKey(id).transactionID == id) }
  }

  @Test func `pairs are in the order of the first number, then of the second`() throws {
    let pairs: [SIMD2<Int32>] = [[1, 0], [0, 256], [0, 255], [.max, 0], [0, .max], [1, 1]]
    #expect(
      try sorted(pairs.map { (SortedKey($0[0], $0[1]), $0) })
        == [[0, 255], [0, 256], [0, .max], [1, 0], [1, 1], [.max, 0]])
    #expect(SortedKey(3, .max).first == 3)
  }
}
