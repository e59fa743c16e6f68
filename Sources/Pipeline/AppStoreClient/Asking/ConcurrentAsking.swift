internal import Diagnostics
internal import Pipeline

/// Asks many questions: several at the same time, until an outage or a signal ends the round.
final class ConcurrentAsking<Question: Identifiable & Sendable, Answer: Sendable>
where Question.ID: Sendable {
  typealias Send = @Sendable (Question) async -> AskingOutcome<Answer>?

  private enum Event: Sendable {
    case settled(Question, AskingOutcome<Answer>?)
    case stopRequested
  }

  private let concurrency: Int
  private let send: Send
  private var outage: OutageDetector
  /// The questions that have been sent, and have no outcome yet.
  private(set) var open: Set<Question.ID> = []

  /// Prepares a round.
  ///
  /// - Parameters:
  ///   - concurrency: The largest number of open questions.
  ///   - send: Sends a question; returns `nil` if the task was cancelled.
  init(concurrency: Int, send: @escaping Send) {
    self.concurrency = concurrency
    self.send = send
    outage = OutageDetector(failureLimit: max(5, concurrency))
  }

  /// Whether the round must end, because Apple cannot be reached.
  var isOut: Bool { outage.isOut }

  /// Whether Apple could not be reached in the whole round.
  var isUnreachable: Bool { outage.isUnreachable }

  /// Asks all questions.
  ///
  /// - Parameters:
  ///   - next: Returns the next question; `nil` if there is none, or if the round must end.
  ///   - take: Takes the outcome of a question, `nil` if it has none because the round ends;
  ///     returns the question to ask in its place at once, with the same id, if there is one.
  func ask(
    next: () throws(RunFailure) -> Question?,
    take: (Question, AskingOutcome<Answer>?) throws(RunFailure) -> Question?
  ) async throws(RunFailure) {
    let result = await withTaskGroup(of: Event.self) { group -> Result<Void, RunFailure> in
      defer { group.cancelAll() }
      group.addTask {
        await StopSignal.untilReceived()
        return .stopRequested
      }
      do throws(RunFailure) {
        try await ask(in: &group, next: next, take: take)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    open = []
    try result.get()
  }

  private func ask(
    in group: inout TaskGroup<Event>, next: () throws(RunFailure) -> Question?,
    take: (Question, AskingOutcome<Answer>?) throws(RunFailure) -> Question?
  ) async throws(RunFailure) {
    while true {
      while open.count < concurrency, let question = try next() { start(question, in: &group) }
      guard !open.isEmpty, let event = await group.next() else { return }
      switch event {
      case .stopRequested:
        group.cancelAll()
        try StopSignal.check()
      case .settled(let question, let outcome):
        note(outcome)
        if let further = try take(question, outcome) {
          start(further, in: &group)
        } else {
          open.remove(question.id)
        }
        if isOut { group.cancelAll() }
      }
    }
  }

  private func start(_ question: Question, in group: inout TaskGroup<Event>) {
    open.insert(question.id)
    group.addTask { [send] in .settled(question, await send(question)) }
  }

  private func note(_ outcome: AskingOutcome<Answer>?) {
    switch outcome {
    case .answer, .rejected: outage.receiptSettled()
    case .pending: outage.receiptGivenUp()
    case .refused, nil: break
    }
  }
}
