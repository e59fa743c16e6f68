/// Reads the comments in a CREATE statement.
enum SchemaText {
  /// The grain of a table (the meaning of one row), as one line of text.
  ///
  /// The grain is the comment after the first line of the `CREATE` statement.
  static func grain(of sql: String) -> String {
    let lines = sql.split(separator: "\n").dropFirst().map { $0.trimming(while: \.isWhitespace) }
    let comment = lines.prefix { $0.hasPrefix("--") }
    return comment.map { String($0.dropFirst(2).trimming(while: \.isWhitespace)) }
      .joined(separator: " ")
  }

  /// A statement as one line, with single blanks: a list of words may continue on the next line.
  static func line(of sql: String) -> String {
    let words = sql.utf8.split { $0 <= UInt8(ascii: " ") }
    return words.map { String(Substring($0)) }.joined(separator: " ")
  }

  /// The words that a CHECK allows in a column; empty if no CHECK lists words.
  ///
  /// `text` is the statement as one ``line(of:)``.
  static func words(of column: String, in text: String) -> [String] {
    // A CHECK on more than two words compares them one by one; for a list SQLite would build a
    // table per row.
    guard
      let start = text.firstRange(of: "CHECK (\(column) = '")
        ?? text.firstRange(of: "CHECK (\(column) IN (")
    else { return [] }
    let list = text[start.lowerBound...].prefix { $0 != ")" }
    let parts = list.split(separator: "'", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

extension Substring {
  /// Removes characters from both ends of the text as long as `isOuter` is true for them.
  fileprivate func trimming(while isOuter: (Character) -> Bool) -> Substring {
    var text = drop(while: isOuter)
    while let last = text.last, isOuter(last) { text.removeLast() }
    return text
  }
}
