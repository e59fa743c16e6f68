internal import CivilTime
internal import Pipeline

/// A client that sends requests to Apple, at most as many per second as the pipeline allows.
final class RateLimitedClient: Sendable {
  /// The divisor for the rate in the sandbox: Apple allows a tenth of production's rate.
  private static let sandboxShare = 10
  /// The longest wait before a retry: one hour.
  ///
  /// Apple limits the number of requests per hour. Above the limit, a client waits for the next
  /// hour.
  private static let longestWait = Milliseconds.hours(1)

  /// The number of attempts for a request, and the waits between them.
  let plan: RetryPlan
  private let settings: FetchSettings
  private let tokens: BearerTokens
  private let service: AppleConnection
  private let rateLimiters: [AppleEnvironment: ConcurrentRateLimiter]

  init(_ settings: FetchSettings, tokens: BearerTokens, service: AppleConnection) {
    self.settings = settings
    self.tokens = tokens
    self.service = service
    plan = RetryPlan(
      attempts: settings.attempts,
      firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds)),
      longestWait: Self.longestWait)
    rateLimiters = [
      .production: ConcurrentRateLimiter(perSecond: settings.requestsPerSecond),
      .sandbox: ConcurrentRateLimiter(
        perSecond: max(1, settings.requestsPerSecond / Self.sandboxShare)),
    ]
  }

  /// The number of requests sent.
  var requests: Int { rateLimiters.values.reduce(0) { $0 + $1.requests } }

  var receiptRequest: PagedRequest {
    PagedRequest(
      plan: plan,
      send: { store, target, body in
        let base = store == .production ? self.settings.productionURL : self.settings.sandboxURL
        return await self.send(
          base + target, body: body, accept: "application/json", store: store)
      },
      sleep: ConcurrentRateLimiter.sleep,
      hold: { store, length in self.rateLimiters[store]?.hold(for: length) },
      now: { SystemClock.now })
  }

  /// Sends a request as soon as the rate allows.
  func send(
    _ address: String, body: [UInt8]? = nil, accept: String, store: AppleEnvironment = .production
  )
    async -> AppleReply
  {
    let rateLimiter = rateLimiters[store]
    await rateLimiter?.wait()
    // Without a bearer token the request is not sent; the result is as for a broken connection.
    guard !Task.isCancelled, let bearer = try? tokens.token(at: SystemClock.now) else {
      return .failure(.connection)
    }
    rateLimiter?.count()
    return await service.send(
      AppleRequest(address: address, body: body, accept: accept, bearer: bearer))
  }

  func close() async { await service.close() }
}
