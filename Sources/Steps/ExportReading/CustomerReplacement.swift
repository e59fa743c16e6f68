internal import Diagnostics

private enum CustomerKey: UInt8, Sendable {
  case customer, priceReport
}

/// Replaces customer ids in records of receipt exports.
public struct CustomerReplacement: Sendable {
  private static let table = KeyTable<CustomerKey>([
    ("customer_id", .customer), ("customerId", .customer), ("customerID", .customer),
    ("app_user_id", .customer), ("price_report", .priceReport),
  ])

  private let replacement: @Sendable ([UInt8]) -> [UInt8]?

  /// Creates a replacement that maps each customer id by a function.
  ///
  /// - Parameter replacement: Receives a customer id and returns the new id; `nil` keeps the
  ///   customer id. The new id must not contain characters that JSON escapes.
  public init(_ replacement: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
    self.replacement = replacement
  }

  /// Replaces the customer ids in a record; `nil` if there is nothing to replace.
  ///
  /// Also `nil` if the record is not a JSON object. The bytes outside of the ids do not change.
  public func applied(to record: [UInt8]) -> [UInt8]? {
    var found: [(range: Range<Int>, text: [UInt8])] = []
    PaddedText(record.span).read { cursor in
      cursor.skipBlanks()
      guard cursor.byte(at: cursor.position) == Byte.openBrace else { return }
      do throws(JSONFault) {
        try collect(&cursor, level: 1, into: &found)
      } catch {
        found = []
      }
    }
    guard !found.isEmpty else { return nil }
    var result: [UInt8] = []
    var position = 0
    for (range, text) in found {
      result += record[position..<range.lowerBound]
      result += text
      position = range.upperBound
    }
    return result + record[position...]
  }

  private func collect(
    _ cursor: inout JSONCursor, level: Int, into found: inout [(range: Range<Int>, text: [UInt8])]
  ) throws(JSONFault) {
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let next = cursor.byte(at: cursor.position)
      switch Self.table.key(name, in: cursor) {
      case .customer where next == Byte.quote:
        let scalar = try cursor.readScalar()
        var id: [UInt8] = []
        cursor.unescape(scalar, into: &id)
        if let text = replacement(id) {
          let start = Int(scalar.start)
          found.append((start..<start + Int(scalar.length), text))
        }
      case .priceReport where next == Byte.openBrace:
        try collect(&cursor, level: level + 1, into: &found)
      default: try cursor.skipValue(level: level)
      }
    }
  }
}
