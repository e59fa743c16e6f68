/// A question that a table answers, with its query.
///
/// The questions are in `Questions/*.sql`, are printed in the docs, handed to Datasette, and all
/// run by a test.
package struct Question: Hashable, Sendable {
  /// The table or view it is about.
  package var table: String
  /// A name in small letters, unlike that of any other.
  package var name: String
  /// The question itself.
  package var text: String
  /// The query, with its semicolon.
  package var sql: String
  /// Whether Datasette offers it on its first page.
  package var isCanned: Bool
  /// The reason why the sample has no answer; `nil` if it has one.
  package var emptyBecause: String?

  /// All questions, tables first, then views.
  package static let all: [Question] = [
    PackageResources.facts_sql, PackageResources.dimensions_sql, PackageResources.audit_sql,
    PackageResources.views_sql,
  ].flatMap { read(String(decoding: $0, as: UTF8.self)) }

  /// Reads the questions of one file: heads of `-- key: value`, then the query.
  static func read(_ text: String) -> [Question] {
    text.split(separator: "\n-- table: ").dropFirst().compactMap { part in
      let lines = ("-- table: " + part).split(separator: "\n", omittingEmptySubsequences: true)
      var values: [Substring: String] = [:]
      for line in lines where line.hasPrefix("-- ") {
        let head = line.dropFirst(3).split(separator: ": ", maxSplits: 1)
        if head.count == 2 { values[head[0]] = String(head[1]) }
      }
      guard let table = values["table"], let name = values["name"], let text = values["question"]
      else { return nil }
      return Question(
        table: table, name: name, text: text,
        sql: lines.filter { !$0.hasPrefix("-- ") }.joined(separator: "\n"),
        isCanned: values["canned"] == "yes", emptyBecause: values["empty"])
    }
  }
}
