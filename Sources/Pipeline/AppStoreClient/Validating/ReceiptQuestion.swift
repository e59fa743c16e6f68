internal import ExportReading

/// Questions to verifyReceipt.
extension AppleQuestion {
  /// Creates the question for a receipt.
  ///
  /// It is sent to production first, then to the service that Apple's status refers to. Example:
  /// status 21007 of production → the sandbox.
  ///
  /// - Parameter secret: The app's shared secret; `nil` if there is none.
  static func receipt(_ receipt: RawReceipt, secret: AppSecret?) -> AppleQuestion {
    AppleQuestion(
      body: AppSecret.requestBody(receipt: receipt.base64, secret: secret), accept: nil,
      seed: receipt.key)
  }
}

extension AppleAnswer {
  /// The reason of a rejection that may be wrong: the receipt is malformed, or Apple failed for a
  /// moment.
  ///
  /// Later runs send such a receipt again, but only a limited number of times.
  static let perhapsMalformed = "status_21002"

  /// Interprets a reply of the production or sandbox service.
  ///
  /// Apple documents the meaning of each status (`status` and `is-retryable` of `responseBody`).
  /// 21006 and 21010 describe the receipt, so these responses are final. 21004 means that the
  /// shared secret is not the app's, so every request with it would fail.
  ///
  /// - Parameters:
  ///   - secret: The shared secret; a response that contains it is not stored.
  static func meaning(
    of reply: AppleReply, from environment: AppleEnvironment, secret: AppSecret?
  ) -> ReplyMeaning<AppleAnswer> {
    ReplyMeaning(reply) { bytes in
      AppleAnswer(bytes: bytes).map { answer in
        secret?.occurs(in: bytes) == true
          ? .settled(.rejected(reason: "answer_repeats_secret")) : answer.meaning(from: environment)
      }
    } other: { status, _ in
      .again(reason: "http_\(status)", after: nil)
    }
  }

  private func meaning(from environment: AppleEnvironment) -> ReplyMeaning<AppleAnswer> {
    let reason = "status_\(status)"
    switch status {
    case 0, 21006, 21010: return .settled(.answer(self))
    case 21004: return .settled(.refused(reason: reason))
    case 21005, 21009: return .again(reason: reason, after: nil)
    case 21007 where environment == .production: return .elsewhere(.sandbox)
    case 21008 where environment == .sandbox: return .elsewhere(.production)
    case 21100...21199 where isRetryable == true: return .again(reason: reason, after: nil)
    default: return .settled(.rejected(reason: reason))
    }
  }
}
