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

  /// The words that a CHECK allows in a column; empty if no CHECK lists words.
  static func words(of column: String, in sql: String) -> [String] {
    // All lines are joined first, because a list may continue on the next line.
    let text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
