internal import Diagnostics
internal import GRDB

/// Tests that are asked in one query: those that single rows of a table break, or one other test.
struct DataTestQuestion: Hashable, Sendable {
  /// The positions of the tests among ``DataTest/all``.
  private(set) var tests: [Int]
  /// The table that is scanned once; `nil` for one test with a query of its own.
  private let table: String?

  /// All questions: the scans by their tables' first occurrence, then the other tests.
  static let all: [DataTestQuestion] = {
    var scans: [DataTestQuestion] = []
    var others: [DataTestQuestion] = []
    for (index, test) in DataTest.all.enumerated() {
      if test.conditions.isEmpty { others.append(DataTestQuestion(tests: [index], table: nil)) }
      for condition in test.conditions {
        if let place = scans.firstIndex(where: { $0.table == condition.table }) {
          scans[place].tests.append(index)
        } else {
          scans.append(DataTestQuestion(tests: [index], table: condition.table))
        }
      }
    }
    return scans + others
  }()

  /// The numbers of failing rows, one a test.
  ///
  /// A scan counts the rows that break any test of severity error at once: there are none, as a
  /// rule, and only else is every test counted by itself. Within the scope of touched rows, tests
  /// of severity error look at those alone; warnings are counted over all rows.
  func failingRows(on db: Database, scope: ExaminationScope = .everything) throws -> [Int] {
    guard let table else {
      return try tests.map { index in
        let test = DataTest.all[index]
        let sql = scope == .everything ? test.sql : test.touchedSQL ?? test.sql
        return try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))") ?? 0
      }
    }
    let errors = tests.filter { DataTest.all[$0].severity == .error }
    let together = errors.map { "(\(condition(of: $0)))" }.joined(separator: " OR ")
    if !errors.isEmpty {
      let isSound =
        try Bool.fetchOne(
          db, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(scope.rows(of: table)) WHERE \(together))")
        ?? false
      guard !isSound else {
        return try counts(of: tests.filter { !errors.contains($0) }, in: table, on: db)
      }
    }
    return try counts(of: tests, in: table, on: db)
  }

  /// The numbers of rows that break these tests, one a test of the question; 0 for the others.
  private func counts(of counted: [Int], in table: String, on db: Database) throws -> [Int] {
    guard !counted.isEmpty else { return tests.map { _ in 0 } }
    let columns = counted.map { "count(1) FILTER (WHERE \(condition(of: $0)))" }
    let row = try Row.fetchOne(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table)")
    return tests.map { test in
      guard let column = counted.firstIndex(of: test) else { return 0 }
      return row?[column] ?? 0
    }
  }

  private func condition(of test: Int) -> String {
    DataTest.all[test].conditions.first { $0.table == table }?.sql ?? "0"
  }
}

extension DataTest {
  /// Runs all tests on an open database.
  static func run(on db: Database) throws -> [DataTestResult] {
    results(
      try DataTestQuestion.all.map { question in
        (question, try question.failingRows(on: db))
      })
  }

  /// The results of all tests from the answers to all questions.
  static func results(_ answers: [(question: DataTestQuestion, failingRows: [Int])])
    -> [DataTestResult]
  {
    var results = all.map { DataTestResult(test: $0, failingRows: 0) }
    for (question, failingRows) in answers {
      for (test, count) in zip(question.tests, failingRows) { results[test].failingRows += count }
    }
    return results
  }

  /// Keeps what a run's tests found.
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
      "\(failure.test.name): \(failure.failingRows) rows, found by\n\(failure.test.sql)"
    }
    throw RunFailure(
      .dataRefused,
      "\(path): \(failures.count) of \(results.count) data tests failed, so nothing was published "
        + "and the facts of the run before stand.\n" + list.joined(separator: "\n"))
  }
}
