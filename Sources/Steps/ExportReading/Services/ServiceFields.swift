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
      return try fields.time(milliseconds: nil, text: scalar, in: cursor)
    } catch {
      throw error.at(field)
    }
  }

  /// Reads a flag: `true` or `t`, `false` or `f`, in any case; `nil` if it is absent.
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
      if isName(text, "true") || isName(text, "t") || isName(text, "1") { return true }
      return isName(text, "false") || isName(text, "f") || isName(text, "0") ? false : nil
    }
    guard let flag else { throw FieldFault(reason: .rowInvalidFlag, key: field.rawValue) }
    return flag
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
