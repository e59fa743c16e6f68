internal import Pipeline
internal import CivilTime
internal import Synchronization

/// The bearer tokens of requests to Apple's services.
///
/// Each token is valid for ten minutes, and replaced after five minutes. App Store Connect accepts
/// a validity of up to twenty minutes, and the App Store Server API of up to an hour.
final class BearerTokens: Sendable {
  private static let lifetime = Milliseconds.seconds(600)

  private let key: ServerKey
  private let bundleID: String?
  private let current = Mutex<(token: String, since: Instant)?>(nil)

  /// Creates the source of tokens; the first token is signed when it is needed.
  ///
  /// - Parameters:
  ///   - bundleID: The app, which tokens for the App Store Server API contain; `nil` for App Store
  ///     Connect.
  init(key: ServerKey, bundleID: String?) {
    self.key = key
    self.bundleID = bundleID
  }

  /// Returns a token that is valid for at least five more minutes.
  ///
  /// - Parameter now: The current time; Apple compares it with its own clock.
  func token(at now: Instant) throws(SigningFault) -> String {
    try current.withLock { current throws(SigningFault) in
      if let current, current.since <= now,
        now.since(current.since).rawValue < Self.lifetime.rawValue / 2
      {
        return current.token
      }
      var claims: [JSONText.Member] = [
        .init("iss", .text(key.issuerID)), .init("iat", .number(now.milliseconds / 1000)),
        .init("exp", .number(now.advanced(by: Self.lifetime).milliseconds / 1000)),
        .init("aud", .text("appstoreconnect-v1")),
      ]
      if let bundleID { claims.append(.init("bid", .text(bundleID))) }
      let token = try key.token(.object(claims))
      current = (token, now)
      return token
    }
  }
}
