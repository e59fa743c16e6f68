internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

extension DataTest {
  /// The number of rows that break it.
  func failingRows(on db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))") ?? 0
  }

  /// Runs all tests on an open database.
  static func run(on db: Database) throws -> [DataTestResult] {
    try all.map { DataTestResult(test: $0, failingRows: try $0.failingRows(on: db)) }
  }

  /// Keeps the results of a run's tests.
  static func store(_ results: [DataTestResult], run: Int64, on db: Database) throws {
    let statement = try RawStatement(
      "data_test_result", "INSERT OR REPLACE INTO data_test_result VALUES (?, ?, ?, ?, ?)", on: db)
    for result in results {
      statement.bind(run, at: 1)
      statement.bind(result.test.name, at: 2)
      statement.bind(result.test.severity.rawValue, at: 3)
      statement.bind(Int64(result.failingRows), at: 4)
      statement.bind(result.test.sql, at: 5)
      try statement.run()
    }
  }

  /// Refuses facts that break a test.
  static func require(_ results: [DataTestResult], path: String) throws(RunFailure) {
    let failures = results.filter(\.isFailure)
    guard !failures.isEmpty else { return }
    let list = failures.map { failure in
      let rows = Count.text(failure.failingRows, "row")
      return "\(failure.test.name): \(rows). \(failure.test.meaning) Found by\n\(failure.test.sql)"
    }
    throw RunFailure(
      .dataRefused,
      "\(path): \(failures.count) of \(results.count) data tests failed, so nothing was published "
        + "and the facts of the run before stand.\n" + list.joined(separator: "\n"))
  }
}
