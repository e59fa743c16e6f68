internal import PurchaseModel

/// A record as shown in a preview.
///
/// It has the values that were read, each with its path. For a rejected record, it has the paths to
/// all values.
public struct PreviewedRecord: Hashable, Sendable {
  /// One value of the record.
  public struct Field: Hashable, Sendable {
    /// The standard name: `product_id`.
    public var name: String
    /// The value as written in the record.
    public var text: String
    /// The path of the value in the record; the text `values` if the pipeline file has the value
    /// under that key.
    public var source: String
  }

  /// The line on which the record begins; 1-based.
  public var line: Int
  /// Whether the record is a price report; false for any other event, and for a rejected record.
  public var isUsed: Bool
  /// The values that were read, in the order of ``LayoutField``.
  public var fields: [Field] = []
  /// The paths to all values of a rejected record.
  public var paths: [String] = []

  init(line: Int, isUsed: Bool) {
    self.line = line
    self.isUsed = isUsed
  }

  init(line: Int, rejectedWith paths: [String]) {
    self.line = line
    isUsed = false
    self.paths = paths
  }
}

/// What a reader shows the operator of a file.
struct RecordPreviews {
  /// The records shown, each with its values or with its paths.
  ///
  /// Contains up to three rejected records, with the paths to all their values. For a preview, also
  /// contains each record that is read by a price layout, with its values.
  private(set) var records: [PreviewedRecord] = []
  /// The paths to the values of the first record; recorded only for a preview.
  var paths: [String] = []
  /// The paths to Apple's responses in the first record; recorded only for a preview of receipts.
  private(set) var answers: [String] = []
  /// The paths of all records; recorded only with ``ExportLimits/notesShapes``.
  var shapes = RecordShapes()
  private var rejects = 0

  /// Whether the next rejected record is shown; true for the first three.
  var notesRejects: Bool { rejects < 3 }

  mutating func noteReject(line: Int, _ paths: [String]) {
    rejects += 1
    records.append(PreviewedRecord(line: line, rejectedWith: paths))
  }

  mutating func note(_ record: PreviewedRecord) { records.append(record) }

  mutating func notePaths(in record: JSONCursor, of kind: InputFile.Kind) {
    paths = FoundPaths.all(in: record, entersText: kind == .prices)
    if kind == .receipts { answers = AnswerPlaces.all(in: record) }
  }
}

/// Lists the paths to all values of a record, to suggest a correction for a wrong path.
enum FoundPaths {
  /// The greatest number of paths in a list.
  private static let most = 400

  /// The paths in a record, in the order of the record.
  ///
  /// For a text that is not valid JSON, the paths before the first fault.
  ///
  /// - Parameter entersText: Whether an object that is JSON text in a string is an object; else the
  ///   string is a value.
  static func all(in record: JSONCursor, entersText: Bool = false) -> [String] {
    var paths: [String] = []
    var cursor = record
    try? add(&cursor, under: "", level: 1, entersText, to: &paths)
    return paths
  }

  static func all(in text: [UInt8]) -> [String] {
    PaddedText(text.span).read { all(in: $0) }
  }

  private static func add(
    _ cursor: inout JSONCursor, under prefix: String, level: Int, _ entersText: Bool,
    to paths: inout [String]
  ) throws(JSONFault) {
    guard paths.count < most else { return try cursor.skipValue(level: level) }
    if entersText, level < 8, cursor.byte(at: cursor.position) == Byte.quote,
      cursor.byte(at: cursor.position + 1) == Byte.openBrace
    {
      let count = paths.count
      let string = try cursor.readString()
      var text = PaddedText()
      text.fill { cursor.unescape(string, into: &$0) }
      text.read { inner in
        var inner = inner
        try? add(&inner, under: prefix, level: level, entersText, to: &paths)
      }
      if paths.count == count, !prefix.isEmpty { paths.append(prefix) }
      return
    }
    guard cursor.byte(at: cursor.position) == Byte.openBrace, level < 8 else {
      if !prefix.isEmpty { paths.append(prefix) }
      return try cursor.skipValue(level: level)
    }
    try cursor.enter(level)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      let text = FieldPath.text(of: cursor.text(of: name))
      let path = prefix.isEmpty ? text : "\(prefix).\(text)"
      guard cursor.byte(at: cursor.position) == Byte.openBracket else {
        try add(&cursor, under: path, level: level + 1, entersText, to: &paths)
        continue
      }
      // Only the first element of a list is examined.
      var ahead = cursor
      try cursor.skipValue(level: level)
      try ahead.enter(level + 1)
      var begins = true
      if try ahead.nextElement(isFirst: &begins) {
        try add(&ahead, under: path + "[]", level: level + 2, entersText, to: &paths)
      } else {
        paths.append(path + "[]")
      }
    }
  }
}
