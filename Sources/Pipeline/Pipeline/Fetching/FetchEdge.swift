public import AppleAsking

/// The connection to Apple that fetching needs.
///
/// The executable hands it in, so that the stages are built without an HTTP client.
public struct FetchEdge: Sendable {
  /// A connection to Apple's services.
  public struct Service: Sendable {
    /// Sends a question.
    public var send: @Sendable (_ question: AppleRequest) async -> AppleReply
    /// Closes the connection.
    public var close: @Sendable () async -> Void

    /// Describes a connection.
    public init(
      send: @escaping @Sendable (_ question: AppleRequest) async -> AppleReply,
      close: @escaping @Sendable () async -> Void
    ) {
      self.send = send
      self.close = close
    }
  }

  /// Prepares a connection, given the number of concurrent questions and the seconds for each
  /// answer.
  public var connect: @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service

  /// Describes the outside.
  public init(
    connect: @escaping @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service
  ) {
    self.connect = connect
  }
}
