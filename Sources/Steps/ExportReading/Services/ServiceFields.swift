internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// Reads single fields of a service's row.
extension RecordReader {
  /// Reads a time: a date text, or seconds or milliseconds since 1970; `nil` if it is absent.
  mutating func serviceTime(
    _ field: ServiceField, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Instant? {
    guard let scalar = bank[field], scalar.length > 0 else { return nil }
    do throws(FieldFault) {
      if let instant = try fields.instant(sinceEpoch: scalar, in: cursor) { return instant }
      if let instant = try fields.instant(local: scalar, in: cursor) { return instant }
      return try fields.time(milliseconds: nil, text: scalar, in: cursor)
    } catch {
      let written = try fields.withText(scalar, in: cursor) { Instant(spreadsheetText: $0) }
      guard let written, written.isWritable else { throw error.at(field) }
      return written
    }
  }

  /// Reads a flag: `true`, `t`, `yes`, `y` or `1`, and their opposites; `nil` if it is absent.
  ///
  /// Spreadsheets write the words of their language: `WAHR`, `VRAI`.
  mutating func serviceFlag(
    _ field: ServiceField, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Bool? {
    guard let scalar = bank[field], scalar.length > 0 else { return nil }
    switch scalar.kind {
    case .yes: return true
    case .no: return false
    default: break
    }
    let flag: Bool? = try fields.withText(scalar, in: cursor) { text in
      func isOne(of names: [StaticString]) -> Bool { names.contains { isName(text, $0) } }
      let yes: [StaticString] = [
        "true", "t", "yes", "y", "1", "1.0", "wahr", "vrai", "verdadero", "vero", "waar",
      ]
      let no: [StaticString] = [
        "false", "f", "no", "n", "0", "0.0", "falsch", "faux", "falso", "onwaar",
      ]
      return isOne(of: yes) ? true : isOne(of: no) ? false : nil
    }
    guard let flag else { throw FieldFault(reason: .rowInvalidFlag, key: field.rawValue) }
    return flag
  }

  /// Reads an id; `nil` if it is absent.
  ///
  /// A program that reads ids as floating-point numbers writes `700000005770.0`. A spreadsheet
  /// rounds them: `7.00000E+11` is the id of many transactions, so it is refused.
  mutating func serviceID(
    _ field: ServiceField, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> AppleNumber? {
    guard var scalar = bank[field], scalar.length > 0 else { return nil }
    let start = Int(scalar.start)
    let bytes = start..<(start + Int(scalar.length))
    let digits = bytes.prefix { cursor.byte(at: $0) &- UInt8(ascii: "0") <= 9 }.count
    if digits > 0, digits < bytes.count, scalar.kind != .escapedText {
      let rest = bytes.dropFirst(digits)
      let isPoint = cursor.byte(at: rest.startIndex) == UInt8(ascii: ".")
      let fraction = rest.dropFirst(isPoint ? 1 : 0).prefix {
        cursor.byte(at: $0) &- UInt8(ascii: "0") <= 9
      }
      let exponent = rest.dropFirst((isPoint ? 1 : 0) + fraction.count)
      if isPoint, exponent.isEmpty, fraction.allSatisfy({ cursor.byte(at: $0) == 0x30 }) {
        scalar.length = Int32(digits)
        scalar.kind = .integer
      } else if digits == 1, let sign = exponent.first, cursor.byte(at: sign) | 0x20 == 0x65,
        exponent.dropFirst().allSatisfy({ cursor.byte(at: $0) < UInt8(ascii: ":") })
      {
        throw FieldFault(reason: .wrongType, key: field.rawValue)
      }
    }
    do { return try fields.number(scalar, in: cursor) } catch { throw error.at(field) }
  }

  /// Reads a whole number, also one that is written as `2.0`; `nil` if it is absent.
  mutating func serviceCount(
    _ field: ServiceField, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Int64? {
    guard var scalar = bank[field], scalar.length > 0 else { return nil }
    let end = Int(scalar.start + scalar.length)
    if scalar.length > 2, cursor.byte(at: end - 2) == UInt8(ascii: "."),
      cursor.byte(at: end - 1) == UInt8(ascii: "0")
    {
      scalar.length -= 2
      scalar.kind = .integer
    }
    return try fields.integer(scalar, in: cursor)
  }

  /// Reads an amount in main units; `nil` if it is absent.
  mutating func serviceAmount(
    _ field: ServiceField, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Milliunits? {
    guard let scalar = bank[field], scalar.length > 0 else { return nil }
    do throws(FieldFault) {
      return try fields.amount(scalar, in: cursor)
    } catch {
      throw error.at(field)
    }
  }

  /// Whether the transaction is a test purchase.
  mutating func isServiceSandbox(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Bool {
    if let flag = try serviceFlag(.isSandbox, bank, cursor) { return flag }
    guard let scalar = bank[.environment], scalar.length > 0 else {
      notices.assumedProduction += 1
      return false
    }
    return !cursor.beginsWithProd(scalar)
  }

  /// Reads the product, without the billing plan that Adapty appends: `pro.yearly:monthly`.
  mutating func serviceProduct(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor, _ export: ServiceExport
  ) throws(FieldFault) -> Symbol? {
    guard var scalar = bank[.product] else { return nil }
    if export.service == .adapty, scalar.kind == .text {
      for offset in 0..<Int(scalar.length)
      where cursor.byte(at: Int(scalar.start) + offset) == UInt8(ascii: ":") {
        scalar.length = Int32(offset)
        break
      }
    }
    do throws(FieldFault) {
      return try fields.symbol(scalar, in: cursor, hint: &hints.product)
    } catch {
      throw error.at(ServiceField.product)
    }
  }
}
