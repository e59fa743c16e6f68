internal import CivilTime
internal import ExportReading

/// The result for one receipt, after all its requests in a run.
enum ReceiptOutcome: Hashable, Sendable {
  /// Apple's response, to be exported.
  case answered(AppleAnswer)
  /// The receipt must be sent again by a later run; `reason` is a stable code.
  case pending(reason: String)
  /// The receipt is malformed, or Apple failed temporarily.
  ///
  /// Later runs send it again, but only a limited number of times.
  case perhapsMalformed
  /// Apple refused the receipt permanently.
  case rejected(reason: String)
  case wrongSecret
}

/// Sends one receipt until there is a result, or all allowed attempts have been made.
///
/// The services, the clock and the rate are passed as closures.
struct ReceiptRequest: Sendable {
  private let plan: RetryPlan
  private let secret: AppSecret?
  private let send: @Sendable (AppleEnvironment, [UInt8]) async -> AppleReply
  private let sleep: @Sendable (Milliseconds) async -> Void

  /// Prepares requests.
  ///
  /// - Parameters:
  ///   - secret: The app's shared secret; `nil` if there is none.
  ///   - sleep: Waits; returns early if a signal requests a stop.
  init(
    plan: RetryPlan, secret: AppSecret?,
    send: @escaping @Sendable (AppleEnvironment, [UInt8]) async -> AppleReply,
    sleep: @escaping @Sendable (Milliseconds) async -> Void
  ) {
    self.plan = plan
    self.secret = secret
    self.send = send
    self.sleep = sleep
  }

  /// Sends a receipt to production first, then to the service that Apple's status refers to.
  ///
  /// Example: status 21007 of production → the sandbox.
  ///
  /// - Returns: The outcome; `nil` if the task was cancelled.
  func outcome(of receipt: RawReceipt) async -> ReceiptOutcome? {
    let body = AppSecret.requestBody(receipt: receipt.base64, secret: secret)
    var environment = AppleEnvironment.production
    var attempt = 1
    var detours = 0
    while !Task.isCancelled {
      let reply = await send(environment, body)
      guard !Task.isCancelled else { return nil }
      let reason: String
      var after: Int64?
      switch ReceiptReply(reply, from: environment, secret: secret) {
      case .answered(let answer): return .answered(answer)
      case .rejected(let reason): return .rejected(reason: reason)
      case .perhapsMalformed: return .perhapsMalformed
      case .wrongSecret: return .wrongSecret
      case .otherEnvironment(let other) where detours < 2:
        detours += 1
        environment = other
        continue
      case .otherEnvironment: reason = "sent_to_and_fro"
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
