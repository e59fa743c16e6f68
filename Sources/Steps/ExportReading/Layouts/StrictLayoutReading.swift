internal import Diagnostics

/// Reads records that must have Paidline's own form exactly.
extension LayoutReader {
  /// Follows an edge whose value must have the type of the own form.
  mutating func followStrictly(
    _ edge: PathTable.Edge, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    let first = cursor.byte(at: cursor.position)
    let isObject = first == Byte.openBrace
    if edge.object == 0, edge.field == nil {
      hasEnvelope =
        hasEnvelope || isObject || first == Byte.openBracket || first == Byte.quote
      return try cursor.skipValue(level: level)
    }
    let isIntroductory = edge.field == LayoutField.introPrice.rawValue
    if let object = edge.object, isObject {
      guard isIntroductory else { return try walk(object, &cursor, level: level + 1) }
      return try readIntroductory(object, &cursor, level: level + 1)
    }
    if let element = edge.element, first == Byte.openBracket {
      return try readList(of: element, edge, &cursor, level: level + 1)
    }
    let start = cursor.position
    if edge.element != nil || isIntroductory, try cursor.passesEmptyValue() { return }
    let isScalar = !isObject && first != Byte.openBracket
    guard let scalar = isScalar ? try cursor.readScalar() : try cursor.readTypedScalar() else {
      throw JSONFault(reason: .wrongType, offset: start, key: key(of: edge))
    }
    // A key of another format is a mark with any value.
    guard scalar.kind != .null && scalar.length > 0 || edge.field == LayoutField.mark.rawValue
    else { return }
    if let field = edge.field {
      keep(scalar, of: cursor, edge, field: field, level: level)
    } else if edge.element != nil {
      throw JSONFault(reason: .wrongType, offset: start, key: key(of: edge))
    }
  }

  /// Reads an introductory offer that is an object; values beside the object are not its values.
  private mutating func readIntroductory(
    _ object: PathTable.NodeIndex, _ cursor: inout JSONCursor, level: Int
  ) throws(JSONFault) {
    values.forgetIntroductory()
    try walk(object, &cursor, level: level)
    var offer = values.introductory
    (offer.isObject, offer.isIntroductory) = (true, true)
    offers.append(offer)
    values.forgetIntroductory()
  }

  /// The key of an edge in the own form, for messages.
  func key(of edge: PathTable.Edge) -> String {
    guard let field = edge.field.flatMap(LayoutField.init(rawValue:)) else {
      return layout.table.paths[Int(edge.path)]
    }
    return field.isSecond(edge.rank) ? layout.secondKey(of: field) : layout.key(of: field)
  }
}

/// The fields of one object, each of which may occur once.
struct StrictFields {
  private var seen: UInt64 = 0

  /// Adds the field of an edge; returns false if the field occurred before.
  ///
  /// Where a field has two keys, such as a time and its milliseconds, both may occur.
  @inline(__always) mutating func insert(_ edge: PathTable.Edge) -> Bool {
    guard let field = edge.field.flatMap(LayoutField.init(rawValue:)), field != .mark else {
      return true
    }
    let place = UInt64(field.rawValue) + (field.isSecond(edge.rank) ? 32 : 0)
    let bit: UInt64 = 1 &<< place
    guard seen & bit == 0 else { return false }
    seen |= bit
    return true
  }
}
