internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

extension DataTest {
  /// Counts the rows that break the test.
  func failingRows(on db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))") ?? 0
  }

  /// Runs all tests on an open database.
  static func run(
    _ scope: ExaminationScope = .everything, known: [String: Int] = [:], on db: Database
  ) throws -> [DataTestResult] {
    try scope.narrow(db)
    defer { try? scope.widen(db) }
    let found = try failingRows(of: all.filter { known[$0.name] == nil }, on: db)
    return all.map { test in
      DataTestResult(test: test, failingRows: known[test.name] ?? found[test.name] ?? 0)
    }
  }

  /// Counts the rows that break each of some tests.
  static func failingRows(of tests: [DataTest], on db: Database) throws -> [String: Int] {
    var found = try failingPurchases(tests, on: db)
    for test in tests where found[test.name] == nil {
      found[test.name] = try test.failingRows(on: db)
    }
    return found
  }

  /// Counts the rows of `fct_revenue` that break each test with a ``DataTest/rowCondition``.
  private static func failingPurchases(_ tests: [DataTest], on db: Database) throws -> [String: Int]
  {
    let asked = tests.compactMap { test in test.rowCondition.map { (name: test.name, sql: $0) } }
    guard !asked.isEmpty else { return [:] }
    let counts = asked.map { "count(CASE WHEN \($0.sql) THEN 1 END)" }
    let joins = Set(tests.flatMap(\.rowJoins)).sorted().joined(separator: "\n")
    let row = try StoredRow.fetchOne(
      db, sql: "SELECT \(counts.joined(separator: ", ")) FROM fct_revenue AS r\n\(joins)")
    return Dictionary(
      uniqueKeysWithValues: asked.enumerated().map { ($1.name, row?[$0] ?? 0) })
  }

  static func store(_ results: [DataTestResult], run: Int64, on db: Database) throws {
    let statement = try RawStatement(
      "data_test_result", "INSERT OR REPLACE INTO data_test_result VALUES (?, ?, ?, ?, ?)", on: db)
    for result in results {
      try statement.run(
        run, result.test.name, result.test.severity.rawValue, result.failingRows, result.test.sql)
    }
  }

  /// Throws if a test with severity error failed.
  static func require(_ results: [DataTestResult], path: String) throws(RunFailure) {
    let failures = results.filter(\.isFailure)
    guard !failures.isEmpty else { return }
    let list = failures.map { failure in
      let rows = Count.text(failure.failingRows, "row")
      return "\(failure.test.name): \(rows). \(failure.test.meaning) Found by\n\(failure.test.sql)"
    }
    throw RunFailure(
      .dataRefused,
      "\(path): \(failures.count) of \(results.count) data tests failed, so nothing was "
        + "published; the facts of the previous run remain. Correct the input that caused the rows "
        + "below, or report a bug.\n" + list.joined(separator: "\n"))
  }
}
