internal import GRDB

/// The definition of a view or of a figure, as in `Schema/warehouse_views*.sql`.
///
/// A figure is a typed table in `Schema/warehouse_figures.sql` that each publication fills from the
/// definition of its name, so that every reader knows the types of its columns. On a cluster, which
/// publishes no warehouse, all definitions are views.
struct FigureDefinition: Sendable {
  /// The name of the view or of the table.
  let name: String
  /// The comment and the query, without a semicolon.
  let query: String

  /// All definitions; each comes after those that it reads.
  static let all: [FigureDefinition] = [
    PackageResources.warehouse_views_completeness_sql, PackageResources.warehouse_views_sql,
    PackageResources.warehouse_views_subscriptions_sql,
    PackageResources.warehouse_views_events_sql, PackageResources.warehouse_views_cohorts_sql,
  ].flatMap { definitions(in: String(decoding: $0, as: UTF8.self)) }

  /// The names of the figures.
  static let figures: Set<String> = Set(
    parts(of: String(decoding: PackageResources.warehouse_figures_sql, as: UTF8.self), "TABLE")
      .map { String($0.prefix { $0 != " " }) })

  /// The statements that create the views that are no figures.
  static var views: String {
    all.filter { !figures.contains($0.name) }.map { "\n\($0.view);\n" }.joined()
  }

  /// The statement that creates the definition as a view.
  var view: String { "CREATE VIEW \(name) AS\n\(query)" }

  /// Fills all figures from the written rows.
  static func fill(on db: Database) throws {
    for definition in all where figures.contains(definition.name) {
      try db.execute(sql: "DELETE FROM \(definition.name)")
      try db.execute(sql: "INSERT INTO \(definition.name)\n\(definition.query)")
    }
  }

  private static func definitions(in text: String) -> [FigureDefinition] {
    parts(of: text, "VIEW").map { part in
      let name = part.prefix { $0 != " " }
      let query = part.drop { $0 != "\n" }.dropFirst()
      let end = query.lastIndex(of: ";") ?? query.endIndex
      return FigureDefinition(name: String(name), query: String(query[..<end]))
    }
  }

  /// The texts after each `CREATE` of a kind at the start of a line.
  private static func parts(of text: String, _ kind: String) -> [Substring] {
    var parts: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("CREATE \(kind) ") {
        parts.append(line.dropFirst("CREATE \(kind) ".count))
      } else if let last = parts.last {
        parts[parts.count - 1] = text[last.startIndex..<line.endIndex]
      }
    }
    return parts
  }
}
