internal import CivilTime

/// The meaning of a reply from App Store Connect to a request about prices.
enum ConnectReply: Sendable {
  /// A page, and its text on one line.
  case page(ConnectPage, text: [UInt8])
  /// The requested resource does not exist.
  case notThere
  /// The request must be repeated.
  ///
  /// `reason` is a stable code, such as `http_503`; `after` is the pause that Apple requires.
  case again(reason: String, after: Milliseconds?)
  /// Apple does not accept the request; `reason` is a stable code, such as `http_400`.
  case rejected(reason: String)
  /// The key is wrong, or its role may not read prices.
  case refused(reason: String)

  /// Interprets a reply.
  init(_ reply: AppleReply, now: Instant) {
    switch reply {
    case .failure(let failure): self = .again(reason: failure.rawValue, after: nil)
    case .answer(200, _, let body):
      guard let page = ConnectPage(body) else {
        self = .again(reason: "unreadable_answer", after: nil)
        return
      }
      // Line ends occur only outside of strings.
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
