internal import GRDB

/// The definition of a view or of a figure, as in `Schema/warehouse_views*.sql`.
///
/// A view casts the columns of a second one, ``untypedPrefix`` and its name, to their types, so
/// that every reader knows them. DuckDB reads a view by its own rules if it understands it: casts
/// then have types, but `7 / 2` is 3.5. What it does not understand it leaves to SQLite, as text.
/// So the outer view is made for both, and the inner one only for SQLite.
///
/// A figure is a table in `Schema/warehouse_figures.sql` that holds the rows of the definition of
/// its name after each publication. On a cluster, which publishes no warehouse, all definitions are
/// views.
struct FigureDefinition: Sendable {
  /// The name of the view or of the table.
  let name: String
  /// The comment that says what one row is, in lines that begin with `--`.
  let grain: String
  /// The query, without a semicolon.
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

  /// The views without types of their own: DuckDB finds the types of their columns, which are those
  /// of tables, counts, and decimals.
  private static let plain: Set = ["revenue", "price_outlier", "dim_customer", "mrr_by_purchase"]

  /// The columns of each view with their types, such as `mrr_micros BIGINT`, from the dictionary.
  ///
  /// A column is a text if it has no unit, or if the unit is a form of texts, such as `ISO 4217` or
  /// `UTC day, YYYY-MM-DD`. BIGINT is 64 bits wide in DuckDB too.
  private static let columns: [String: [(name: String, type: String)]] = {
    let lines = String(decoding: PackageResources.warehouse_meta_sql, as: UTF8.self)
      .split(separator: "\n").prefix { !$0.hasPrefix("INSERT INTO meta_metric") }
    var columns: [String: [(name: String, type: String)]] = [:]
    for line in lines where line.hasPrefix("  ('") {
      // ('mrr_daily', 'currency', 'ISO 4217', …
      let words = line.split(separator: "'", maxSplits: 5)
      let unit = words[4] == ", " ? words[5].prefix { $0 != "'" } : ""
      let isText = unit.isEmpty || unit.contains("ISO") || unit.contains("YYYY")
      columns[String(words[1]), default: []].append((String(words[3]), isText ? "TEXT" : "BIGINT"))
    }
    return columns
  }()

  /// How the names of the views begin that have no types, and that nobody but SQLite understands.
  static let untypedPrefix = "untyped_"

  /// The statements that create the views that are no figures.
  static var views: String {
    all.filter { !figures.contains($0.name) }.map { "\n\($0.typedView);\n" }.joined()
  }

  /// The statement that creates the definition as a view without types.
  var view: String { "CREATE VIEW \(name) AS\n\(grain)\(query)" }

  /// The statements that create the definition as a view with types.
  private var typedView: String {
    guard !Self.plain.contains(name), let columns = Self.columns[name] else { return view }
    let casts = columns.map { "  CAST(\($0.name) AS \($0.type)) AS \($0.name)" }
    return """
      CREATE VIEW \(Self.untypedPrefix)\(name) AS
      -- What \(name) gives types to. DuckDB has no sqlite_version(), and leaves all to SQLite.
      SELECT * FROM (
      \(query)
      ) WHERE sqlite_version() IS NOT NULL;

      CREATE VIEW \(name) AS
      \(grain)SELECT
      \(casts.joined(separator: ",\n"))
      FROM \(Self.untypedPrefix)\(name)
      """
  }

  /// Fills figures from the written rows; by default, all.
  static func fill(_ names: Set<String> = figures, on db: Database) throws {
    for definition in all where names.contains(definition.name) {
      try db.execute(sql: "DELETE FROM \(definition.name)")
      try db.execute(sql: "INSERT INTO \(definition.name)\n\(definition.query)")
    }
  }

  /// Fills all figures after a publication.
  ///
  /// - Parameter isScoped: Whether the run compared only some chains; then ``RecurringChanges`` has
  ///   followed their changes.
  static func fill(isScoped: Bool, on db: Database) throws {
    guard isScoped else { return try fill(on: db) }
    try RecurringChanges.removeEmpty(on: db)
    try fill(figures.subtracting([RecurringChanges.figure]), on: db)
  }

  private static func definitions(in text: String) -> [FigureDefinition] {
    parts(of: text, "VIEW").map { part in
      let name = part.prefix { $0 != " " }
      let body = part.drop { $0 != "\n" }.dropFirst()
      let lines = body[..<(body.lastIndex(of: ";") ?? body.endIndex)]
        .split(separator: "\n", omittingEmptySubsequences: false)
      let comment = lines.prefix { $0.hasPrefix("--") }
      return FigureDefinition(
        name: String(name), grain: comment.map { "\($0)\n" }.joined(),
        query: lines.dropFirst(comment.count).joined(separator: "\n"))
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
