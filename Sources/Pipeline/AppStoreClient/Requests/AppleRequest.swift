/// A request to one of Apple's services.
package struct AppleRequest: Sendable, CustomStringConvertible, CustomReflectable {
  /// The complete address, including the query.
  package let address: String
  /// The JSON text of a POST request; `nil` for a GET request.
  package let body: [UInt8]?
  /// The accepted media type of the response; `nil` if the request does not specify a type.
  package let accept: String?
  /// The bearer token, which appears only in the request's header; `nil` without a key.
  package let bearer: String?

  /// The address; the token is not shown.
  package var description: String { address }
  /// An empty mirror, because a dump must not show the bearer token.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The response to a request, or the reason why there is no complete response.
package enum AppleReply: Hashable, Sendable {
  /// A complete response, with any HTTP status, and its header `Retry-After`.
  case answer(status: Int, retryAfter: String?, body: [UInt8])
  /// There was no complete response.
  case failure(ServiceFailure)
}

/// The reason why a reply is missing or incomplete.
package enum ServiceFailure: String, Hashable, Sendable, CaseIterable {
  /// The service did not reply within the time limit.
  case timeout
  /// There was no connection.
  ///
  /// The host name is unknown, the host refused the connection, or its certificate is not trusted.
  case connection
  /// The connection ended before the reply was complete.
  case cut
  /// The reply exceeds the largest accepted size.
  case tooLarge = "too_large"
}
