internal import CivilTime
internal import Synchronization

/// The tokens that authenticate questions to Apple's services.
///
/// Each is valid for ten minutes and used for five. Apple allows twenty minutes at App Store
/// Connect and an hour at the App Store Server API.
final class BearerTokens: Sendable {
  private static let lifetime = Milliseconds.seconds(600)

  private let key: ServerKey
  private let bundleID: String?
  private let current = Mutex<(token: String, since: Instant)?>(nil)

  /// Prepares tokens.
  ///
  /// - Parameters:
  ///   - key: The key that signs them.
  ///   - bundleID: The app, for the App Store Server API; `nil` for App Store Connect.
  init(key: ServerKey, bundleID: String?) {
    self.key = key
    self.bundleID = bundleID
  }

  /// A token that is valid for at least five more minutes.
  ///
  /// - Parameter now: The wall clock's moment: Apple compares it with its own.
  /// - Returns: The token, valid for five to ten more minutes.
  /// - Throws: ``SigningFault`` if the cryptographic library fails.
  func token(at now: Instant) throws(SigningFault) -> String {
    try current.withLock { current throws(SigningFault) in
      if let current, current.since <= now,
        now.since(current.since).rawValue < Self.lifetime.rawValue / 2
      {
        return current.token
      }
      var claims = ClaimsText()
      claims.add("iss", key.issuerID)
      claims.add("iat", now.milliseconds / 1000)
      claims.add("exp", now.advanced(by: Self.lifetime).milliseconds / 1000)
      claims.add("aud", "appstoreconnect-v1")
      if let bundleID { claims.add("bid", bundleID) }
      let token = try key.token(claims)
      current = (token, now)
      return token
    }
  }
}
