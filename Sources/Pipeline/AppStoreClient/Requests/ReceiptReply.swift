internal import ExportReading

/// The reason why a reply is missing or incomplete.
package enum ServiceFailure: String, Hashable, Sendable, CaseIterable {
  /// The service did not reply within the time limit.
  case timeout
  /// There was no connection.
  ///
  /// The host name is unknown, the host refused the connection, or its certificate is not trusted.
  case connection
  /// The connection ended before the reply was complete.
  case cut
  /// The reply exceeds the largest accepted size.
  case tooLarge = "too_large"
}

/// The meaning of a reply to a request about a receipt.
enum ReceiptReply: Hashable, Sendable {
  /// The response is final and is exported.
  case answered(AppleAnswer)
  /// The receipt belongs to the other environment: the sandbox (21007) or production (21008).
  case otherEnvironment(AppleEnvironment)
  /// Apple's status is 21002: either the receipt is malformed, or the failure is temporary.
  case perhapsMalformed
  /// The request must be sent again later.
  ///
  /// `reason` is a stable code, such as `http_503`. `after` is the wait in seconds that Apple
  /// requires; `nil` if Apple requires none.
  case again(reason: String, after: Int64?)
  /// The request must not be repeated; `reason` is a stable code, such as `status_21003`.
  case rejected(reason: String)
  /// The shared secret is not the app's secret (21004); every request with it would fail.
  case wrongSecret
}

extension ReceiptReply {
  /// Interprets a reply of the production or sandbox service.
  ///
  /// Apple documents the meaning of each status (`status` and `is-retryable` of `responseBody`).
  /// 21006 and 21010 describe the receipt, so these responses are final.
  ///
  /// - Parameters:
  ///   - secret: The shared secret; a response that contains it is not stored.
  init(
    _ reply: AppleReply, from environment: AppleEnvironment, secret: AppSecret? = nil
  ) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let bytes):
      guard let answer = AppleAnswer(bytes: bytes) else {
        self = .again(reason: "unreadable_answer", after: nil)
        return
      }
      if let secret, secret.occurs(in: bytes) {
        self = .rejected(reason: "answer_repeats_secret")
        return
      }
      self = Self.verdict(on: answer, from: environment)
    case .answer(let status, let after, _):
      self = .again(reason: "http_\(status)", after: after.flatMap { Int64($0) })
    }
  }

  private static func verdict(on answer: AppleAnswer, from environment: AppleEnvironment)
    -> ReceiptReply
  {
    let reason = "status_\(answer.status)"
    switch answer.status {
    case 0, 21006, 21010: return .answered(answer)
    case 21002: return .perhapsMalformed
    case 21004: return .wrongSecret
    case 21005, 21009: return .again(reason: reason, after: nil)
    case 21007:
      return environment == .production ? .otherEnvironment(.sandbox) : .rejected(reason: reason)
    case 21008:
      return environment == .sandbox ? .otherEnvironment(.production) : .rejected(reason: reason)
    case 21100...21199:
      return answer.isRetryable == true
        ? .again(reason: reason, after: nil) : .rejected(reason: reason)
    default: return .rejected(reason: reason)
    }
  }
}
