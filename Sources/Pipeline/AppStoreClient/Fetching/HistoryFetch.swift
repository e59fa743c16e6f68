internal import CivilTime
internal import Diagnostics
internal import Pipeline
internal import StateStore

/// Requests histories of chains from Apple, unless an earlier run has fetched them completely.
///
/// A complete history is requested again if it is too old. Responses are stored page by page, and
/// the next page of a chain is requested before the first page of another chain.
final class HistoryFetch {
  /// A page of a chain's history.
  private struct Page: Identifiable, Sendable {
    let chain: WantedChain
    /// Apple's token from the previous page; `nil` for the first page.
    var revision: String?
    var environment: AppleEnvironment?
    var id: ChainNumber { chain.number }
    var key: AskedKey { .history(chain.number) }
  }

  private let store: AskedDatabase
  private let exports: AnswerExports
  private let settledAfter: Instant?
  private let progress: ProgressBar
  private let startedAt = SystemClock.now
  private let asking: ConcurrentAsking<Page, AnswerPage>
  /// The pages of each chain whose history has several pages.
  private var sequences: [ChainNumber: PageSequence] = [:]
  /// The chains whose history was requested from the start again; a run does this once.
  private var startedOver: Set<ChainNumber> = []
  /// The largest number of pages that a run requests for one chain: 20,000 transactions.
  private static let longestHistory = 1000
  var tally = AskingTally(of: "chain")

  /// Prepares a fetch.
  ///
  /// - Parameters:
  ///   - settledAfter: The time before which a complete history is too old; `nil` for no limit.
  init(
    store: AskedDatabase, exports: AnswerExports, client: AppleClient, concurrency: Int,
    settledAfter: Instant?, progress: ProgressBar
  ) {
    self.store = store
    self.exports = exports
    self.settledAfter = settledAfter
    self.progress = progress
    asking = ConcurrentAsking(concurrency: concurrency) { page in
      await client.ask(
        .history(
          chain: String(page.id), revision: page.revision, environment: page.environment)
      ) { reply, environment in
        AnswerPage.meaning(
          of: reply, from: environment, token: page.revision, isElsewhere: page.environment == nil)
      }
    }
  }

  /// Requests the history of each wanted chain that must be requested in this run.
  func sendRequests(_ wanted: [WantedChain]) async throws(RunFailure) {
    tally.questions += wanted.count
    var rest = wanted[...]
    try await asking.ask { () throws(RunFailure) in
      while !asking.isOut, let chain = rest.popFirst() {
        let known = try store.question(.history(chain.number))
        if try isDue(chain, known) {
          return Page(
            chain: chain, revision: known?.cursor,
            environment: known?.environment.flatMap { AppleEnvironment(rawValue: $0) }
              ?? chain.store)
        }
        pass(known)
      }
      return nil
    } take: { page, outcome throws(RunFailure) in
      let next = try take(outcome, of: page)
      if next == nil { progress.advance(by: 1) }
      return next
    }
    tally.unasked += rest.count
  }

  /// Throws if Apple could not be reached; called after the last request.
  func check() throws(RunFailure) { if asking.isUnreachable { throw tally.unreachable } }

  /// Returns true if a chain must be requested in this run.
  private func isDue(_ chain: WantedChain, _ known: AskedQuestion?) throws(RunFailure) -> Bool {
    guard !asking.open.contains(chain.number) else { return false }
    guard let known else { return true }
    switch known.state {
    case .pending: return true
    case .rejected: return false
    case .answered: return settledAfter.map { known.at < $0 } ?? false
    case .covered:
      // A covered chain is in the response about its lead chain; without that response it is
      // requested itself.
      guard let settledAfter, known.at < settledAfter else { return false }
      guard let lead = known.lead, let question = try store.question(AskedKey(.histories, lead))
      else { return true }
      return question.at < settledAfter
    }
  }

  /// Counts a chain that is not requested.
  private func pass(_ known: AskedQuestion?) {
    progress.advance(by: 1)
    if let known, known.state == .covered, known.at >= startedAt {
      tally.covered += 1
    } else {
      tally.known += 1
    }
  }

  // MARK: - Answers

  /// Stores an outcome; returns the next page, or the first page if Apple rejected a page token.
  private func take(_ outcome: AskingOutcome<AnswerPage>?, of page: Page) throws(RunFailure)
    -> Page?
  {
    let now = SystemClock.now
    switch outcome {
    case nil: tally.unasked += 1
    case .answer(let answer): return try take(answer, of: page, at: now)
    case .rejected(let reason) where page.revision != nil && AnswerPage.isExpired(reason):
      try store.note([page.key: AskedQuestion(.pending, at: now)])
      sequences[page.id] = nil
      tally.reasons[reason, default: 0] += 1
      if startedOver.insert(page.id).inserted {
        return Page(chain: page.chain, environment: page.chain.store)
      }
      tally.pending += 1
    case .pending(let reason): tally.addPending(reason)
    case .rejected(let reason):
      var question = AskedQuestion(.rejected, at: now)
      question.reason = reason
      try store.note([page.key: question])
      tally.addRejected(reason)
    case .refused(let reason): throw FetchStage.refused(reason)
    }
    return nil
  }

  private func take(_ answer: AnswerPage, of page: Page, at now: Instant) throws(RunFailure)
    -> Page?
  {
    tally.items += answer.count
    let next = Page(chain: page.chain, revision: answer.next, environment: answer.environment)
    let isEndless = answer.hasMore && !add(next)
    var question = AskedQuestion(answer.hasMore ? .pending : .answered, at: now)
    question.environment = answer.environment.rawValue
    question.cursor = isEndless ? nil : next.revision ?? page.revision
    var questions = isEndless ? [:] : try covered(by: page, answer, at: now)
    questions[page.key] = question
    if answer.count > 0 {
      let line = ExportRecord.line(answer.text, receivedAt: now)
      try exports.add(line, to: page.key, at: now, noting: questions)
    } else {
      try store.note(questions)
    }
    if isEndless {
      tally.addPending("pages_without_end")
      return nil
    }
    guard answer.hasMore else {
      sequences[page.id] = nil
      tally.answered += 1
      return nil
    }
    return next
  }

  /// Adds a page to the sequence of its chain's pages; returns false if they do not end.
  private func add(_ page: Page) -> Bool {
    guard let revision = page.revision else { return true }
    return sequences[page.id, default: PageSequence(longest: Self.longestHistory)].add(revision)
  }

  /// The other chains in a page of history, unless they have states of their own.
  private func covered(by page: Page, _ answer: AnswerPage, at now: Instant) throws(RunFailure)
    -> [AskedKey: AskedQuestion]
  {
    var questions: [AskedKey: AskedQuestion] = [:]
    for chain in answer.chains().compactMap({ ChainNumber($0) })
    where chain != page.id && !asking.open.contains(chain) {
      switch try store.question(.history(chain))?.state {
      case .answered, .pending: continue
      case .covered, .rejected, nil: break
      }
      var question = AskedQuestion(.covered, at: now)
      question.lead = page.key.bytes
      questions[.history(chain)] = question
    }
    return questions
  }
}
