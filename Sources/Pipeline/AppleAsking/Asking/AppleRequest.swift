public import Validation

/// One question to one of Apple's services.
public struct AppleRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The whole address, the query included.
  public let address: String
  /// The JSON text to post; `nil` to get.
  public let body: [UInt8]?
  /// The accepted media type of the answer.
  public let accept: String
  /// The token that tells who asks; for the request's header alone.
  public let bearer: String

  /// Describes a question.
  public init(
    address: String, body: [UInt8]? = nil, accept: String = "application/json", bearer: String
  ) {
    self.address = address
    self.body = body
    self.accept = accept
    self.bearer = bearer
  }

  /// The address; the token is not shown.
  public var description: String { address }
  /// Nothing, as the token is as good as a password.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reply of a service.
public enum AppleReply: Hashable, Sendable {
  /// A whole answer of any HTTP status, and its header `Retry-After`.
  case answer(status: Int, retryAfter: String?, body: [UInt8])
  /// No whole answer.
  case failure(ServiceFailure)
}
