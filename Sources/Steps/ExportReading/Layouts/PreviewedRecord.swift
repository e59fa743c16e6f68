/// A record as it was understood: each value with the path that it came from.
public struct PreviewedRecord: Hashable, Sendable {
  /// One value of the record.
  public struct Field: Hashable, Sendable {
    /// The standard name: `product_id`.
    public var name: String
    /// The value as it stands in the record.
    public var text: String
    /// The path that it came from; `values` for a constant of the pipeline.
    public var source: String
  }

  /// The line on which the record begins.
  public var line: Int
  /// Whether it is a report, and not another event.
  public var isUsed: Bool
  /// The values in the order of the fields.
  public var fields: [Field] = []
  /// Of a rejected record: the paths that it has.
  public var paths: [String] = []

  init(line: Int, isUsed: Bool) {
    self.line = line
    self.isUsed = isUsed
  }

  /// Notes a rejected record.
  init(line: Int, rejectedWith paths: [String]) {
    self.line = line
    isUsed = false
    self.paths = paths
  }
}

/// The paths to all values of a record, to find the path that was meant by a wrong path.
enum FoundPaths {
  /// The number of paths that are looked at.
  private static let most = 400

  /// The paths in a record, in its order; none for a text that is not JSON.
  static func all(in record: JSONCursor) -> [String] {
    var paths: [String] = []
    var cursor = record
    try? add(&cursor, under: "", level: 1, to: &paths)
    return paths
  }

  private static func add(
    _ cursor: inout JSONCursor, under prefix: String, level: Int, to paths: inout [String]
  ) throws(JSONFault) {
    guard cursor.byte(at: cursor.position) == Byte.openBrace, level < 8, paths.count < most else {
      if !prefix.isEmpty { paths.append(prefix) }
      return try cursor.skipValue(level: level)
    }
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let text = cursor.text(of: name).replacing(".", with: "\\.")
      let path = prefix.isEmpty ? text : "\(prefix).\(text)"
      guard cursor.byte(at: cursor.position) == Byte.openBracket else {
        try add(&cursor, under: path, level: level + 1, to: &paths)
        continue
      }
      // The first element stands for the whole list.
      var ahead = cursor
      try cursor.skipValue(level: level)
      try ahead.enter(level + 1)
      var begins = true
      if try ahead.nextElement(isFirst: &begins) {
        try add(&ahead, under: path + "[]", level: level + 2, to: &paths)
      }
    }
  }
}
