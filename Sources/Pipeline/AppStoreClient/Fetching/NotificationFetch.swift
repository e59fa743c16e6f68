internal import CivilTime
package import Diagnostics
internal import Logging
internal import Pipeline
internal import StateStore

extension FetchStage {
  /// The time for which Apple keeps notifications: 180 days.
  private static let kept = Milliseconds.days(180)
  /// The time by which each requested time span overlaps the previous one: one day.
  ///
  /// Apple may list a notification late, after the end of its time span was requested.
  private static let overlap = Milliseconds.days(1)
  /// The largest number of pages of a time span: twenty million notifications.
  private static let longestHistory = 1_000_000

  /// Requests the notifications that Apple sent to the app's server, and exports the responses.
  ///
  /// If an earlier run left its time span unfinished, this run continues with that time span.
  /// Otherwise the time span begins one day before the end of the last time span; in the first run,
  /// it begins 180 days ago.
  ///
  /// - Returns: The tally; `answered` is the number of completed environments.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, and 78 for a key that
  ///   Apple refuses.
  package func fetchNotifications(of environments: [AppleEnvironment]) async throws(RunFailure)
    -> AskingTally
  {
    guard let output = settings.notificationsOutput else {
      throw try missing("notifications_output")
    }
    let client = try client()
    return try await run(.notifications, client, to: output).run {
      store, exports, tally throws(RunFailure) in
      for environment in environments {
        try await fetch(environment, with: client, into: store, exports, tally: &tally)
      }
    } report: { tally in
      log.notice(
        "\(tally.items) notifications by \(tally.requests) requests; \(tally.exportsText)")
    }
  }

  private func fetch(
    _ environment: AppleEnvironment, with client: AppleClient, into store: AskedDatabase,
    _ exports: AnswerExports, tally: inout AskingTally
  ) async throws(RunFailure) {
    let key = AskedKey(.notifications, environment.rawValue.utf8)
    let (from, through, first) = Self.span(after: try store.question(key))
    var token = first
    var startedOver = false
    var sequence = PageSequence(longest: Self.longestHistory)
    while true {
      let asked = token
      let outcome = try await client.askAlone(
        .notifications(from: from, through: through, token: asked, environment: environment)
      ) { reply, environment in
        AnswerPage.meaning(of: reply, from: environment, token: asked, isElsewhere: false)
      }
      switch outcome {
      case .answer(let page):
        tally.items += page.count
        token = page.hasMore ? page.next : nil
        if let token, !sequence.add(token) {
          throw RunFailure(
            .unavailable,
            "Apple's pages of notifications from \(environment.rawValue) repeat or do not end; the "
              + "next run requests them again")
        }
        var question = AskedQuestion(token == nil ? .answered : .pending, at: through)
        (question.since, question.cursor) = (from, token)
        if page.count > 0 {
          let now = SystemClock.now
          try exports.add(
            ExportRecord.line(page.text, receivedAt: now), to: key, at: now,
            noting: [key: question])
        } else {
          try store.note([key: question])
        }
        guard token == nil else { continue }
        tally.answered += 1
        return
      case .rejected(let reason)
      where !startedOver && asked != nil && AnswerPage.isExpired(reason):
        (startedOver, token) = (true, nil)
        sequence = PageSequence(longest: Self.longestHistory)
        tally.reasons[reason, default: 0] += 1
      case .rejected(let reason) where asked == nil || !AnswerPage.isExpired(reason):
        // An app that never had notifications in an environment has no history there.
        tally.reasons[reason, default: 0] += 1
        log.warning(
          """
          Apple has no notifications of the environment \(environment.rawValue) (\(reason)); this \
          is normal if App Store Server Notifications were never turned on for it
          """)
        return
      case .rejected(let reason), .pending(let reason):
        throw RunFailure(
          .unavailable,
          "Apple did not return the notifications from \(environment.rawValue) (\(reason)); the "
            + "next run requests the missing pages")
      case .refused(let reason): throw Self.refused(reason)
      }
    }
  }

  /// Returns the time span to request, and the token of its next page: the unfinished span of an
  /// earlier run, else a new span up to now.
  private static func span(after known: AskedQuestion?) -> (Instant, Instant, token: String?) {
    if let known, let since = known.since, let token = known.cursor {
      return (since, known.at, token)
    }
    let now = SystemClock.now
    let first = now.advanced(by: Milliseconds(-kept.rawValue))
    let from = known.map { $0.at.advanced(by: Milliseconds(-overlap.rawValue)) } ?? first
    return (max(from, first), now, nil)
  }
}
