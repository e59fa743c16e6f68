internal import GRDB

/// The data tests that examine each row without other rows, for example for a missing amount.
///
/// A run does not count all rows again. It subtracts the changed rows that failed
/// before, and adds the changed rows that fail now. Example: 2,818 amounts were unresolved, and 5
/// of them are now known → 2,813.
enum CountedTests {
  /// Returns the number of failing rows of each counted test.
  ///
  /// - Parameters:
  ///   - changes: For each test, the change in its number of failing rows since the last run; `nil`
  ///     to count all rows.
  static func failingRows(after changes: [String: Int]?, on db: Database) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for test in DataTest.all where test.isCounted {
      let last = try changes.flatMap { try failingRows(of: test.name, after: $0, on: db) }
      found[test.name] = try last ?? test.failingRows(on: db)
    }
    return found
  }

  /// Returns the number of failing rows of one counted test; `nil` if all rows must be counted.
  static func failingRows(of name: String, after changes: [String: Int], on db: Database) throws
    -> Int?
  {
    guard let test = DataTest.all.first(where: { $0.name == name }) else { return nil }
    return try lastResult(of: test, on: db).map { $0 + (changes[name] ?? 0) }
  }

  /// The number of failing rows in the previous run; `nil` if the test's query was different then.
  private static func lastResult(of test: DataTest, on db: Database) throws -> Int? {
    try Int.fetchOne(
      db,
      sql: """
        SELECT failing_rows FROM main.data_test_result
        WHERE run_id = (SELECT max(run_id) FROM main.data_test_result) AND test = ? AND sql = ?
        """,
      arguments: [test.name, test.sql])
  }
}
