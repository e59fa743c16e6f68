/// The connection to Apple that fetching needs.
///
/// The executable hands it in, so that the stages are built without an HTTP client.
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

  /// Prepares a connection, given the number of concurrent requests and the seconds for each
  /// answer.
  var connect: @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service

  /// Creates the connections to the outside; tests pass their own.
  package init(
    connect: @escaping @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service
  ) {
    self.connect = connect
  }
}
