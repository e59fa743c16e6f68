internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The fault of a field: its required value is missing or invalid.
struct CellFault: Error, Hashable {
  var reason: RejectReason
  var detail: String
}

/// Reads typed values from the fields of a line.
extension ReportRow {
  /// Reads the text of a required field; throws if the field is empty.
  func required(_ column: ReportColumn) throws(CellFault) -> String {
    guard let text = text(column) else {
      throw CellFault(reason: .reportFieldMissing, detail: column.name)
    }
    return text
  }

  /// Reads the value of a required field with the function `read`; throws if the field is empty.
  @inline(__always)
  func value<Value>(_ column: ReportColumn, _ read: (Span<UInt8>) -> Value?) throws(CellFault)
    -> Value
  {
    guard let found = self.read(at: header.position(column), read) else {
      throw CellFault(reason: .reportFieldMissing, detail: column.name)
    }
    guard let found else {
      throw CellFault(reason: .reportFieldInvalid, detail: column.name)
    }
    return found
  }

  /// Reads the storefront in the country column.
  func storefront() throws(CellFault) -> Storefront { try value(.country) { Storefront($0) } }

  /// Reads the currency in a required field.
  func currency(_ column: ReportColumn) throws(CellFault) -> Currency {
    try value(column) { Currency($0) }
  }

  /// Reads the day in a required field: `10/05/2020` or `2020-10-05` (both are October 5).
  func day(_ column: ReportColumn) throws(CellFault) -> CivilDay { try value(column, Self.day) }

  static func day(_ text: Span<UInt8>) -> CivilDay? {
    if let day = CivilDay(text: text) { return day }
    var parts = (0, 0, 0)
    var (part, digits) = (0, 0)
    for index in text.indices {
      let byte = text[index]
      if byte == UInt8(ascii: "/") {
        guard part < 2, digits > 0, digits <= 2 else { return nil }
        (parts.0, parts.1, parts.2) = (parts.1, parts.2, 0)
        (part, digits) = (part + 1, 0)
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < 4 else { return nil }
      parts.2 = parts.2 * 10 + Int(byte - UInt8(ascii: "0"))
      digits += 1
    }
    guard part == 2, digits == 4 else { return nil }
    return CivilDay(year: parts.2, month: parts.0, day: parts.1)
  }

  /// Reads the whole number in a required field, possibly negative.
  func number(_ column: ReportColumn) throws(CellFault) -> Int64 {
    try value(column, Self.number)
  }

  /// Parses a whole number from -1,000,000,000 to 1,000,000,000; `nil` for any other text.
  static func number(_ text: Span<UInt8>) -> Int64? {
    let isNegative = text[0] == UInt8(ascii: "-")
    let start = isNegative || text[0] == UInt8(ascii: "+") ? 1 : 0
    guard text.count > start else { return nil }
    var number: Int64 = 0
    for index in start..<text.count {
      let byte = text[index]
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      guard number <= 1_000_000_000 else { return nil }
    }
    return isNegative ? -number : number
  }

  /// Reads the amount in a required field, possibly negative, such as `-85.43`.
  func amount(_ column: ReportColumn) throws(CellFault) -> Milliunits {
    try value(column, Self.decimal)
  }

  static func decimal(_ text: Span<UInt8>) -> Milliunits? {
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    let digits = isNegative ? text.extracting(1...) : text
    guard let amount = try? Milliunits(decimal: digits, allowingFloatNoise: false) else {
      return nil
    }
    return isNegative ? Milliunits(-amount.rawValue) : amount
  }

  /// Returns true if the field is "yes"; `nil` if the report has no such column.
  func flag(_ column: ReportColumn) -> Bool? { header.has(column) ? holds(column, "yes") : nil }
}
