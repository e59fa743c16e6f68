internal import CivilTime

/// The environment of a service: production or sandbox.
package enum AppleEnvironment: String, Hashable, Sendable, CaseIterable {
  /// Production purchases; this environment is requested first.
  case production
  /// Test purchases, which have no revenue.
  case sandbox
}

/// The meaning of a reply to a request for a page.
enum PageReply: Hashable, Sendable {
  /// A page with transactions or notifications.
  case page(AnswerPage)
  /// This environment does not know the transaction.
  case unknownHere(reason: String)
  /// The page's token is no longer valid; the first page must be requested again.
  case startOver(reason: String)
  /// The request must be repeated.
  ///
  /// `reason` is a stable code, such as `http_503`; `after` is the pause that Apple requires.
  case again(reason: String, after: Milliseconds?)
  /// The request must not be repeated; `reason` is a stable code, such as `error_4000006`.
  case rejected(reason: String)
  /// The key, its id, the issuer or the app is wrong, so every other request would fail too.
  case refused(reason: String)
}

extension PageReply {
  /// Interprets a reply of the App Store Server API.
  ///
  /// The error codes are Apple's (`errorCode`). Apple defines 4040002, 4040004 and 4040006 as
  /// retryable.
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
    // This environment has no such transaction, account or app.
    case (404, 4_040_001), (404, 4_040_003), (404, 4_040_005), (404, 4_040_010):
      return .unknownHere(reason: reason)
    case (400, 4_000_005), (400, 4_000_014), (400, 4_000_017): return .startOver(reason: reason)
    case (400, 4_000_002): return .refused(reason: reason)
    case (400, .some): return .rejected(reason: reason)
    case (401, _), (403, _): return .refused(reason: reason)
    // Too many requests, a temporary failure, or an error page of a proxy.
    default: return .again(reason: reason, after: after)
    }
  }
}
