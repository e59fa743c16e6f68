package import Diagnostics
internal import PurchaseModel

/// A field of a row that a filter writes.
package enum FilterField {
  /// A word of the row format.
  case word(String)
  /// A text, or null.
  case text([UInt8]?)
  /// A number, or null.
  case number(Int64?)
  /// 0 or 1.
  case flag(Bool)
  /// Bytes, which are written as base64.
  case key(Int64)
  /// Bytes.
  case packed([UInt8])
  /// A field that is copied as it was read.
  case written([UInt8])

  /// Writes a product as two fields: its id, and its app or null.
  static func product(_ product: ProductID, _ symbols: SymbolTable) -> [FilterField] {
    [
      .text(Array(symbols.utf8(product.symbol))),
      .text(product.app.map { Array(symbols.utf8($0.symbol)) }),
    ]
  }
}

/// The rows that a filter writes to standard output or keeps in memory.
package final class FilterOutput {
  private static let flushSize = 1 << 18

  private var bytes: [UInt8]
  private var counts: [String: Int] = [:]
  private let isInMemory: Bool

  /// Begins the output.
  ///
  /// - Parameters:
  ///   - tags: The tags of its rows. Each tag gets a count at the end, even without rows.
  ///   - isInMemory: Whether the rows are for ``inMemory()`` instead of standard output.
  package init(_ tags: [String], isInMemory: Bool = false) {
    self.isInMemory = isInMemory
    bytes = Array("#paidline-rows\t\(FilterInput.version)\n".utf8)
    for tag in tags { counts[tag] = 0 }
  }

  /// Writes a row with a tag and its fields.
  package func row(_ tag: String, _ fields: FilterField...) throws(RunFailure) {
    try row(tag, fields)
  }

  /// Writes a row with a tag and its fields.
  func row(_ tag: String, _ fields: [FilterField]) throws(RunFailure) {
    precondition(counts[tag] != nil, "a tag is not announced: \(tag)")
    counts[tag, default: 0] += 1
    bytes += Array(tag.utf8)
    for field in fields {
      bytes.append(FilterText.tab)
      append(field)
    }
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.flushSize, !isInMemory { try flush() }
  }

  /// Writes the number of rows per tag.
  package func finish() throws(RunFailure) {
    writeCounts()
    try flush()
  }

  /// All rows of an output in memory, with the number of rows per tag.
  func inMemory() -> [UInt8] {
    writeCounts()
    return bytes
  }

  private func writeCounts() {
    for (tag, count) in counts.sorted(by: { $0.key < $1.key }) {
      bytes += Array("#end\t\(tag)\t\(count)\n".utf8)
    }
  }

  private func flush() throws(RunFailure) {
    try CheckedOutput.standard.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private func append(_ field: FilterField) {
    switch field {
    case .word(let word): bytes += Array(word.utf8)
    case .text(let text):
      guard let text else { return bytes += FilterText.none }
      FilterText.append(text, to: &bytes)
    case .number(let number):
      bytes += number.map { Array(String($0).utf8) } ?? FilterText.none
    case .flag(let flag): bytes.append(UInt8(ascii: flag ? "1" : "0"))
    case .key(let key):
      let digits = String(UInt64(bitPattern: key) ^ 1 << 63, radix: 16)
      bytes += Array((String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8)
    case .packed(let packed): Base64Text.append(packed, to: &bytes)
    case .written(let written): bytes += written
    }
  }
}
