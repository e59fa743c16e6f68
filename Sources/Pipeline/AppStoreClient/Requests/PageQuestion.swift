internal import CivilTime
internal import Pipeline

/// Questions to the App Store Server API, whose answers come in pages.
extension AppleQuestion {
  /// Creates the question for a page of a chain's signed history.
  ///
  /// - Parameters:
  ///   - revision: The token from the previous page; `nil` for the first page.
  ///   - environment: The environment of the chain; `nil` if unknown.
  static func history(chain: String, revision: String?, environment: AppleEnvironment?)
    -> AppleQuestion
  {
    AppleQuestion(
      target: page("/inApps/v2/history/\(chain)", "revision", revision),
      environment: environment ?? .production, seed: Array(chain.utf8))
  }

  /// Creates the question for a page of the notification history.
  ///
  /// - Parameters:
  ///   - from: The start of the time span; at most 180 days ago.
  ///   - token: The token from the previous page; `nil` for the first page.
  static func notifications(
    from: Instant, through: Instant, token: String?, environment: AppleEnvironment
  ) -> AppleQuestion {
    let body = JSONText.object([
      .init("startDate", .number(from.milliseconds)),
      .init("endDate", .number(through.milliseconds)),
    ])
    return AppleQuestion(
      target: page("/inApps/v1/notifications/history", "paginationToken", token),
      body: Array(body.line.utf8), environment: environment,
      seed: Array(environment.rawValue.utf8))
  }

  /// The path and query of a page, from the token that Apple returned with the previous page.
  private static func page(_ path: String, _ name: String, _ token: String?) -> String {
    token.map { "\(path)?\(name)=\(escaped($0))" } ?? path
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

extension AnswerPage {
  /// Interprets a reply of the App Store Server API.
  ///
  /// The error codes are Apple's (`errorCode`). Apple defines 4040002, 4040004 and 4040006 as
  /// retryable.
  ///
  /// - Parameters:
  ///   - token: The token of the requested page; `nil` for the first page.
  ///   - isElsewhere: Whether a chain that production does not know may be in the sandbox.
  static func meaning(
    of reply: AppleReply, from environment: AppleEnvironment, token: String?, isElsewhere: Bool
  ) -> ReplyMeaning<AnswerPage> {
    ReplyMeaning(reply) { body in
      AnswerPage(body, from: environment).map { page in
        page.hasMore && page.next == token
          ? .settled(.pending(reason: "page_leads_nowhere")) : .settled(.answer(page))
      }
    } other: { status, body in
      let code = AnswerFields(body)?.errorCode
      let reason = code.map { "error_\($0)" } ?? "http_\(status)"
      switch (status, code) {
      // This environment has no such transaction, account or app.
      case (404, 4_040_001), (404, 4_040_003), (404, 4_040_005), (404, 4_040_010):
        return isElsewhere && environment == .production
          ? .elsewhere(.sandbox) : .settled(.rejected(reason: reason))
      case (400, 4_000_002), (401, _), (403, _): return .settled(.refused(reason: reason))
      case (400, .some): return .settled(.rejected(reason: reason))
      // Too many requests, a temporary failure, or an error page of a proxy.
      default: return .again(reason: reason, after: nil)
      }
    }
  }

  /// Returns true if a page was rejected because its token is no longer valid.
  ///
  /// The first page must then be requested again.
  static func isExpired(_ reason: String) -> Bool {
    ["error_4000005", "error_4000014", "error_4000017"].contains(reason)
  }
}
