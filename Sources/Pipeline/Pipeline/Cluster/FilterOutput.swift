package import Diagnostics
internal import PurchaseModel

/// A field of a row that a filter writes.
package enum FilterField {
  /// A word that needs no escapes, such as a code or a day.
  case word(String)
  /// A text, written with escapes, or null.
  case text([UInt8]?)
  /// A number, or null.
  case number(Int64?)
  /// 0 or 1.
  case flag(Bool)
  /// A key, written as 16 hexadecimal digits.
  case key(Int64)
  /// Packed bytes, written as base64.
  case packed([UInt8])
  /// Bytes that already have the form of a field, such as JSON or a field of an input row; they are
  /// written without change.
  case written([UInt8])

  /// Returns the two fields of a product: its id, and its app or null.
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
  ///   - tags: The tags that the rows may have. The last lines state the number of rows with each
  ///     tag, which may be 0.
  ///   - isInMemory: Whether the rows are kept for ``inMemory()``, not written to standard output.
  package init(_ tags: [String], isInMemory: Bool = false) {
    self.isInMemory = isInMemory
    bytes = Array("#paidline-rows\t\(FilterInput.version)\n".utf8)
    for tag in tags { counts[tag] = 0 }
  }

  /// Writes a row with a tag and its fields.
  package func row(_ tag: String, _ fields: FilterField...) throws(RunFailure) {
    try row(tag, fields)
  }

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

  /// Writes the number of rows for each tag, which ends the output.
  package func finish() throws(RunFailure) {
    writeCounts()
    try flush()
  }

  /// Ends an output in memory and returns its bytes.
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
