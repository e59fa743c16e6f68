internal import Diagnostics
internal import Dispatch
internal import GRDB
internal import Synchronization

/// The examination of a file that this process has just built and that nobody else has open.
///
/// It asks what ``Examination`` asks of everything, in a fraction of the time: whatever single rows
/// can break is asked of the records in the pages themselves, by all threads, and what rows point
/// to is looked up in sets, or read beside them. The pages are examined on the way, and so is what
/// their columns hold. It knows two answers only. That nothing is wrong, with the numbers of rows
/// that tests warn of; or that it cannot say so, and then SQLite has to find out what is.
final class FreshExamination: Sendable {
  private typealias Table = (conditions: TableConditions, rows: StoredTable)

  private enum Step {
    /// Gathering the values that rows are looked up in.
    case fill(Int)
    /// A data test that more than one row decides.
    case ask(Int)
    /// The rows of some leaves of a table with those that they point to.
    case join(Int, Range<Int>)
    /// The rows of some leaves of a table, and the leaves.
    case scan(Int, Range<Int>)
    /// Some leaves of an index, or of the schema.
    case leaves(Int, Range<Int>)
  }

  private struct State {
    var next = 0
    var isSound = true
    var failingRows = DataTest.all.map { _ in 0 }
    /// By data test: rows of the one kind less those of the other.
    var surplus = DataTest.all.map { _ in 0 }
  }

  private static let leavesInStep = 512

  private let tables: [Table]
  private let joins: [JoinedConditions]
  private let others: [ExaminedTree]
  private let queries: [String]
  private let sets: [ValueSet]
  private let steps: [Step]
  private let use: PageUse
  private let filling = DispatchGroup()
  private let state = Mutex(State())

  /// Plans the examination of a file, given one of its connections.
  ///
  /// - Throws: ``UnknownCondition`` or ``DamagedPage`` where only SQLite can tell.
  init(path: String, on db: Database) throws {
    let subqueries = Subqueries(db)
    let examination = try PageExamination(try StoredPages(path: path))
    use = examination.use
    let roots = try Row.fetchAll(
      db, sql: "SELECT name, rootpage, type FROM sqlite_schema WHERE rootpage > 0 ORDER BY name")
    tables = try roots.filter { $0[2] == "table" }.map { row in
      (
        try TableConditions(row[0], subqueries: subqueries, on: db),
        StoredTable(try ExaminedTree(examination, root: row[1], isIndex: false))
      )
    }
    // The schema itself is a table without conditions, and its root the first page.
    others =
      [try ExaminedTree(examination, root: 1, isIndex: false)]
      + (try roots.filter { $0[2] != "table" }.map {
        try ExaminedTree(examination, root: $0[1], isIndex: true)
      })
    joins = try DataTest.all.enumerated().compactMap { index, test in
      try test.joined.map {
        try JoinedConditions($0, test: index, subqueries: subqueries, on: db)
      }
    }
    queries = subqueries.queries
    sets = queries.map { _ in ValueSet() }
    steps = Self.steps(sets: queries.count, joins: joins, tables: tables, others: others)
    for _ in queries { filling.enter() }
  }

  /// All steps, those first that cannot be shared.
  private static func steps(
    sets: Int, joins: [JoinedConditions], tables: [Table], others: [ExaminedTree]
  ) -> [Step] {
    func shared(_ leaves: [UInt32], _ step: (Range<Int>) -> Step) -> [Step] {
      stride(from: 0, to: leaves.count, by: leavesInStep).map {
        step($0..<min($0 + leavesInStep, leaves.count))
      }
    }
    let questions = DataTest.all.indices.filter { index in
      let test = DataTest.all[index]
      return test.conditions.isEmpty && test.balance == nil && test.joined == nil
        && test.name != DataTest.foreignKeys
    }
    let joined = joins.enumerated().flatMap { index, join in
      tables.filter { $0.conditions.table == join.table }
        .flatMap { shared($0.rows.leaves) { .join(index, $0) } }
    }
    let scans = tables.enumerated().flatMap { index, table in
      shared(table.rows.leaves) { .scan(index, $0) }
    }
    let rest = others.enumerated().flatMap { index, tree in
      shared(tree.leaves) { .leaves(index, $0) }
    }
    return (0..<sets).map { .fill($0) } + questions.map { .ask($0) } + joined + scans + rest
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
      (state.isSound && use.isComplete && state.surplus.allSatisfy { $0 == 0 }, state.failingRows)
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
    case .ask(let test):
      let sql = DataTest.all[test].sql
      let count = try Int.fetchOne(db, sql: "SELECT count(1) FROM (\(sql))")
      state.withLock { $0.failingRows[test] += count ?? 0 }
      return count != nil
    case .scan(let table, let leaves):
      filling.wait()
      return try scan(tables[table].conditions, tables[table].rows, leaves)
    case .join(let join, let leaves):
      filling.wait()
      return try ask(joins[join], leaves)
    case .leaves(let tree, let leaves):
      try others[tree].examineLeaves(leaves)
      return true
    }
  }

  private func ask(_ join: JoinedConditions, _ leaves: Range<Int>) throws -> Bool {
    let named = [join.table, join.parent].compactMap { name in
      tables.first { $0.conditions.table == name }?.rows
    }
    guard named.count == 2 else { return false }
    let findings = try join.ask(named[0].rows(in: leaves), parents: named[1], sets: sets)
    state.withLock { $0.failingRows[join.test] += findings.counts[0] }
    return !findings.isDoubtful
  }

  private func scan(_ conditions: TableConditions, _ table: StoredTable, _ leaves: Range<Int>)
    throws -> Bool
  {
    var evaluator = ConditionEvaluator(conditions.program, conditions.shape, sets: sets)
    unsafe try table.forEachRow(in: leaves) { row, record in
      unsafe evaluator.ask(record, row: row)
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
