internal import PurchaseModel

/// Lists the paths to all of Apple's responses and signed transactions in a record, however many
/// values stand before them.
enum AnswerPlaces {
  /// The greatest number of paths in a list.
  private static let most = 2000

  /// The paths in a record, in the order of the record; `[]` stands for the elements of a list.
  ///
  /// The path of a record that is itself a response is not in the list.
  static func all(in record: JSONCursor) -> [String] {
    var paths: [String] = []
    var cursor = record
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { return [] }
    try? add(&cursor, under: "", level: 1, to: &paths)
    return paths
  }

  private static func add(
    _ cursor: inout JSONCursor, under prefix: String, level: Int, to paths: inout [String]
  ) throws(JSONFault) {
    guard paths.count < most, level < 8 else { return try cursor.skipValue(level: level) }
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let key = cursor.text(of: name)
      let path = (prefix.isEmpty ? "" : prefix + ".") + FieldPath.text(of: key)
      try addValue(&cursor, at: path, named: key, under: prefix, level: level, to: &paths)
    }
  }

  /// Adds the path to a value that is a response, else the paths in it.
  private static func addValue(
    _ cursor: inout JSONCursor, at path: String, named key: String, under prefix: String,
    level: Int, to paths: inout [String]
  ) throws(JSONFault) {
    let start = cursor
    try cursor.skipValue(level: level)
    let value = JSONValue(start, end: cursor.position)
    if value.isSigned {
      // They stand beside a transaction.
      let name = key.lowercased()
      if !name.contains("renewal"), !name.contains("apptransaction") { paths.append(path) }
      return
    }
    if value.holdsAnswer {
      var body = start
      let isObject = key == "receipt" && start.byte(at: start.position) == Byte.openBrace
      let isBody = isObject ? try body.hasKey(of: ["in_app"]) : false
      // `receipt` with `in_app` is a part of a response without a status.
      let place = isBody ? prefix : path
      if !place.isEmpty, paths.last != place { paths.append(place) }
      return
    }
    var inner = start
    switch start.byte(at: start.position) {
    case Byte.openBrace: try add(&inner, under: path, level: level + 1, to: &paths)
    case Byte.openBracket:
      try inner.enter(level + 1)
      var begins = true
      guard try inner.nextElement(isFirst: &begins) else { return }
      try addValue(
        &inner, at: path + "[]", named: "", under: path, level: level + 2, to: &paths)
    default: break
    }
  }
}
