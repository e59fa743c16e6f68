internal import GRDB

/// The data tests that count rows, each by itself, such as those with an unresolved amount.
///
/// A night does not count all rows again: the rows outside of its scope are as many as before. For
/// example 2,818 amounts were unresolved, 30 of them in the scope; 25 of the scope are unresolved
/// now, so that 2,813 are.
struct CountedTests {
  private let isScoped: Bool
  private var outside: [String: Int] = [:]  // by test: the rows that fail outside of the scope

  /// Prepares to count.
  ///
  /// - Parameters:
  ///   - db: The warehouse before it changes, with the scope's tables if there is one.
  ///   - isScoped: Whether only rows of the scope change.
  /// - Throws: `DatabaseError` of SQLite.
  init(on db: Database, isScoped: Bool) throws {
    self.isScoped = isScoped
    guard isScoped else { return }
    for (name, inside) in try failingRowsInScope(on: db) {
      outside[name] = try Self.lastResult(of: name, on: db).map { $0 - inside }
    }
  }

  /// The rows that fail now, by test.
  func failingRows(on db: Database) throws -> [String: Int] {
    var found = isScoped ? try failingRowsInScope(on: db) : [:]
    for test in DataTest.all where test.isCounted {
      if let outside = outside[test.name], let inside = found[test.name] {
        found[test.name] = outside + inside
      } else {
        found[test.name] = try test.failingRows(on: db)
      }
    }
    return found
  }

  private func failingRowsInScope(on db: Database) throws -> [String: Int] {
    try db.execute(
      sql: """
        CREATE TEMP VIEW fct_revenue AS SELECT * FROM main.fct_revenue
        WHERE purchase_key IN (SELECT key FROM temp.scope_purchase)
        """)
    var found: [String: Int] = [:]
    for test in DataTest.all where test.isCounted {
      found[test.name] = try test.failingRows(on: db)
    }
    try db.execute(sql: "DROP VIEW temp.fct_revenue")
    return found
  }

  /// The result of the last run; `nil` if it asked another question.
  private static func lastResult(of name: String, on db: Database) throws -> Int? {
    guard let test = DataTest.all.first(where: { $0.name == name }) else { return nil }
    return try Int.fetchOne(
      db,
      sql: """
        SELECT failing_rows FROM main.data_test_result
        WHERE run_id = (SELECT max(run_id) FROM main.audit_run) AND test = ? AND sql = ?
        """,
      arguments: [name, test.sql])
  }
}
