internal import CivilTime
internal import Diagnostics
internal import Pipeline
internal import Synchronization

/// Asks one of Apple's services, at most as many times per second as the pipeline allows.
final class AppleClient: Sendable {
  /// The number of times that a question may be sent to the other environment in one attempt.
  private static let detoursMax = 2

  private let service: AppleConnection
  private let addresses: [AppleEnvironment: String]
  private let rateLimiters: [AppleEnvironment: ConcurrentRateLimiter]
  private let tokens: BearerTokens?
  private let plan: RetryPlan
  private let sleep: @Sendable (Milliseconds) async -> Void
  private let sent = Atomic<Int>(0)

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - tokens: The bearer tokens of the requests; `nil` for a service without a key.
  ///   - sleep: Waits between attempts; returns early if the task is cancelled.
  init(
    _ service: AppleConnection, addresses: [AppleEnvironment: String],
    rateLimiters: [AppleEnvironment: ConcurrentRateLimiter], tokens: BearerTokens?,
    plan: RetryPlan,
    sleep: @escaping @Sendable (Milliseconds) async -> Void = ConcurrentRateLimiter.sleep
  ) {
    self.service = service
    self.addresses = addresses
    self.rateLimiters = rateLimiters
    self.tokens = tokens
    self.plan = plan
    self.sleep = sleep
  }

  /// The number of requests sent, including repeated requests.
  var requests: Int { sent.load(ordering: .relaxed) }

  /// Sends a question until there is an outcome, or all allowed attempts have been made.
  ///
  /// Each attempt begins with the question's environment, and may continue with the other one.
  ///
  /// - Parameter meaning: Interprets the reply of an environment.
  /// - Returns: The outcome; `nil` if the task was cancelled.
  func ask<Answer>(
    _ question: AppleQuestion,
    meaning: @Sendable (AppleReply, AppleEnvironment) -> ReplyMeaning<Answer>
  ) async -> AskingOutcome<Answer>? {
    var (attempt, detours, environment) = (1, 0, question.environment)
    while !Task.isCancelled {
      let reply = await send(question, to: environment)
      guard !Task.isCancelled else { return nil }
      var reason = "sent_to_and_fro"
      var after: Milliseconds?
      switch meaning(reply, environment) {
      case .settled(let outcome): return outcome
      case .elsewhere(let other) where detours < Self.detoursMax:
        (detours, environment) = (detours + 1, other)
        continue
      case .elsewhere: break
      case .again(let word, let pause): (reason, after) = (word, pause)
      }
      guard attempt < plan.attempts else { return .pending(reason: reason) }
      if let after { rateLimiters[environment]?.hold(for: min(after, plan.longestWait)) }
      await sleep(
        plan.wait(
          afterAttempt: attempt, key: question.seed, after: after.map { $0.rawValue / 1000 }))
      (attempt, detours, environment) = (attempt + 1, 0, question.environment)
    }
    return nil
  }

  /// Asks while no other question is open.
  ///
  /// - Throws: ``RunFailure`` as soon as a signal requests a stop.
  func askAlone<Answer: Sendable>(
    _ question: AppleQuestion,
    meaning: @escaping @Sendable (AppleReply, AppleEnvironment) -> ReplyMeaning<Answer>
  ) async throws(RunFailure) -> AskingOutcome<Answer> {
    let outcome = await withTaskGroup(of: AskingOutcome<Answer>?.self) { group in
      group.addTask { await self.ask(question, meaning: meaning) }
      group.addTask {
        await StopSignal.untilReceived()
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
    try StopSignal.check()
    return outcome ?? .pending(reason: ServiceFailure.cut.rawValue)
  }

  /// Sends a request as soon as the rate allows.
  private func send(_ question: AppleQuestion, to environment: AppleEnvironment) async
    -> AppleReply
  {
    await rateLimiters[environment]?.wait()
    guard !Task.isCancelled else { return .failure(.cut) }
    var bearer: String?
    if let tokens {
      // Without its token the request is not sent; the result is as for a broken connection.
      guard let token = try? tokens.token(at: SystemClock.now) else { return .failure(.connection) }
      bearer = token
    }
    sent.add(1, ordering: .relaxed)
    return await service.send(
      AppleRequest(
        address: addresses[environment, default: ""] + question.target, body: question.body,
        accept: question.accept, bearer: bearer))
  }

  func close() async { await service.close() }
}

extension AppleClient {
  /// The longest wait before a retry of a request with a key: one hour.
  ///
  /// Apple limits the number of requests per hour. Above the limit, a client waits for the next
  /// hour.
  private static let longestWait = Milliseconds.hours(1)
  /// The divisor for the rate in the sandbox: Apple allows a tenth of production's rate.
  private static let sandboxShare = 10

  private convenience init(
    _ service: AppleConnection, _ settings: FetchSettings, tokens: BearerTokens,
    addresses: [AppleEnvironment: String], perSecond: Int
  ) {
    self.init(
      service, addresses: addresses,
      rateLimiters: [
        .production: ConcurrentRateLimiter(perSecond: perSecond),
        .sandbox: ConcurrentRateLimiter(perSecond: max(1, perSecond / Self.sandboxShare)),
      ], tokens: tokens,
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds)),
        longestWait: Self.longestWait))
  }

  /// Creates a client of the App Store Server API, for the histories and notifications of an app.
  static func server(
    _ settings: FetchSettings, of definition: PipelineDefinition, connect: AppleConnection.Maker
  ) throws(RunFailure) -> AppleClient {
    let server = try settings.server(of: definition)
    let tokens = BearerTokens(key: try ServerKey.read(server.key), bundleID: server.bundleID)
    return AppleClient(
      connect(settings.concurrency, settings.timeoutSeconds), settings, tokens: tokens,
      addresses: [.production: settings.productionURL, .sandbox: settings.sandboxURL],
      perSecond: settings.requestsPerSecond)
  }

  /// Creates a client of App Store Connect.
  ///
  /// Its requests are never concurrent. Apple limits the number of requests per hour. Even below
  /// this limit, Apple refuses some requests if several arrive at the same time.
  static func appStoreConnect(
    _ settings: FetchSettings, key: ServerKeySettings, url: String, perSecond: Int,
    connect: AppleConnection.Maker
  ) throws(RunFailure) -> AppleClient {
    let tokens = BearerTokens(key: try ServerKey.read(key), bundleID: nil)
    return AppleClient(
      connect(1, settings.timeoutSeconds), settings, tokens: tokens,
      addresses: [.production: url], perSecond: perSecond)
  }

  /// Creates a client for files at addresses that App Store Connect names.
  ///
  /// Its requests have no key, because the addresses contain their permission.
  static func downloads(_ settings: FetchSettings, connect: AppleConnection.Maker) -> AppleClient {
    AppleClient(
      connect(1, settings.timeoutSeconds), addresses: [:],
      rateLimiters: [.production: ConcurrentRateLimiter(perSecond: settings.requestsPerSecond)],
      tokens: nil,
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds))))
  }

  /// Creates a client of verifyReceipt, which needs no key.
  static func receipts(_ settings: ValidationSettings, connect: AppleConnection.Maker)
    -> AppleClient
  {
    let rateLimiter = ConcurrentRateLimiter(perSecond: settings.requestsPerSecond)
    return AppleClient(
      connect(settings.concurrency, settings.timeoutSeconds),
      addresses: [.production: settings.productionURL, .sandbox: settings.sandboxURL],
      rateLimiters: [.production: rateLimiter, .sandbox: rateLimiter], tokens: nil,
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds))))
  }
}

extension StopSignal {
  /// Waits until a signal requests a stop, or until the task is cancelled.
  static func untilReceived() async {
    while received == nil, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
  }
}
