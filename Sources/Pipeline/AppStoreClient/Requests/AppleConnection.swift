/// A connection to Apple's services.
///
/// The executables create the connection, so that no stage needs an HTTP client.
package struct AppleConnection: Sendable {
  /// A function that prepares a connection.
  ///
  /// Its arguments are the number of concurrent requests and the time limit in seconds.
  package typealias Maker =
    @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> AppleConnection

  let send: @Sendable (AppleRequest) async -> AppleReply
  let close: @Sendable () async -> Void

  /// Creates a connection that sends requests with `send` and is closed with `close`.
  package init(
    send: @escaping @Sendable (AppleRequest) async -> AppleReply,
    close: @escaping @Sendable () async -> Void
  ) {
    self.send = send
    self.close = close
  }
}
