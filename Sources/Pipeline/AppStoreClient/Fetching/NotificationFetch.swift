internal import CivilTime
package import Diagnostics
internal import Logging
internal import Pipeline

extension FetchStage {
  /// The time for which Apple keeps notifications: 180 days.
  private static let kept = Milliseconds.days(180)
  /// The time by which each requested time span overlaps the previous one: one day.
  ///
  /// Apple may list a notification late, after the end of its time span was requested.
  private static let overlap = Milliseconds.days(1)

  /// Requests the notifications that Apple sent to the app's server, and exports the responses.
  ///
  /// If an earlier run left its time span unfinished, this run continues with that time span.
  /// Otherwise the time span begins one day before the end of the last time span; in the first run,
  /// it begins 180 days ago.
  ///
  /// - Returns: The tally; `settled` is the number of completed environments.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, and 78 for a key that
  ///   Apple refuses.
  package func fetchNotifications(of stores: [AppleEnvironment]) async throws(RunFailure)
    -> FetchTally
  {
    guard let output = settings.notificationsOutput else {
      throw try missing("notifications_output")
    }
    let client = try client()
    var tally = FetchTally()
    var failure: RunFailure?
    let store: FetchStore
    do throws(RunFailure) {
      store = try FetchStore(definition)
    } catch {
      await client.close()
      throw error
    }
    do throws(RunFailure) {
      for apple in stores {
        try await fetch(apple, with: client, into: store, output: output, tally: &tally)
      }
    } catch {
      failure = error
    }
    await client.close()
    tally.requests = client.requests
    tally.exports = try finish(store, failure)
    log.notice(
      "\(tally.items) notifications by \(tally.requests) requests; \(tally.exportsText)")
    if let failure { throw failure }
    return tally
  }

  private func fetch(
    _ apple: AppleEnvironment, with client: RateLimitedClient, into store: FetchStore,
    output: ExportPath,
    tally: inout FetchTally
  ) async throws(RunFailure) {
    var span = Self.span(after: store.known(apple))
    var startedOver = false
    // Twenty million notifications.
    var sequence = PageSequence(longest: 1_000_000)
    while true {
      let requested = RequestedPage.notifications(
        from: span.from, through: span.through, token: span.token, store: apple)
      switch await Self.untilStopped({ await client.receiptRequest.outcome(of: requested) }) {
      case nil:
        try store.commit()
        try StopSignal.check()
      case .page(let page, _):
        if page.count > 0 {
          let record = HistoryFetch.record(page, at: SystemClock.now)
          try store.add(record, to: .notifications, output: output)
        }
        tally.items += page.count
        span.token = page.hasMore ? page.next.flatMap { KnownChain.fits($0) ? $0 : nil } : nil
        if let token = span.token, !sequence.add(token) {
          throw RunFailure(
            .unavailable,
            "Apple's pages of notifications from \(apple.rawValue) repeat or do not end; the next run "
              + "requests them again")
        }
        store.note(apple, span)
        try store.commitInTime()
        guard span.token == nil else { continue }
        tally.settled += 1
        return
      case .startOver(let reason) where !startedOver:
        (startedOver, span.token) = (true, nil)
        sequence = PageSequence(longest: 1_000_000)
        tally.reasons[reason, default: 0] += 1
      case .startOver(let reason), .pending(let reason):
        throw RunFailure(
          .unavailable,
          "Apple did not return the notifications from \(apple.rawValue) (\(reason)); the next run "
            + "requests the missing pages"
        )
      case .rejected(let reason):
        // An app that never had notifications in an environment has no history there.
        tally.reasons[reason, default: 0] += 1
        log.warning(
          """
          Apple has no notifications of the environment \(apple.rawValue) (\(reason)); this is \
          normal if App Store Server Notifications were never turned on for it
          """)
        return
      case .refused(let reason): throw HistoryFetch.refused(reason)
      }
    }
  }

  /// Returns the time span to request: the unfinished span of an earlier run, else a new span up to
  /// now.
  private static func span(after known: KnownNotifications?) -> KnownNotifications {
    if let known, known.token != nil { return known }
    let now = SystemClock.now
    let first = now.advanced(by: Milliseconds(-kept.rawValue))
    let from = known.map { $0.through.advanced(by: Milliseconds(-overlap.rawValue)) } ?? first
    return KnownNotifications(from: max(from, first), through: now, token: nil)
  }

  /// Runs `body` and returns its result; `nil` as soon as a signal requests a stop.
  static func untilStopped<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value?
  ) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await body() }
      group.addTask {
        while StopSignal.received == nil, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
  }
}
