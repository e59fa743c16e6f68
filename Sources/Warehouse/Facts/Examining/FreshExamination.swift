internal import Diagnostics
internal import Dispatch
internal import GRDB
internal import Synchronization

/// The examination of a file that this process has just built and that nobody else has open.
///
/// It asks what ``Examination`` asks of everything, in a fraction of the time: whatever single rows
/// can break is asked of the records in the pages themselves, by all threads, and what rows point
/// to is looked up in sets. It knows two answers only. That nothing is wrong, with the numbers of
/// rows that tests warn of; or that it cannot say so, and then SQLite has to find out what is.
final class FreshExamination: Sendable {
  private enum Step {
    /// Gathering the values that rows are looked up in.
    case fill(Int)
    /// Whether the file is damaged, or a column holds what it may not.
    case damage
    /// A data test that more than one row decides.
    case ask(Int)
    /// The rows of some leaves of a table.
    case scan(Int, Range<Int>)
  }

  private struct State {
    var next = 0
    var isSound = true
    var failingRows = DataTest.all.map { _ in 0 }
    /// By data test: rows of the one kind less those of the other.
    var surplus = DataTest.all.map { _ in 0 }
  }

  private static let leavesInStep = 512

  private let tables: [(conditions: TableConditions, rows: StoredTable)]
  private let queries: [String]
  private let sets: [ValueSet]
  private let steps: [Step]
  private let filling = DispatchGroup()
  private let state = Mutex(State())

  /// Plans the examination of a file, given one of its connections.
  ///
  /// - Throws: ``UnknownCondition`` or ``DamagedPage`` where only SQLite can tell.
  init(path: String, on db: Database) throws {
    let subqueries = Subqueries(db)
    let pages = try StoredPages(path: path)
    let roots = try Row.fetchAll(
      db, sql: "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    tables = try roots.map { row in
      (
        try TableConditions(row[0], subqueries: subqueries, on: db),
        try StoredTable(pages, root: row[1])
      )
    }
    queries = subqueries.queries
    sets = queries.map { _ in ValueSet() }
    let others = DataTest.all.indices.filter { index in
      let test = DataTest.all[index]
      return test.conditions.isEmpty && test.balance == nil && test.name != DataTest.foreignKeys
    }
    let scans = tables.enumerated().flatMap { index, table -> [Step] in
      guard !table.conditions.meanings.isEmpty else { return [] }
      return stride(from: 0, to: table.rows.leaves.count, by: Self.leavesInStep).map {
        .scan(index, $0..<min($0 + Self.leavesInStep, table.rows.leaves.count))
      }
    }
    // What takes longest and cannot be shared comes first.
    steps = [.damage] + queries.indices.map { .fill($0) } + others.map { .ask($0) } + scans
    for _ in queries { filling.enter() }
  }

  /// Takes steps until none is left that nobody has begun; several connections may.
  func work(on db: Database) {
    while let step = state.withLock({ state -> Step? in
      guard state.next < steps.count else { return nil }
      state.next += 1
      return steps[state.next - 1]
    }) {
      let isSound = (try? take(step, on: db)) ?? false
      if !isSound { state.withLock { $0.isSound = false } }
    }
  }

  /// What the data tests found; `nil` where something is wrong, or may be.
  var results: [DataTestResult]? {
    let (isSound, failingRows) = state.withLock { state in
      (state.isSound && state.surplus.allSatisfy { $0 == 0 }, state.failingRows)
    }
    let results = zip(DataTest.all, failingRows).map {
      DataTestResult(test: $0, failingRows: $1)
    }
    return isSound && !results.contains(where: \.isFailure) ? results : nil
  }

  /// Whether a step found nothing that must not be.
  private func take(_ step: Step, on db: Database) throws -> Bool {
    switch step {
    case .fill(let set):
      defer { filling.leave() }
      try sets[set].fill(from: try RawStatement("a set", queries[set], on: db))
      return true
    case .damage:
      // CHECKs are asked of the rows. A connection that may only read would not know them.
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
      return try String.fetchAll(db, sql: "PRAGMA quick_check") == ["ok"]
    case .ask(let test):
      let sql = DataTest.all[test].sql
      let count = try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))")
      state.withLock { $0.failingRows[test] += count ?? 0 }
      return count != nil
    case .scan(let table, let leaves):
      filling.wait()
      return try scan(tables[table].conditions, tables[table].rows, leaves)
    }
  }

  private func scan(_ conditions: TableConditions, _ table: StoredTable, _ leaves: Range<Int>)
    throws -> Bool
  {
    var evaluator = ConditionEvaluator(
      conditions.program, columns: conditions.columns, keyColumn: conditions.keyColumn, sets: sets)
    unsafe try table.forEachRow(in: leaves) { row, record in unsafe evaluator.ask(record, row: row)
    }
    let findings = evaluator.finish()
    var isSound = !findings.isDoubtful
    state.withLock { state in
      for (meaning, count) in zip(conditions.meanings, findings.counts) {
        switch meaning {
        case .test(let test): state.failingRows[test] += count
        case .one(let test): state.surplus[test] += count
        case .other(let test): state.surplus[test] -= count
        case .check, .reference: isSound = isSound && count == 0
        }
      }
    }
    return isSound
  }
}
