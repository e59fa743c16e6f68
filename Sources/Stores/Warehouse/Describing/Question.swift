/// A question that a table or view answers, with the SQL query for the answer.
///
/// The questions are in `Questions/*.sql`. The docs and Datasette show them, and a test runs every
/// query.
package struct Question: Hashable, Sendable {
  /// The name of the table or view that answers the question.
  package var table: String
  /// A unique name in lower case.
  package var name: String
  /// The question as an English sentence.
  package var text: String
  /// The query, including its semicolon.
  package var sql: String
  /// Whether Datasette offers the question on its first page.
  package var isCanned: Bool
  /// The reason why the query returns no rows for the sample data; `nil` if it does return rows.
  package var emptyBecause: String?

  /// All questions, tables first, then views.
  package static let all: [Question] = [
    PackageResources.facts_sql, PackageResources.dimensions_sql, PackageResources.audit_sql,
    PackageResources.views_sql,
  ].flatMap { read(String(decoding: $0, as: UTF8.self)) }

  /// Reads the questions of one file: header lines `-- key: value`, then the query.
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
