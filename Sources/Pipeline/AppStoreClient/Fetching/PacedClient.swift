internal import CivilTime
internal import Pipeline
internal import Synchronization

/// Sends requests to Apple at the rate that the pipeline allows, and counts them.
final class PacedClient: Sendable {
  /// The divisor for the rate in the sandbox: Apple allows a tenth of production's rate.
  private static let sandboxShare = 10
  /// The longest wait.
  ///
  /// Apple counts requests per hour, and may require a pause until the next hour.
  static let longestWait = Milliseconds.hours(1)

  private let settings: FetchSettings
  private let tokens: BearerTokens
  private let service: FetchEdge.Service
  private let paces: [AppleStore: Pace]
  private let count = Atomic<Int>(0)

  init(_ settings: FetchSettings, tokens: BearerTokens, service: FetchEdge.Service) {
    self.settings = settings
    self.tokens = tokens
    self.service = service
    paces = [
      .production: Pace(perSecond: settings.requestsPerSecond),
      .sandbox: Pace(perSecond: max(1, settings.requestsPerSecond / Self.sandboxShare)),
    ]
  }

  /// The number of requests sent.
  var requests: Int { count.load(ordering: .relaxed) }

  var receiptRequest: PagedRequest {
    PagedRequest(
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds)),
        longestWait: Self.longestWait),
      send: { store, target, body in
        let base = store == .production ? self.settings.productionURL : self.settings.sandboxURL
        return await self.send(
          base + target, body: body, accept: "application/json", store: store)
      },
      sleep: Self.sleep, hold: { store, length in self.paces[store]?.hold(for: length) },
      now: { SystemClock.now })
  }

  /// Sends a request as soon as the rate allows.
  func send(
    _ address: String, body: [UInt8]? = nil, accept: String, store: AppleStore = .production
  )
    async -> AppleReply
  {
    await paces[store]?.wait()
    // Without a bearer token the request is not sent; the result is as for a broken connection.
    guard !Task.isCancelled, let bearer = try? tokens.token(at: SystemClock.now) else {
      return .failure(.connection)
    }
    count.add(1, ordering: .relaxed)
    return await service.send(
      AppleRequest(address: address, body: body, accept: accept, bearer: bearer))
  }

  func close() async { await service.close() }

  /// Waits; returns early if the task is cancelled.
  @Sendable static func sleep(_ length: Milliseconds) async {
    guard length.rawValue > 0 else { return }
    try? await Task.sleep(for: .milliseconds(length.rawValue))
  }
}

/// The request rate of one service, shared by all its callers.
private final class Pace: Sendable {
  private let pace: Mutex<RequestPace>

  init(perSecond: Int) {
    pace = Mutex(RequestPace(perSecond: perSecond))
  }

  /// Waits until the next request is allowed.
  func wait() async {
    await PacedClient.sleep(pace.withLock { $0.take(now: Self.now) })
  }

  /// Allows no request until some time has passed.
  func hold(for length: Milliseconds) {
    pace.withLock { $0.hold(for: length, now: Self.now) }
  }

  private static var now: Milliseconds { Milliseconds(SystemClock.steadyMilliseconds) }
}
