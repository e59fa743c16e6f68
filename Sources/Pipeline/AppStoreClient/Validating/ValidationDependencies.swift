/// The connection to Apple and the reader of signed receipts, for validating.
///
/// The executable creates them, so that the other stages need neither an HTTP client nor
/// certificates.
package struct ValidationDependencies: Sendable {
  /// Prepares a connection to Apple's services.
  let connect: AppleConnection.Maker

  /// A function that reads a receipt in base64 without Apple.
  package typealias LocalReader =
    @Sendable (_ base64: [UInt8]) async -> Result<LocalReceipt, LocalFault>

  /// Creates a reader that trusts a root certificate; `nil` for bytes that are not a certificate.
  let localReader: @Sendable (_ rootCertificate: [UInt8]) -> LocalReader?

  /// Creates the dependencies from two functions; tests pass functions that need no network.
  package init(
    connect: @escaping AppleConnection.Maker,
    localReader: @escaping @Sendable (_ rootCertificate: [UInt8]) -> LocalReader?
  ) {
    self.connect = connect
    self.localReader = localReader
  }
}
