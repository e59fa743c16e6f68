internal import CivilTime
internal import Diagnostics
internal import Pipeline

/// Requests the history of each wanted chain that is not settled.
///
/// The pipeline limits the number of concurrent requests. Their answers are stored one by one, a
/// page at a time, and the next page of a chain is requested before any new chain.
struct HistoryRound {
  private let store: FetchStore
  private let client: PacedClient
  private let output: ExportPath
  private let concurrency: Int
  private let settledAfter: Instant?
  private let progress: ProgressBar
  private let startedAt = SystemClock.now
  private var outage: OutageWatch
  private var open: Set<ChainNumber> = []
  private var isStopped = false
  /// The account so far.
  var tally = FetchTally()

  /// Prepares a round.
  ///
  /// - Parameters:
  ///   - store: The results of earlier runs, and the export.
  ///   - client: Asks Apple.
  ///   - settings: The section `fetch`.
  ///   - output: The path at which new exports begin.
  ///   - settledAfter: Chains settled before this moment are requested again; `nil` for none.
  ///   - progress: The bar to advance by one for each chain.
  init(
    store: FetchStore, client: PacedClient, settings: FetchSettings, output: ExportPath,
    settledAfter: Instant?, progress: ProgressBar
  ) {
    self.store = store
    self.client = client
    self.output = output
    concurrency = settings.concurrency
    self.settledAfter = settledAfter
    self.progress = progress
    outage = OutageWatch(patience: max(5, settings.concurrency))
  }

  /// Requests the chains that are not settled.
  mutating func ask(_ wanted: [WantedChain]) async throws(RunFailure) {
    tally.chains += wanted.count
    var round = self
    let result = await withTaskGroup(of: Event.self) { group -> Result<Void, RunFailure> in
      do throws(RunFailure) {
        group.addTask { await Self.stopRequest() }
        try await round.ask(wanted, in: &group)
        return .success(())
      } catch {
        group.cancelAll()
        return .failure(error)
      }
    }
    self = round
    try result.get()
  }

  /// Throws the error that a run ends with after its last request; returns if there is none.
  func check() throws(RunFailure) {
    guard !outage.isUnreachable else {
      throw RunFailure(
        .unavailable,
        """
        Apple cannot be reached (\(tally.reasonsText)). Nothing is lost: the next run requests \
        \(Count.text(tally.pending, "chain")) pending and \(tally.unasked) not requested yet
        """)
    }
  }

  // MARK: - Asking

  /// The result of a task of the group.
  private enum Event: Sendable {
    case answered(WantedChain, PageOutcome?)
    case stopRequested
  }

  /// Returns when the run is to stop, or when the group is done.
  private static func stopRequest() async -> Event {
    while StopSignal.received == nil, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(50))
    }
    return .stopRequested
  }

  private mutating func ask(_ wanted: [WantedChain], in group: inout TaskGroup<Event>)
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
        ask(chain, in: &group)
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
          ask(chain, in: &group)
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

  private mutating func ask(_ chain: WantedChain, in group: inout TaskGroup<Event>) {
    open.insert(chain.number)
    let known = store.known(chain.number)
    let question = PageOfHistory.history(
      chain: String(chain.number), revision: known?.revision, store: known?.store ?? chain.store)
    let receiptRequest = client.receiptRequest
    group.addTask { .answered(chain, await receiptRequest.outcome(of: question)) }
  }

  /// Whether a chain is to be requested in this run.
  private func isDue(_ chain: WantedChain) -> Bool {
    guard !open.contains(chain.number) else { return false }
    guard let known = store.known(chain.number) else { return true }
    switch known.state {
    case .open: return true
    case .rejected: return false
    case .settled: return settledAfter.map { known.at < $0 } ?? false
    case .covered:
      // The response for its lead chain contains it; without a lead it is requested by itself.
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

  /// Stores an outcome, and returns whether the chain has another page.
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
      return true
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
    _ page: AnswerPage, of chain: WantedChain, from: AppleStore, at now: Instant
  ) throws(RunFailure) -> Bool {
    outage.receiptSettled()
    tally.items += page.count
    if page.count > 0 {
      try store.add(Self.record(page, at: now), to: .history, output: output)
    }
    let revision = page.next.flatMap { KnownChain.fits($0) ? $0 : nil }
    let hasMore = page.hasMore && revision != nil
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

  /// The record of an export.
  static func record(_ page: AnswerPage, at now: Instant) -> [UInt8] {
    Array("{\"received_at\":\"\(now.text)\",\"response\":".utf8) + page.text
      + Array("}\n".utf8)
  }

  /// The failure after Apple has refused the key.
  static func refused(_ reason: String) -> RunFailure {
    RunFailure(
      .badConfiguration,
      """
      Apple rejects the key (\(reason)), so no more requests were sent; compare issuer_id, \
      key_id, private_key_file and bundle_id with App Store Connect, and this machine's clock with \
      the time
      """)
  }
}
