internal import ExportReading

/// The two services that Apple validates receipts with.
enum AppleEnvironment: String, Hashable, Sendable, CaseIterable {
  /// The service that gets every receipt first.
  case production
  /// The service for receipts of test purchases.
  case sandbox
}

/// The reply of a service to one request.
package enum ServiceReply: Hashable, Sendable {
  /// HTTP 200 and its body.
  case body([UInt8])
  /// Another HTTP status, and the seconds after which the service wants to be requested again.
  case httpStatus(Int, retryAfter: Int64?)
  /// No complete reply.
  case failure(ServiceFailure)
}

/// The reason why a reply is missing or incomplete.
package enum ServiceFailure: String, Hashable, Sendable, CaseIterable {
  /// The service was silent for too long.
  case timeout
  /// No connection: an unknown name, a refused connection, an untrusted certificate.
  case connection
  /// The connection ended within the reply.
  case cut
  /// The reply is larger than any receipt's.
  case tooLarge = "too_large"
}

/// The consequence of one reply for a receipt.
enum ReceiptReply: Hashable, Sendable {
  /// The response is final: it goes into the export.
  case answered(AppleAnswer)
  /// The other service knows the receipt (21007, 21008).
  case askElsewhere(AppleEnvironment)
  /// Malformed, or a temporary failure; Apple uses one status for both (21002).
  case perhapsMalformed
  /// To be requested again; the reason as a stable word.
  case again(reason: String, after: Int64?)
  /// Never to be requested again; the reason as a stable word.
  case rejected(reason: String)
  /// The shared secret is not the app's; every request with it fails (21004).
  case wrongSecret
}

extension ReceiptReply {
  /// Interprets a reply of one of the services.
  ///
  /// The meaning of each status is Apple's (`status`, `is-retryable` of `responseBody`); 21006 and
  /// 21010 describe the receipt and are final responses.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - environment: The service that replied.
  ///   - secret: The shared secret; a response that repeats it is not used.
  init(
    _ reply: ServiceReply, from environment: AppleEnvironment, secret: AppSecret? = nil
  ) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .httpStatus(let status, let after): self = .again(reason: "http_\(status)", after: after)
    case .body(let bytes):
      guard let answer = AppleAnswer(bytes: bytes) else {
        self = .again(reason: "unreadable_answer", after: nil)
        return
      }
      if let secret, secret.occurs(in: bytes) {
        self = .rejected(reason: "answer_repeats_secret")
        return
      }
      self = Self.verdict(on: answer, from: environment)
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
      return environment == .production ? .askElsewhere(.sandbox) : .rejected(reason: reason)
    case 21008:
      return environment == .sandbox ? .askElsewhere(.production) : .rejected(reason: reason)
    case 21100...21199:
      return answer.isRetryable == true
        ? .again(reason: reason, after: nil) : .rejected(reason: reason)
    default: return .rejected(reason: reason)
    }
  }
}
