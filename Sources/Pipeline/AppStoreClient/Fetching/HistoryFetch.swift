internal import CivilTime
internal import Diagnostics
internal import Pipeline

/// Requests histories of chains from Apple, unless an earlier run has fetched them completely.
///
/// A complete history is requested again if it is too old. The pipeline limits the number of
/// concurrent requests. Responses are stored page by page, and the next page of a chain is
/// requested before the first page of another chain.
struct HistoryFetch {
  private let store: FetchStore
  private let client: RateLimitedClient
  private let output: ExportPath
  private let concurrency: Int
  private let settledAfter: Instant?
  private let progress: ProgressBar
  private let startedAt = SystemClock.now
  private var outage: OutageDetector
  private var open: Set<ChainNumber> = []
  private var isStopped = false
  /// The pages of each chain whose history has several pages.
  private var sequences: [ChainNumber: PageSequence] = [:]
  /// The chains whose history was requested from the start again; a run does this once.
  private var startedOver: Set<ChainNumber> = []
  /// The largest number of pages that a run requests for one chain: 20,000 transactions.
  private static let longestHistory = 1000
  var tally = FetchTally()

  /// Prepares a fetch.
  ///
  /// - Parameters:
  ///   - settledAfter: The time before which a complete history is too old; `nil` for no limit.
  init(
    store: FetchStore, client: RateLimitedClient, settings: FetchSettings, output: ExportPath,
    settledAfter: Instant?, progress: ProgressBar
  ) {
    self.store = store
    self.client = client
    self.output = output
    concurrency = settings.concurrency
    self.settledAfter = settledAfter
    self.progress = progress
    outage = OutageDetector(failureLimit: max(5, settings.concurrency))
  }

  /// Requests the history of each wanted chain that must be requested in this run.
  mutating func sendRequests(_ wanted: [WantedChain]) async throws(RunFailure) {
    tally.chains += wanted.count
    var fetch = self
    let result = await withTaskGroup(of: Event.self) { group -> Result<Void, RunFailure> in
      do throws(RunFailure) {
        group.addTask { await Self.stopRequest() }
        try await fetch.sendRequests(wanted, in: &group)
        return .success(())
      } catch {
        group.cancelAll()
        return .failure(error)
      }
    }
    self = fetch
    try result.get()
  }

  /// Throws if Apple could not be reached; called after the last request.
  ///
  /// The next run requests the chains that are left.
  func check() throws(RunFailure) {
    guard !outage.isUnreachable else {
      throw RunFailure(
        .unavailable,
        """
        Apple cannot be reached (\(tally.reasonsText)). Nothing is lost: the next run requests the \
        rest, \(Count.text(tally.pending, "chain")) pending and \(tally.unasked) not requested yet
        """)
    }
  }

  // MARK: - Asking

  /// The result of a task in the task group: a finished request, or the request to stop.
  private enum Event: Sendable {
    case answered(WantedChain, PageOutcome?)
    case stopRequested
  }

  /// Waits until a signal requests a stop, or until the task is cancelled.
  private static func stopRequest() async -> Event {
    while StopSignal.received == nil, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(50))
    }
    return .stopRequested
  }

  private mutating func sendRequests(_ wanted: [WantedChain], in group: inout TaskGroup<Event>)
    async throws(RunFailure)
  {
    var next = wanted.startIndex
    while true {
      while open.count < concurrency, !isStopped, next < wanted.endIndex {
        let chain = wanted[next]
        next += 1
        guard isDue(chain) else {
          pass(chain)
          continue
        }
        sendRequests(chain, in: &group)
      }
      try store.commitInTime()
      guard !open.isEmpty, let event = await group.next() else { break }
      switch event {
      case .stopRequested:
        group.cancelAll()
        try store.commit()
        try StopSignal.check()
      case .answered(let chain, let outcome):
        if try take(outcome, of: chain) {
          sendRequests(chain, in: &group)
        } else {
          open.remove(chain.number)
          progress.advance(by: 1)
        }
        if isStopped { group.cancelAll() }
      }
    }
    group.cancelAll()
    tally.unasked += wanted.endIndex - next
  }

  private mutating func sendRequests(_ chain: WantedChain, in group: inout TaskGroup<Event>) {
    open.insert(chain.number)
    let known = store.known(chain.number)
    let requested = RequestedPage.history(
      chain: String(chain.number), revision: known?.revision, store: known?.store ?? chain.store)
    let receiptRequest = client.receiptRequest
    group.addTask { .answered(chain, await receiptRequest.outcome(of: requested)) }
  }

  /// Returns true if a chain must be requested in this run.
  private func isDue(_ chain: WantedChain) -> Bool {
    guard !open.contains(chain.number) else { return false }
    guard let known = store.known(chain.number) else { return true }
    switch known.state {
    case .open: return true
    case .rejected: return false
    case .settled: return settledAfter.map { known.at < $0 } ?? false
    case .covered:
      // A covered chain is in the response about its lead chain; without that response it is
      // requested itself.
      guard let settledAfter, known.at < settledAfter else { return false }
      return known.lead.flatMap { store.known($0) }.map { $0.at < settledAfter } ?? true
    }
  }

  /// Counts a chain that is not requested.
  private mutating func pass(_ chain: WantedChain) {
    progress.advance(by: 1)
    let known = store.known(chain.number)
    if let known, known.state == .covered, known.at >= startedAt {
      tally.covered += 1
    } else {
      tally.known += 1
    }
  }

  // MARK: - Answers

  /// Stores an outcome; returns true if the chain needs another request in this run.
  ///
  /// The next request is for the next page, or for the first page if Apple rejected a page token.
  private mutating func take(_ outcome: PageOutcome?, of chain: WantedChain) throws(RunFailure)
    -> Bool
  {
    let now = SystemClock.now
    switch outcome {
    case nil:
      tally.unasked += 1
      return false
    case .page(let page, let from): return try take(page, of: chain, from: from, at: now)
    case .startOver(let reason):
      store.note(chain.number, KnownChain(state: .open, at: now))
      tally.reasons[reason, default: 0] += 1
      sequences[chain.number] = nil
      if startedOver.insert(chain.number).inserted { return true }
      tally.pending += 1
    case .pending(let reason):
      tally.pending += 1
      tally.reasons[reason, default: 0] += 1
      outage.receiptGivenUp()
      isStopped = isStopped || outage.isOut
    case .rejected(let reason):
      store.note(chain.number, KnownChain(state: .rejected, at: now))
      tally.rejected += 1
      tally.reasons[reason, default: 0] += 1
      outage.receiptSettled()
    case .refused(let reason): throw Self.refused(reason)
    }
    return false
  }

  private mutating func take(
    _ page: AnswerPage, of chain: WantedChain, from: AppleEnvironment, at now: Instant
  ) throws(RunFailure) -> Bool {
    outage.receiptSettled()
    tally.items += page.count
    if page.count > 0 {
      try store.add(Self.record(page, at: now), to: .history, output: output)
    }
    let revision = page.next.flatMap { KnownChain.fits($0) ? $0 : nil }
    let hasMore = page.hasMore && revision != nil
    if hasMore, let revision,
      !sequences[chain.number, default: PageSequence(longest: Self.longestHistory)].add(revision)
    {
      tally.pending += 1
      tally.reasons["pages_without_end", default: 0] += 1
      store.note(chain.number, KnownChain(state: .open, at: now, store: from))
      return false
    }
    if !hasMore { sequences[chain.number] = nil }
    store.note(
      chain.number,
      KnownChain(
        state: hasMore ? .open : .settled, at: now, store: from,
        revision: revision ?? store.known(chain.number)?.revision))
    for text in page.chains() {
      guard let other = ChainNumber(text), other != chain.number, !open.contains(other) else {
        continue
      }
      switch store.known(other)?.state {
      case .settled, .open: continue
      case .covered, .rejected, nil: break
      }
      store.note(other, KnownChain(state: .covered, at: now, lead: chain.number))
    }
    if !hasMore { tally.settled += 1 }
    return hasMore
  }

  static func record(_ page: AnswerPage, at now: Instant) -> [UInt8] {
    Array("{\"received_at\":\"\(now.text)\",\"response\":".utf8) + page.text
      + Array("}\n".utf8)
  }

  /// Creates the failure for a key that Apple refused.
  static func refused(_ reason: String) -> RunFailure {
    RunFailure(
      .badConfiguration,
      """
      Apple rejects the key (\(reason)), so no more requests were sent; compare issuer_id, key_id, \
      private_key_file and bundle_id with App Store Connect, and check the clock of this machine
      """)
  }
}
