internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A required cell is missing, or a cell has an unexpected value.
struct CellFault: Error, Hashable {
  var reason: RejectReason
  var detail: String
}

/// Reads typed values from the cells of a line.
extension ReportRow {
  /// The text of a cell that must not be empty.
  func required(_ name: String) throws(CellFault) -> String {
    guard let text = text(name) else {
      throw CellFault(reason: .reportFieldMissing, detail: name)
    }
    return text
  }

  /// The parsed value of a required cell.
  func value<Value>(_ name: String, _ read: (String) -> Value?) throws(CellFault) -> Value {
    guard let value = read(try required(name)) else {
      throw CellFault(reason: .reportFieldInvalid, detail: name)
    }
    return value
  }

  /// A day: `10/05/2020` or `2020-10-05`.
  func day(_ name: String) throws(CellFault) -> CivilDay { try value(name, Self.day) }

  static func day(_ text: String) -> CivilDay? {
    if let day = CivilDay(text: text) { return day }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count <= 2, parts[1].utf8.count <= 2,
      parts[2].utf8.count == 4, let month = Int(parts[0]), let day = Int(parts[1]),
      let year = Int(parts[2])
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  /// A whole number; may be negative.
  func number(_ name: String) throws(CellFault) -> Int64 {
    try value(name) { text in
      guard let number = Int64(text), number.magnitude <= 1_000_000_000 else { return nil }
      return number
    }
  }

  /// An amount; may be negative: `-85.43`.
  func amount(_ name: String) throws(CellFault) -> Milliunits {
    try value(name, Self.decimal)
  }

  static func decimal(_ text: String) -> Milliunits? {
    let isNegative = text.hasPrefix("-")
    guard let amount = try? Milliunits(decimal: isNegative ? String(text.dropFirst()) : text)
    else { return nil }
    return isNegative ? Milliunits(-amount.rawValue) : amount
  }

  /// Whether a cell contains yes; `nil` if the report lacks the column.
  func flag(_ name: String, isKnown: Bool) -> Bool? {
    isKnown ? text(name).map { $0.lowercased() == "yes" } ?? false : nil
  }
}
