/// A token or a decoded payload, found in a record.
public struct FoundToken: Hashable, Sendable {
  /// The bytes of a transaction in its record: signed, or decoded without its signature.
  public enum Text: Hashable, Sendable {
    /// A compact JWS: `eyJ….eyJ….…`.
    case token([UInt8])
    /// A JSON object without a signature.
    case decoded([UInt8])
  }

  /// The path of the token in the record.
  public var place: TokenPath
  /// The token itself, or the decoded payload, in the form of the record.
  public var text: Text
  /// The environment in the innermost enclosing object that has an environment; `nil` if there is
  /// none.
  public var environment: StoreEnvironment?
}

/// The path of a token in its record: `signedTransactions[3]`,
/// `notificationHistory[0].signedPayload`.
///
/// It is empty if the record itself is the token.
public struct TokenPath: Hashable, Sendable, CustomStringConvertible {
  /// The key under which the token was found.
  public var key = ""
  /// The position in a list, from 0; `nil` outside of lists.
  public var index: Int?
  /// The type of the notification that contains the token, such as `DID_RENEW`.
  public var notificationType: String?

  /// Returns the path of a member of the object at this path.
  ///
  /// If the object is not an element of a list, its path is left out. Examples for the member
  /// `lastTransactions`: in the object `data[0]` → `data[0].lastTransactions`; in the object `data`
  /// → `lastTransactions`.
  func member(_ name: String) -> TokenPath {
    TokenPath(key: index == nil ? name : "\(self).\(name)")
  }

  /// The path for a message; within a notification, the notification's type precedes the path.
  ///
  /// Example: `DID_RENEW signedTransactionInfo`.
  public var description: String {
    let place = index.map { "\(key)[\($0)]" } ?? key
    return notificationType.map { "\($0) \(place)" } ?? place
  }
}
