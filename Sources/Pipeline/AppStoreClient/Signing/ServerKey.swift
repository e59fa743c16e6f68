internal import Pipeline
internal import Crypto
internal import Foundation

/// A private key from App Store Connect, with Apple's ids of the key and of the team.
///
/// Its description and reflection are hidden, so that messages, log lines and dumps cannot show it.
/// It is used only for signatures.
package struct ServerKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Apple's id of the key, such as `2X9R4HXF34`.
  package let keyID: String
  /// Apple's id of the team, a UUID.
  let issuerID: String
  private let key: P256.Signing.PrivateKey

  /// Reads a key in the format of App Store Connect's download: PKCS#8 in PEM, a P-256 key.
  ///
  /// Returns `nil` for any other text.
  ///
  /// - Parameters:
  ///   - text: The content of the file, `AuthKey_….p8` or `SubscriptionKey_….p8`.
  init?(_ text: [UInt8], keyID: String, issuerID: String) {
    guard let text = String(validating: text, as: UTF8.self),
      let key = try? P256.Signing.PrivateKey(pemRepresentation: text)
    else { return nil }
    self.key = key
    self.keyID = keyID
    self.issuerID = issuerID
  }

  package var description: String { "(private key)" }
  package var debugDescription: String { "(private key)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Signs a text (ECDSA with P-256 and SHA-256).
  func signature(of text: [UInt8]) throws(SigningFault) -> P256.Signing.ECDSASignature {
    do {
      return try key.signature(for: SHA256.hash(data: text))
    } catch {
      throw SigningFault()
    }
  }

  /// Signs claims as a compact JWS (RFC 7515).
  ///
  /// - Returns: The text `header.payload.signature`, each part in base64url.
  func token(_ claims: JSONText) throws(SigningFault) -> String {
    let header = JSONText.object([
      .init("alg", .text("ES256")), .init("kid", .text(keyID)), .init("typ", .text("JWT")),
    ])
    let signed = [header, claims].map { Self.base64URL(Array($0.line.utf8)) }.joined(separator: ".")
    let signature = try signature(of: Array(signed.utf8))
    return signed + "." + Self.base64URL(Array(signature.rawRepresentation))
  }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// The error of the cryptographic library when it could not sign.
package struct SigningFault: Error, Hashable, Sendable {}
