internal import Pipeline
internal import PurchaseModel
package import CivilTime
internal import Crypto
internal import Foundation

/// A promotional offer to show a customer; StoreKit requires a signature.
package struct OfferToSign: Hashable, Sendable {
  package let productID: String
  /// The id of the offer in App Store Connect.
  package let offerID: String
  /// The customer's UUID (`appAccountToken`) or name (`applicationUsername`), in lower case.
  ///
  /// Empty if the app passes neither of them to StoreKit.
  package let accountToken: String
  /// A transaction id of the customer, used only in a token (`compactJWS`); `nil` if unknown.
  package var transactionID: String?

  /// Creates an offer to sign; `nil` if an id is empty, or if a value cannot be signed.
  ///
  /// - Parameters:
  ///   - accountToken: The app's token for the customer; signed in lower case.
  package init?(
    productID: String, offerID: String, accountToken: String = "", transactionID: String? = nil
  ) {
    let parts = [productID, offerID, accountToken, transactionID ?? ""]
    guard !productID.isEmpty, !offerID.isEmpty, parts.allSatisfy(Self.isPart) else { return nil }
    self.productID = productID
    self.offerID = offerID
    self.accountToken = accountToken.lowercased()
    self.transactionID = transactionID
  }

  /// The separator between the values in a signed text: U+2063, the invisible separator.
  static let separator = "\u{2063}"

  /// Returns true if a value can be signed.
  ///
  /// A value can be signed if it has at most 255 bytes, without control characters and without the
  /// separator.
  private static func isPart(_ text: String) -> Bool {
    text.utf8.count <= 255
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{2063}" }
  }
}

/// Sixteen random bytes that make each signature different, as a UUID in lower case.
package struct OfferNonce: Hashable, Sendable {
  /// The UUID: `1d9a4b0e-6f0c-4d8e-9a53-0c2f7f6d1a11`.
  package let text: String

  /// Creates a UUID of version 4 from random bytes.
  ///
  /// - Parameter randomBytes: The bytes.
  /// - Precondition: There are sixteen bytes.
  package init(randomBytes: [UInt8]) {
    precondition(randomBytes.count == 16, "a UUID has sixteen bytes")
    var bytes = randomBytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    text = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(bytes[$0]) }
      .joined(separator: "-")
  }
}

extension ServerKey {
  /// The time for which a signed offer is valid.
  package static let offerLifetime = Milliseconds.hours(24)

  /// Signs an offer in the form that every version of StoreKit accepts.
  ///
  /// App, key, product, offer, account token, nonce and milliseconds are joined by U+2063 and
  /// signed (ECDSA with P-256 and SHA-256). The signature is DER in base64.
  ///
  /// - Parameters:
  ///   - nonce: A new nonce for each signature.
  /// - Returns: The signature in base64.
  package func offerSignature(
    _ question: OfferToSign, bundleID: String, nonce: OfferNonce, at time: Instant
  ) throws(SigningFault) -> String {
    let parts = [
      bundleID, keyID, question.productID, question.offerID, question.accountToken, nonce.text,
      String(time.milliseconds),
    ]
    let text = parts.joined(separator: OfferToSign.separator)
    return try signature(of: Array(text.utf8)).derRepresentation.base64EncodedString()
  }

  /// Signs an offer as a token for StoreKit's `compactJWS`.
  ///
  /// - Parameters:
  ///   - question: The offer; its account token is not used in this form.
  ///   - nonce: A new nonce for each signature.
  ///   - time: The time in the signature, in whole seconds.
  package func offerToken(
    _ question: OfferToSign, bundleID: String, nonce: OfferNonce, at time: Instant
  ) throws(SigningFault) -> String {
    var claims: [JSONText.Member] = [
      .init("iss", .text(issuerID)), .init("aud", .text("promotional-offer")),
      .init("iat", .number(time.milliseconds / 1000)), .init("bid", .text(bundleID)),
      .init("nonce", .text(nonce.text)), .init("productId", .text(question.productID)),
      .init("offerIdentifier", .text(question.offerID)),
    ]
    if let id = question.transactionID { claims.append(.init("transactionId", .text(id))) }
    return try token(.object(claims))
  }
}
