internal import PurchaseModel

/// The texts of a symbol table, arranged for fast copying.
struct SymbolTexts: Sendable {
  private let bytes: [UInt8]
  private let ends: [Int]

  init(_ table: SymbolTable) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(table.count)
    for symbol in 0..<table.count {
      bytes.append(contentsOf: table.utf8(Symbol(rawValue: UInt32(symbol))))
      ends.append(bytes.count)
    }
    self.bytes = bytes
    self.ends = ends
  }

  @inline(__always)
  func append(_ symbol: Symbol, to sink: inout ByteSink) {
    let index = Int(symbol.rawValue)
    let start = index == 0 ? 0 : ends[index - 1]
    let end = ends[index]
    unsafe bytes.withUnsafeBytes {
      unsafe sink.append(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
    }
  }
}
