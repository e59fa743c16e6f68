internal import ExportReading

extension JSONCursor {
  /// Reads a text and resolves its escapes.
  mutating func readText() throws(JSONFault) -> [UInt8] {
    let scalar = try readScalar()
    guard let text = text(scalar) else { throw invalid() }
    return text
  }

  /// The bytes of a text, with its escapes resolved; `nil` for a scalar that is not a text.
  func text(_ scalar: Scalar) -> [UInt8]? {
    switch scalar.kind {
    case .text: return unsafe Array(bytes(scalar))
    case .escapedText:
      var text: [UInt8] = []
      unescape(scalar, into: &text)
      return text
    case .integer, .decimal, .yes, .no, .null: return nil
    }
  }

  /// Reads a list of texts from its opening bracket.
  mutating func readTexts(level: Int) throws(JSONFault) -> [[UInt8]] {
    guard byte(at: position) == Byte.openBracket else { throw invalid() }
    try enter(level)
    var texts: [[UInt8]] = []
    var isFirst = true
    while try nextElement(isFirst: &isFirst) { texts.append(try readText()) }
    return texts
  }
}
