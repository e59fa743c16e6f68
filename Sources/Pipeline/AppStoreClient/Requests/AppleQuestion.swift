internal import CivilTime
internal import Pipeline

/// The environment of a service: production or sandbox.
package enum AppleEnvironment: String, Hashable, Sendable, CaseIterable {
  /// Production purchases; this environment is requested first.
  case production
  /// Test purchases, which have no revenue.
  case sandbox
}

/// A question to one of Apple's services; it may need several requests.
struct AppleQuestion: Hashable, Sendable {
  /// The path and query, without the address of the service.
  var target = ""
  /// The JSON text of a POST request; `nil` for a GET request.
  var body: [UInt8]?
  var accept: String? = "application/json"
  /// The environment that each attempt begins with.
  var environment = AppleEnvironment.production
  /// A seed for the random part of the waits between attempts.
  ///
  /// So requests that failed at the same time are repeated at different times.
  var seed: [UInt8]
}

/// The result of a question, after all its requests in a run; each `reason` is a stable code.
enum AskingOutcome<Answer> {
  case answer(Answer)
  /// There is no answer yet; a later run must ask again.
  case pending(reason: String)
  /// Apple does not accept the question, or knows no answer; it must not be asked again.
  case rejected(reason: String)
  /// The key or the secret is wrong, so every other question would fail too.
  case refused(reason: String)
}

extension AskingOutcome: Equatable where Answer: Equatable {}
extension AskingOutcome: Sendable where Answer: Sendable {}

/// The meaning of a reply for the next request.
enum ReplyMeaning<Answer> {
  /// No further request is needed in this run.
  case settled(AskingOutcome<Answer>)
  /// The other environment must be asked.
  case elsewhere(AppleEnvironment)
  /// The request must be repeated; `after` is the pause that Apple requires.
  case again(reason: String, after: Milliseconds?)

  /// Interprets a reply, as far as all services agree.
  ///
  /// - Parameters:
  ///   - whole: Interprets the body of a reply with status 200; `nil` if it is unreadable.
  ///   - other: Interprets another status with its body; `.again` may leave the pause to the header
  ///     `Retry-After`.
  init(
    _ reply: AppleReply, whole: ([UInt8]) -> ReplyMeaning?,
    other: (_ status: Int, [UInt8]) -> ReplyMeaning
  ) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let body):
      self = whole(body) ?? .again(reason: "unreadable_answer", after: nil)
    case .answer(let status, let retryAfter, let body):
      self = other(status, body)
      if case .again(let reason, nil) = self {
        self = .again(reason: reason, after: RetryAfter.wait(retryAfter, now: SystemClock.now))
      }
    }
  }
}

extension ReplyMeaning: Equatable where Answer: Equatable {}
