/// Reads the comments in a CREATE statement.
enum SchemaText {
  /// The grain of a table (the meaning of one row): the comment after the statement's first line,
  /// in one line.
  static func grain(of sql: String) -> String {
    let lines = sql.split(separator: "\n").dropFirst().map { $0.trimming(while: \.isWhitespace) }
    let comment = lines.prefix { $0.hasPrefix("--") }
    return comment.map { String($0.dropFirst(2).trimming(while: \.isWhitespace)) }
      .joined(separator: " ")
  }

  /// The words that a CHECK allows in a column; empty without such a CHECK.
  static func words(of column: String, in sql: String) -> [String] {
    // Joins all lines, because a list may be broken anywhere.
    let text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // A CHECK on more than two words compares them one by one, because SQLite would build a table
    // per row for a list.
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
  /// Removes the characters for which `isOuter` is true from both ends of the text.
  fileprivate func trimming(while isOuter: (Character) -> Bool) -> Substring {
    var text = drop(while: isOuter)
    while let last = text.last, isOuter(last) { text.removeLast() }
    return text
  }
}
