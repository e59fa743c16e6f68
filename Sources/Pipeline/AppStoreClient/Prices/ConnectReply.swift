internal import CivilTime

/// The consequence of one reply of App Store Connect for a request about prices.
enum ConnectReply: Sendable {
  /// A page, and its text on one line.
  case page(ConnectPage, text: [UInt8])
  /// There is no such resource.
  case notThere
  /// To be repeated; the reason as a stable word, and the pause that Apple wants.
  case again(reason: String, after: Milliseconds?)
  /// The question is wrong for Apple; the reason as a stable word.
  case rejected(reason: String)
  /// The key is wrong, or its role may not read prices.
  case refused(reason: String)

  /// Interprets a reply.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - now: The wall clock's moment, for `Retry-After`.
  init(_ reply: AppleReply, now: Instant) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let body):
      guard let page = ConnectPage(body) else {
        self = .again(reason: "unreadable_answer", after: nil)
        return
      }
      // Line ends occur outside of strings only.
      self = .page(page, text: body.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    case .answer(let status, let retryAfter, _):
      let reason = "http_\(status)"
      switch status {
      case 401, 403: self = .refused(reason: reason)
      case 404: self = .notThere
      case 400, 405, 409, 422: self = .rejected(reason: reason)
      default: self = .again(reason: reason, after: RetryAfter.wait(retryAfter, now: now))
      }
    }
  }
}
