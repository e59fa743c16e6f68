/// One question to one of Apple's services.
package struct AppleRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The whole address, the query included.
  package let address: String
  /// The JSON text to post; `nil` to get.
  package let body: [UInt8]?
  /// The accepted media type of the response.
  package let accept: String
  /// The bearer token; it stands only in the request's header.
  package let bearer: String

  /// Creates a request from its fields.
  init(
    address: String, body: [UInt8]? = nil, accept: String = "application/json", bearer: String
  ) {
    self.address = address
    self.body = body
    self.accept = accept
    self.bearer = bearer
  }

  /// The address; the token is not shown.
  package var description: String { address }
  /// Nothing, as the token is as good as a password.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The reply of a service.
package enum AppleReply: Hashable, Sendable {
  /// A complete response of any HTTP status, and its header `Retry-After`.
  case answer(status: Int, retryAfter: String?, body: [UInt8])
  /// No complete response.
  case failure(ServiceFailure)
}
