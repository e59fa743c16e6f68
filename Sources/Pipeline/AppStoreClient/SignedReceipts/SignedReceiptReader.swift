internal import Foundation

/// Reads signed receipts without sending them to Apple.
package struct SignedReceiptReader: Sendable {
  private let signature: ContainerSignature

  /// Creates a reader that trusts receipts signed under a root certificate.
  ///
  /// Returns `nil` if the bytes are not a certificate in DER or PEM.
  ///
  /// - Parameter rootCertificate: The certificate; Apple's certificate for receipts is "Apple Root
  ///   CA".
  package init?(rootCertificate: [UInt8]) {
    guard let signature = ContainerSignature(root: rootCertificate) else { return nil }
    self.signature = signature
  }

  /// Reads a receipt and verifies its signature.
  ///
  /// - Parameter base64: The receipt in base64.
  /// - Returns: Its content, or the reason why it is not usable.
  package func read(_ base64: [UInt8]) async -> Result<LocalReceipt, LocalFault> {
    do throws(LocalFault) {
      guard let data = Data(base64Encoded: Data(base64)) else { throw .notBase64 }
      let container = try SignedContainer(Array(data))
      // The content has the time of the signature, and is trusted only after verifying the
      // signature.
      let content = try ReceiptContent(container.content)
      try await signature.check(container, at: content.receipt.createdAt)
      return .success(content.receipt)
    } catch {
      return .failure(error)
    }
  }
}
