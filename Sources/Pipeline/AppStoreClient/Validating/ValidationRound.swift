internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Pipeline
internal import StateStore

/// Reads all raw receipts once, and requests responses to receipts without a final result.
///
/// Each outcome is stored as soon as it is known.
final class ValidationRound {
  /// A receipt, with the file and line in which it occurs.
  private struct Placed: Identifiable, Sendable {
    let receipt: RawReceipt
    /// The identity under which the state of the receipt is stored.
    let id: AskedKey
    let file: String
  }

  /// The number of runs with status 21002 after which a receipt is treated as malformed.
  private static let doubtfulRunsMax = 3

  private let store: AskedDatabase
  private let exports: AnswerExports
  private let decider: ReceiptDecider
  private let erased: CustomerReplacement?
  private let answeredAfter: Instant?
  private let asking: ConcurrentAsking<Placed, AppleAnswer>
  private var pendingBefore: [AskedKey: String] = [:]
  private var refusals: [String] = []
  var tally = AskingTally(of: "receipt")

  /// Prepares a round.
  ///
  /// - Parameters:
  ///   - erased: Replaces erased customers by pseudonyms; `nil` if no customer is erased.
  ///   - concurrency: The number of concurrent requests.
  ///   - answeredAfter: Receipts with a response before this time are sent again; `nil` if a
  ///     receipt with a response is never sent again.
  init(
    store: AskedDatabase, exports: AnswerExports, decider: ReceiptDecider,
    erased: CustomerReplacement?, concurrency: Int, answeredAfter: Instant?
  ) {
    self.store = store
    self.exports = exports
    self.decider = decider
    self.erased = erased
    self.answeredAfter = answeredAfter
    asking = ConcurrentAsking(concurrency: concurrency) { [decide = decider.decide] placed in
      await decide(placed.receipt)
    }
  }

  /// The number of receipts that earlier runs left pending and that are in no input file now.
  ///
  /// 0 if the run stopped early or reads receipts locally.
  var lostPending: Int { asking.isOut || decider.isLocal ? 0 : pendingBefore.count }
  /// Up to five of the files that contained the receipts of ``lostPending`` in an earlier run.
  var lostFiles: [String] { Array(Set(pendingBefore.values).sorted().prefix(5)) }

  /// Reads some files, and requests responses to the receipts that have no final result.
  func sendRequests(_ found: FoundInputs, spoolFolder: String) async throws(RunFailure) {
    refusals = found.refusals.map(\.text)
    for (key, question) in try store.unanswered(.receipts) where question.state == .pending {
      pendingBefore[key] = question.fileName
    }
    for input in found.files {
      let file = try OpenInput(input, spoolFolder: spoolFolder)
      defer { file.close() }
      // Reads the file to its end before any request, because a damaged file must not be used.
      let lines = try file.rawReceipts()
      while try lines.next() != nil {}
      if let refusal = lines.refusal {
        refusals.append("\(OneLine.text(input.path)): \(refusal.description)")
        continue
      }
      try await sendRequests(try file.rawReceipts(), of: input.path)
    }
  }

  /// Throws if Apple could not be reached, or if a file of raw receipts was refused.
  ///
  /// Called after the last request.
  func check() throws(RunFailure) {
    if asking.isUnreachable { throw tally.unreachable }
    guard refusals.isEmpty else {
      throw RunFailure(
        .dataRefused,
        "\(Count.text(refusals.count, "file")) of raw receipts refused; replace these "
          + "files and run again:\n"
          + refusals.map { "  \($0)" }.joined(separator: "\n"))
    }
  }

  private func sendRequests(_ lines: RawReceiptLines, of file: String) async throws(RunFailure) {
    try await asking.ask { () throws(RunFailure) in
      while let line = try lines.next() {
        try StopSignal.check()
        guard let due = try due(line, in: file) else { continue }
        guard asking.isOut else { return due }
        tally.unasked += 1
      }
      return nil
    } take: { placed, outcome throws(RunFailure) in
      try take(outcome, of: placed)
      return nil
    }
  }

  /// Returns the receipt in a line if a response must be requested; else updates the tally and
  /// returns `nil`.
  private func due(_ line: Result<RawReceipt, RawReceiptFault>, in file: String)
    throws(RunFailure) -> Placed?
  {
    tally.questions += 1
    switch line {
    case .failure(let fault):
      let key = AskedKey(.receipts, fault.key)
      if try store.question(key) != nil {
        tally.known += 1
      } else {
        try note(key, at: (file, fault.line), .rejected, fault.code)
        tally.addRejected(fault.code)
      }
      return nil
    case .success(let receipt):
      let key = key(of: receipt)
      pendingBefore[key] = nil
      guard !asking.open.contains(key), try !isSettled(key) else {
        tally.known += 1
        return nil
      }
      return Placed(receipt: receipt, id: key, file: file)
    }
  }

  /// Returns the key under which the state of a receipt is stored.
  ///
  /// A receipt that is read locally has a separate key, so that it can still be sent to Apple
  /// later.
  private func key(of receipt: RawReceipt) -> AskedKey {
    AskedKey(.receipts, decider.isLocal ? receipt.key.map { ~$0 } : receipt.key)
  }

  private func isSettled(_ key: AskedKey) throws(RunFailure) -> Bool {
    guard let question = try store.question(key) else { return false }
    switch question.state {
    case .pending, .covered: return false
    case .rejected: return !decider.isLocal  // Another root may vouch for it.
    case .answered: return answeredAfter.map { question.at >= $0 } ?? true
    }
  }

  // MARK: - Outcomes

  /// Stores the outcome for one receipt.
  private func take(_ outcome: AskingOutcome<AppleAnswer>?, of placed: Placed)
    throws(RunFailure)
  {
    let (key, place) = (placed.id, (placed.file, placed.receipt.line))
    switch outcome {
    case nil: tally.unasked += 1
    case .answer(let answer):
      let now = SystemClock.now
      let line = ExportRecord.line(placed.receipt, response: answer.text, answeredAt: now)
      let question = try question(key, at: place, .answered, nil)
      try exports.add(
        erased?.applied(to: line) ?? line, to: key, at: now, noting: [key: question])
      tally.answered += 1
    case .pending(let reason):
      try note(key, at: place, .pending, reason)
      tally.addPending(reason)
    case .rejected(let reason) where reason == AppleAnswer.perhapsMalformed:
      var question = try question(key, at: place, .pending, reason)
      question.doubtfulRuns += 1
      let isRejected = question.doubtfulRuns >= Self.doubtfulRunsMax
      if isRejected, question.state == .pending { question.state = .rejected }
      try store.note([key: question])
      if isRejected { tally.addRejected(reason) } else { tally.addPending(reason) }
    case .rejected(let reason):
      try note(key, at: place, .rejected, reason)
      tally.addRejected(reason)
    case .refused:
      throw RunFailure(
        .badConfiguration,
        """
        Apple reports a wrong shared secret (21004), so no more requests were sent; correct \
        validate.shared_secret_file or \(AppSecret.variable) and run again
        """)
    }
  }

  private func note(
    _ key: AskedKey, at place: (file: String, line: Int), _ state: AskedQuestion.State,
    _ reason: String
  ) throws(RunFailure) {
    try store.note([key: try question(key, at: place, state, reason)])
  }

  /// Returns the new state of a receipt; one that has a response keeps its state.
  private func question(
    _ key: AskedKey, at place: (file: String, line: Int), _ state: AskedQuestion.State,
    _ reason: String?
  ) throws(RunFailure) -> AskedQuestion {
    let now = SystemClock.now
    var question = try store.question(key) ?? AskedQuestion(state, at: now)
    question.at = now
    (question.fileName, question.line) = place
    if question.state != .answered { question.state = state }
    question.reason = question.state == .answered ? nil : reason
    return question
  }
}
