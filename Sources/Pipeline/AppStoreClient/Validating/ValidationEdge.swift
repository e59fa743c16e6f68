/// The connection to Apple and the reader of signed receipts, for validating.
///
/// The executable passes them, so that the other stages are built without an HTTP client and
/// certificates.
package struct ValidationEdge: Sendable {
  /// A connection to Apple's services.
  package struct Service: Sendable {
    /// Sends a body to an address.
    var send: @Sendable (_ body: [UInt8], _ address: String) async -> ServiceReply
    var close: @Sendable () async -> Void

    /// Creates a connection from its fields.
    package init(
      send: @escaping @Sendable (_ body: [UInt8], _ address: String) async -> ServiceReply,
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

  /// A function that reads a receipt in base64 without Apple.
  package typealias LocalReader =
    @Sendable (_ base64: [UInt8]) async -> Result<LocalReceipt, LocalFault>

  /// Creates a reader that trusts a root certificate; `nil` for bytes that are not a certificate.
  var localReader: @Sendable (_ rootCertificate: [UInt8]) -> LocalReader?

  /// Creates the connections to Apple; tests pass their own connections.
  package init(
    connect: @escaping @Sendable (_ concurrency: Int, _ timeoutSeconds: Int) -> Service,
    localReader: @escaping @Sendable (_ rootCertificate: [UInt8]) -> LocalReader?
  ) {
    self.connect = connect
    self.localReader = localReader
  }
}
