internal import Pipeline
internal import CivilTime

struct RequestedPage: Hashable, Sendable {
  /// The path and query, without the token of the page: `/inApps/v2/history/2000000300000001`.
  var path: String
  /// The JSON text of a POST request; `nil` for a GET request.
  var body: [UInt8]?
  /// The name of the query item for the page's token: `revision` or `paginationToken`.
  var nextName: String
  /// The token that Apple returned with the previous page; `nil` for the first page.
  var next: String?
  /// The environment of the chain.
  ///
  /// `nil` if unknown; then production is requested first, then the sandbox.
  var store: AppleEnvironment?
  /// A seed for the random part of the waits between attempts.
  ///
  /// So requests that failed at the same time are repeated at different times.
  var seed: [UInt8]

  /// Creates the request for a page of a chain's signed history.
  ///
  /// - Parameters:
  ///   - revision: The token from the previous page; `nil` for the first page.
  ///   - store: The environment of the chain; `nil` if unknown.
  static func history(chain: String, revision: String?, store: AppleEnvironment?) -> RequestedPage {
    RequestedPage(
      path: "/inApps/v2/history/\(chain)", nextName: "revision", next: revision, store: store,
      seed: Array(chain.utf8))
  }

  /// Creates the request for a page of the notification history.
  ///
  /// - Parameters:
  ///   - from: The start of the time span; at most 180 days ago.
  ///   - token: The token from the previous page; `nil` for the first page.
  static func notifications(
    from: Instant, through: Instant, token: String?, store: AppleEnvironment
  ) -> RequestedPage {
    let body = JSONText.object([
      .init("startDate", .number(from.milliseconds)),
      .init("endDate", .number(through.milliseconds)),
    ])
    return RequestedPage(
      path: "/inApps/v1/notifications/history", body: Array(body.line.utf8),
      nextName: "paginationToken",
      next: token, store: store, seed: Array(store.rawValue.utf8))
  }

  /// The path and query of this page.
  var target: String {
    guard let next else { return path }
    return "\(path)?\(nextName)=\(Self.escaped(next))"
  }

  /// Encodes a text for a query (RFC 3986).
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The result for one page, after all its requests in a run.
enum PageOutcome: Hashable, Sendable {
  /// The page, and the environment that returned it.
  case page(AnswerPage, AppleEnvironment)
  /// The page must be requested again by a later run; `reason` is a stable code.
  case pending(reason: String)
  /// The token is no longer valid; the history must be requested from the start.
  case startOver(reason: String)
  /// The page does not exist; it must not be requested again.
  case rejected(reason: String)
  /// The key, its id, the issuer or the app is wrong; every other request would fail too.
  case refused(reason: String)
}

/// Requests one page repeatedly, until there is a result or all allowed attempts have failed.
///
/// The service, the clock and the rate limit are passed as closures.
struct PagedRequest: Sendable {
  private let plan: RetryPlan
  private let send:
    @Sendable (
      AppleEnvironment, _ target: String, _ body: [UInt8]?
    ) async -> AppleReply
  private let sleep: @Sendable (Milliseconds) async -> Void
  private let hold: @Sendable (AppleEnvironment, Milliseconds) -> Void
  private let now: @Sendable () -> Instant

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - sleep: Waits; returns early if a signal requests a stop.
  init(
    plan: RetryPlan,
    send:
      @escaping @Sendable (
        AppleEnvironment, _ target: String, _ body: [UInt8]?
      ) async -> AppleReply,
    sleep: @escaping @Sendable (Milliseconds) async -> Void,
    hold: @escaping @Sendable (AppleEnvironment, Milliseconds) -> Void,
    now: @escaping @Sendable () -> Instant
  ) {
    self.plan = plan
    self.send = send
    self.sleep = sleep
    self.hold = hold
    self.now = now
  }

  /// Requests a page.
  ///
  /// If the environment is unknown, production is requested first, then the sandbox.
  ///
  /// - Returns: The outcome; `nil` if the task was cancelled.
  func outcome(of requested: RequestedPage) async -> PageOutcome? {
    var store = requested.store ?? .production
    var attempt = 1
    while !Task.isCancelled {
      let reply = await send(store, requested.target, requested.body)
      guard !Task.isCancelled else { return nil }
      let reason: String
      var after: Milliseconds?
      switch PageReply(reply, now: now()) {
      case .page(let page) where page.hasMore && page.next == requested.next:
        return .pending(reason: "page_leads_nowhere")
      case .page(let page): return .page(page, store)
      case .unknownHere where store == .production && requested.store == nil:
        store = .sandbox
        continue
      case .unknownHere(let reason), .rejected(let reason): return .rejected(reason: reason)
      case .startOver(let reason):
        return requested.next == nil ? .rejected(reason: reason) : .startOver(reason: reason)
      case .refused(let reason): return .refused(reason: reason)
      case .again(let word, let wait): (reason, after) = (word, wait)
      }
      guard attempt < plan.attempts else { return .pending(reason: reason) }
      if let after { hold(store, min(after, plan.longestWait)) }
      await sleep(
        plan.wait(
          afterAttempt: attempt, key: requested.seed, after: after.map { $0.rawValue / 1000 }))
      attempt += 1
    }
    return nil
  }
}
