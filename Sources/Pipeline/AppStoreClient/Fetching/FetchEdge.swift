/// The connection to Apple that fetching needs.
///
/// The executable passes it, so that the stages are built without an HTTP client.
package struct FetchEdge: Sendable {
  /// A connection to Apple's services.
  package struct Service: Sendable {
    var send: @Sendable (_ question: AppleRequest) async -> AppleReply
    var close: @Sendable () async -> Void

    /// Creates a connection from its fields.
    package init(
      send: @escaping @Sendable (_ question: AppleRequest) async -> AppleReply,
      close: @escaping @Sendable () async -> Void
    ) {
      self.send = send
      self.close = close
    }
  }

  /// Prepares a connection.
  ///
  /// The arguments are the number of concurrent requests and the time limit in seconds.
  var connect: @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service

  /// Creates the connections to Apple; tests pass their own connections.
  package init(
    connect: @escaping @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service
  ) {
    self.connect = connect
  }
}
