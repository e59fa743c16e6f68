internal import Diagnostics
internal import GRDB
internal import Synchronization

/// The examination of finished facts before they become visible, shared by several connections.
///
/// SQLite checks the file for damage and the rows against the CHECKs of their tables. The data
/// tests check the rest.
final class Examination: Sendable {
  private struct State {
    var next = 0
    var failingRows: [Result<Int, any Error>?]
    var faults: Result<[String], any Error> = .success([])
  }

  private let scope: ExaminationScope
  private let state = Mutex(State(failingRows: DataTest.all.map { _ in nil }))

  /// Begins to examine all rows, or only those that a run touched.
  ///
  /// - Parameters:
  ///   - scope: The rows.
  ///   - known: Results that need not be found again, by the test's name.
  init(_ scope: ExaminationScope = .everything, known: [String: Int] = [:]) {
    self.scope = scope
    for (index, test) in DataTest.all.enumerated() {
      if let rows = known[test.name] { state.withLock { $0.failingRows[index] = .success(rows) } }
    }
  }

  /// Checks whether a file that was written page by page is sound, because SQLite saw none of its
  /// rows.
  ///
  /// The connection must be able to write, because others do not load the CHECKs.
  func checkFile(on db: Database) {
    let faults = Result { () -> [String] in
      let words = try String.fetchAll(db, sql: "PRAGMA quick_check")
      return words == ["ok"] ? [] : words
    }
    state.withLock { $0.faults = faults }
  }

  /// Runs data tests until every one has been begun.
  func work(on db: Database) {
    do {
      try scope.narrow(db)
      defer { try? scope.widen(db) }
      while let index = next() {
        let failing = Result { try DataTest.all[index].failingRows(on: db) }
        state.withLock { $0.failingRows[index] = failing }
      }
    } catch {
      while let index = next() { state.withLock { $0.failingRows[index] = .failure(error) } }
    }
  }

  private func next() -> Int? {
    state.withLock { state in
      while state.next < DataTest.all.count {
        state.next += 1
        if state.failingRows[state.next - 1] == nil { return state.next - 1 }
      }
      return nil
    }
  }

  /// The results of the data tests, once all work is done.
  ///
  /// Broken CHECKs and damage are not results: they throw ``ExitStatus/invariantBroken`` and
  /// ``ExitStatus/inputOutput``.
  func testResults(path: String) throws -> [DataTestResult] {
    let (faults, failingRows) = state.withLock { ($0.faults, $0.failingRows) }
    try require(try faults.get(), path: path)
    return try zip(DataTest.all, failingRows).map { test, failing in
      guard let failing else { preconditionFailure("\(test.name) was not asked") }
      return DataTestResult(test: test, failingRows: try failing.get())
    }
  }

  private func require(_ faults: [String], path: String) throws(RunFailure) {
    let broken = faults.filter { $0.hasPrefix("CHECK constraint failed") }
    let damage = faults.filter { !$0.hasPrefix("CHECK constraint failed") }
    guard broken.isEmpty else {
      throw RunFailure(
        .invariantBroken,
        "\(path): rows do not fit the schema: \(broken.prefix(5).joined(separator: "; ")). "
          + "Nothing was published; this is a bug, please report it.")
    }
    guard damage.isEmpty else {
      throw RunFailure(
        .inputOutput,
        "\(path): the file is damaged: \(damage.prefix(5).joined(separator: "; ")). "
          + "Nothing was published; check the disk, remove the file and run again.")
    }
  }
}
