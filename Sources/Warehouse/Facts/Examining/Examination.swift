internal import Diagnostics
internal import GRDB
internal import Synchronization

/// One thing that is asked of finished facts before they become visible.
enum Inquiry: Hashable, Sendable {
  /// Whether rows break these data tests.
  case tests(DataTestQuestion)
  /// Whether the file is damaged, or a row breaks a CHECK of its table.
  case damage

  /// Everything that is asked, what takes longest first.
  static let all: [Inquiry] =
    DataTestQuestion.all.prefix(1).map { .tests($0) } + [.damage]
    + DataTestQuestion.all.dropFirst().map { .tests($0) }

  /// What was found out.
  enum Answer: Sendable {
    /// What was found out about data tests.
    case tests(DataTestQuestion.Answer)
    /// The words for what is wrong; empty where nothing is.
    case faults([String])
  }

  /// Asks; about CHECKs only a connection that may write, as others do not know them.
  func answer(on db: Database, scope: ExaminationScope, asksChecks: Bool) throws -> Answer {
    switch self {
    case .tests(let question):
      return .tests(try question.answer(on: db, scope: scope))
    case .damage:
      guard scope == .everything else { return .faults([]) }
      try db.execute(sql: "PRAGMA ignore_check_constraints = \(asksChecks ? "OFF" : "ON")")
      defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
      let words = try String.fetchAll(db, sql: "PRAGMA quick_check")
      return .faults(words == ["ok"] ? [] : words)
    }
  }
}

/// All inquiries into finished facts, by as many connections as take part.
final class Examination: Sendable {
  private struct State {
    var next = 0
    var answers: [Result<Inquiry.Answer, any Error>?]
  }

  private let scope: ExaminationScope
  private let asksChecks: Bool
  private let state = Mutex(State(answers: Inquiry.all.map { _ in nil }))

  /// Begins to inquire into all rows, or only into those that a run touched.
  ///
  /// What SQLite wrote row by row it wrote under its CHECKs, and need not be asked about them.
  init(_ scope: ExaminationScope = .everything, asksChecks: Bool = true) {
    self.scope = scope
    self.asksChecks = asksChecks
  }

  /// Answers inquiries until none is left that nobody has begun.
  func work(on db: Database) {
    while let index = state.withLock({ state -> Int? in
      guard state.next < Inquiry.all.count else { return nil }
      state.next += 1
      return state.next - 1
    }) {
      let answer = Result {
        try Inquiry.all[index].answer(on: db, scope: scope, asksChecks: asksChecks)
      }
      state.withLock { $0.answers[index] = answer }
    }
  }

  /// The results of the data tests, once all work is done.
  ///
  /// Broken CHECKs and damage are no results: they throw ``ExitStatus/invariantBroken`` and
  /// ``ExitStatus/inputOutput``.
  func testResults(path: String) throws -> [DataTestResult] {
    var tests: [(question: DataTestQuestion, answer: DataTestQuestion.Answer)] = []
    var broken: [String] = []
    var damage: [String] = []
    for (inquiry, answer) in zip(Inquiry.all, state.withLock { $0.answers }) {
      switch (inquiry, try answer?.get()) {
      case (.tests(let question), .tests(let answer)): tests.append((question, answer))
      case (.damage, .faults(let words)):
        broken += words.filter { $0.hasPrefix("CHECK constraint failed") }
        damage += words.filter { !$0.hasPrefix("CHECK constraint failed") }
      default: preconditionFailure("\(inquiry) was not answered")
      }
    }
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
    return DataTest.results(tests)
  }
}
