internal import CivilTime
internal import ExportReading

/// The result of a run's requests about one receipt.
enum ReceiptOutcome: Hashable, Sendable {
  /// Apple's response, to be exported.
  case answered(AppleAnswer)
  /// To be sent again; the reason as a stable word.
  case pending(reason: String)
  /// Malformed, or Apple had a bad moment: to be requested again by later runs, but not for ever.
  case perhapsMalformed
  /// Final: Apple rejects the receipt.
  case rejected(reason: String)
  /// The shared secret is wrong.
  case wrongSecret
}

/// Requests one receipt until it is decided or the plan is used up.
///
/// Everything outside is handed in: the services, the clock and the pace.
struct ReceiptRequest: Sendable {
  private let plan: RetryPlan
  private let secret: AppSecret?
  private let ask: @Sendable (AppleEnvironment, [UInt8]) async -> ServiceReply
  private let sleep: @Sendable (Milliseconds) async -> Void

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - plan: The number of attempts and the waits between them.
  ///   - secret: The app's shared secret; `nil` for none.
  ///   - ask: Sends a body to a service, as soon as the rate allows.
  ///   - sleep: Waits; returns early when the run is to stop.
  init(
    plan: RetryPlan, secret: AppSecret?,
    ask: @escaping @Sendable (AppleEnvironment, [UInt8]) async -> ServiceReply,
    sleep: @escaping @Sendable (Milliseconds) async -> Void
  ) {
    self.plan = plan
    self.secret = secret
    self.ask = ask
    self.sleep = sleep
  }

  /// Requests a receipt: production first, then the service that Apple refers to.
  ///
  /// - Parameter receipt: The receipt.
  /// - Returns: The outcome; `nil` if the task was cancelled before it was known.
  func outcome(of receipt: RawReceipt) async -> ReceiptOutcome? {
    let body = AppSecret.requestBody(receipt: receipt.base64, secret: secret)
    var environment = AppleEnvironment.production
    var attempt = 1
    var detours = 0
    while !Task.isCancelled {
      let reply = await ask(environment, body)
      guard !Task.isCancelled else { return nil }
      let reason: String
      var after: Int64?
      switch ReceiptReply(reply, from: environment, secret: secret) {
      case .answered(let answer): return .answered(answer)
      case .rejected(let reason): return .rejected(reason: reason)
      case .perhapsMalformed: return .perhapsMalformed
      case .wrongSecret: return .wrongSecret
      case .askElsewhere(let other) where detours < 2:
        detours += 1
        environment = other
        continue
      case .askElsewhere: reason = "sent_to_and_fro"
      case .again(let word, let seconds): (reason, after) = (word, seconds)
      }
      guard attempt < plan.attempts else { return .pending(reason: reason) }
      await sleep(plan.wait(afterAttempt: attempt, key: receipt.key, after: after))
      attempt += 1
      (environment, detours) = (.production, 0)
    }
    return nil
  }
}
