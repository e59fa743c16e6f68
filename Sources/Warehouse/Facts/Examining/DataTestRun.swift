internal import Diagnostics
internal import GRDB

/// Tests that are asked in one query: those that the rows of one table decide, or one other test.
struct DataTestQuestion: Hashable, Sendable {
  /// One of the two kinds of rows that a test balances.
  struct Half: Hashable, Sendable {
    /// The position of the test among ``DataTest/all``.
    var test: Int
    /// Which rows are of the kind.
    var condition: RowCondition
    /// Whether the rows are taken off rather than counted.
    var isOther: Bool
  }

  /// What was found out.
  struct Answer: Sendable {
    /// The numbers of failing rows, one a test of the question.
    var failingRows: [Int]
    /// The numbers of rows, one a half of the question.
    var rows: [Int] = []
  }

  /// The positions of the tests among ``DataTest/all`` that single rows break, or of the other one.
  private(set) var tests: [Int] = []
  /// What else is counted in the table.
  private(set) var halves: [Half] = []
  /// The table that is scanned once; `nil` for one test with a query of its own.
  private let table: String?

  /// All questions: the scans by their tables' first occurrence, then the other tests.
  static let all: [DataTestQuestion] = {
    var scans: [DataTestQuestion] = []
    var others: [DataTestQuestion] = []
    func scan(of table: String) -> Int {
      if let place = scans.firstIndex(where: { $0.table == table }) { return place }
      scans.append(DataTestQuestion(table: table))
      return scans.count - 1
    }
    for (index, test) in DataTest.all.enumerated() {
      if let balance = test.balance {
        for (condition, isOther) in [(balance.one, false), (balance.other, true)] {
          scans[scan(of: condition.table)].halves.append(
            Half(test: index, condition: condition, isOther: isOther))
        }
      } else if test.conditions.isEmpty {
        others.append(DataTestQuestion(tests: [index], table: nil))
      }
      for condition in test.conditions { scans[scan(of: condition.table)].tests.append(index) }
    }
    return scans + others
  }()

  private init(tests: [Int] = [], table: String?) {
    self.tests = tests
    self.table = table
  }

  /// Asks.
  ///
  /// A scan counts the rows that break any test of severity error at once: there are none, as a
  /// rule, and only else is every test counted by itself. Within the scope of touched rows, tests
  /// of severity error look at those alone; warnings are counted over all rows.
  func answer(on db: Database, scope: ExaminationScope = .everything) throws -> Answer {
    guard let table else {
      let failing = try tests.map { index in
        let test = DataTest.all[index]
        let sql = scope == .everything ? test.sql : test.touchedSQL ?? test.sql
        return try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))") ?? 0
      }
      return Answer(failingRows: failing)
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

  /// How many rows break these tests, 0 for the others of the question, and how many each half has.
  private func counts(of counted: [Int], in table: String, on db: Database) throws -> Answer {
    let conditions = counted.map { condition(of: $0) } + halves.map(\.condition.sql)
    guard !conditions.isEmpty else { return Answer(failingRows: tests.map { _ in 0 }) }
    let columns = conditions.map { "count(1) FILTER (WHERE \($0))" }
    let row = try Row.fetchOne(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table)")
    return Answer(
      failingRows: tests.map { test in
        guard let column = counted.firstIndex(of: test) else { return 0 }
        return row?[column] ?? 0
      },
      rows: halves.indices.map { row?[counted.count + $0] ?? 0 })
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
        (question, try question.answer(on: db))
      })
  }

  /// The results of all tests from the answers to all questions.
  static func results(_ answers: [(question: DataTestQuestion, answer: DataTestQuestion.Answer)])
    -> [DataTestResult]
  {
    var failingRows = all.map { _ in 0 }
    var surplus = all.map { _ in 0 }
    for (question, answer) in answers {
      for (test, count) in zip(question.tests, answer.failingRows) { failingRows[test] += count }
      for (half, count) in zip(question.halves, answer.rows) {
        surplus[half.test] += half.isOther ? -count : count
      }
    }
    // The query of a balance returns one row where there is none.
    return all.indices.map {
      DataTestResult(test: all[$0], failingRows: failingRows[$0] + (surplus[$0] == 0 ? 0 : 1))
    }
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
      let rows = Count.text(failure.failingRows, "row")
      return "\(failure.test.name): \(rows), found by\n\(failure.test.sql)"
    }
    throw RunFailure(
      .dataRefused,
      "\(path): \(failures.count) of \(results.count) data tests failed, so nothing was published "
        + "and the facts of the run before stand.\n" + list.joined(separator: "\n"))
  }
}
