package import Diagnostics
internal import GRDB

extension DatabaseFile {
  /// Returns what is wrong with the file: damaged pages, lost tables, lost or changed views.
  ///
  /// - Parameter isThorough: Whether to compare indexes with their tables too.
  package func damage(isThorough: Bool) throws(RunFailure) -> [String] {
    let check = isThorough ? "integrity_check" : "quick_check"
    return try read { db in
      let objects = try SchemaObjects(of: db, format: format)
      let pages = try String.fetchAll(db, sql: "PRAGMA \(check)(10)").filter { $0 != "ok" }
      let schema = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index', 'view', 'trigger')
          """
      ).map { "the schema names \($0) with an unknown type" }
      let tables = objects.lostTables.map { "the table \($0.name) was removed" }
      let views = objects.otherViews.map {
        "the view \($0.name) was removed or changed; the next run that publishes creates it again"
      }
      return (pages + schema + tables + views).map { "\(path): \($0)" }
    }
  }
}
