internal import CivilTime

/// The one of Apple's stores that a service speaks for.
package enum AppleStore: String, Hashable, Sendable, CaseIterable {
  /// Production purchases; requested first.
  case production
  /// Test purchases.
  case sandbox
}

/// The consequence of one reply for a request.
enum PageReply: Hashable, Sendable {
  /// A page of the response.
  case page(AnswerPage)
  /// This store does not know the transaction.
  case unknownHere(reason: String)
  /// The revision is not good any more: to be requested from the start.
  case startOver(reason: String)
  /// To be requested again; the reason as a stable word, and the pause that Apple requires.
  case again(reason: String, after: Milliseconds?)
  /// Never to be requested again; the reason as a stable word.
  case rejected(reason: String)
  /// The key, its id, the issuer or the app is wrong; every request with them fails.
  case refused(reason: String)
}

extension PageReply {
  /// Interprets a reply of the App Store Server API.
  ///
  /// The error codes are Apple's (`errorCode`); those that end in 2, 4 and 6 among 40400xx are the
  /// ones that Apple calls retryable.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - now: The wall clock's moment, for `Retry-After`.
  init(_ reply: AppleReply, now: Instant) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let body):
      self = AnswerPage(body).map(Self.page) ?? .again(reason: "unreadable_answer", after: nil)
    case .answer(let status, let retryAfter, let body):
      let code = AnswerFields(body)?.errorCode
      self = Self.verdict(
        status, code: code, after: RetryAfter.wait(retryAfter, now: now))
    }
  }

  private static func verdict(_ status: Int, code: Int?, after: Milliseconds?) -> PageReply {
    let reason = code.map { "error_\($0)" } ?? "http_\(status)"
    switch (status, code) {
    // No such transaction, account or app in this store.
    case (404, 4_040_001), (404, 4_040_003), (404, 4_040_005), (404, 4_040_010):
      return .unknownHere(reason: reason)
    case (400, 4_000_005), (400, 4_000_014), (400, 4_000_017): return .startOver(reason: reason)
    case (400, 4_000_002): return .refused(reason: reason)
    case (400, .some): return .rejected(reason: reason)
    case (401, _), (403, _): return .refused(reason: reason)
    // Too many requests, a failure of the moment, or an error page of something between.
    default: return .again(reason: reason, after: after)
    }
  }
}
