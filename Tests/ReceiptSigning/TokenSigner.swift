internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// Signs transactions under a test root, as Apple signs under its own root.
public struct TokenSigner: Sendable {
  /// The flaw in a signer's certificates.
  public enum Flaw: Sendable {
    /// The signer's certificate lacks Apple's extension.
    case leafWithoutMark
    /// The issuer's certificate lacks Apple's extension.
    case intermediateWithoutMark
    /// The signer's certificate was signed by another issuer.
    case leafOfAnotherIssuer
    /// The signer's key is a P-384 key.
    case largeKey
  }

  /// The root certificate in DER.
  public let root: [UInt8]
  /// The certificates of a header in DER: the signer's, the issuer's, the root.
  public let certificates: [[UInt8]]
  /// The signer's private key in PEM, for other programs.
  public let keyPEM: String
  private let key: P256.Signing.PrivateKey

  /// Creates a root, an issuer and a signer.
  ///
  /// - Parameters:
  ///   - flaw: The flaw in the certificates; `nil` for none.
  ///   - valid: The validity of the signer's certificate, in seconds since 1970.
  /// - Throws: The error of creating a certificate.
  public init(_ flaw: Flaw? = nil, valid: ClosedRange<Int64> = 1_609_459_200...1_893_456_000)
    throws
  {
    let rootKey = P384.Signing.PrivateKey()
    let issuerKey = P384.Signing.PrivateKey()
    key = P256.Signing.PrivateKey()
    keyPEM = key.pemRepresentation
    let rootName = try DistinguishedName { CommonName("Test Root") }
    let issuerName = try DistinguishedName { CommonName("Test Relations") }
    let root = try Certificate.made(
      rootName, key: .init(rootKey), issuer: rootName, issuerKey: .init(rootKey),
      isAuthority: true, mark: nil)
    let issuer = try Certificate.made(
      issuerName, key: .init(issuerKey), issuer: rootName, issuerKey: .init(rootKey),
      isAuthority: true, mark: flaw == .intermediateWithoutMark ? nil : AppleMark.intermediate)
    let leaf = try Certificate.made(
      try DistinguishedName { CommonName("Test Signer") },
      key: flaw == .largeKey ? .init(P384.Signing.PrivateKey()) : .init(key),
      issuer: issuerName,
      issuerKey: .init(flaw == .leafOfAnotherIssuer ? P384.Signing.PrivateKey() : issuerKey),
      isAuthority: false, mark: flaw == .leafWithoutMark ? nil : AppleMark.leaf, valid: valid)
    self.root = try root.encoded()
    certificates = try [leaf, issuer, root].map { try $0.encoded() }
  }

  /// The header as Apple writes it, with the given certificates.
  ///
  /// - Parameters:
  ///   - certificates: The certificates; by default the signer's own.
  ///   - algorithm: The algorithm in the header.
  ///   - more: Further members, each after a comma.
  /// - Returns: The JSON text.
  public func header(
    certificates: [[UInt8]]? = nil, algorithm: String = "ES256", more: String = ""
  ) -> String {
    let texts = (certificates ?? self.certificates).map {
      "\"\(Data($0).base64EncodedString())\""
    }
    return "{\"alg\":\"\(algorithm)\",\"x5c\":[\(texts.joined(separator: ","))]\(more)}"
  }

  /// Signs a payload.
  ///
  /// - Parameters:
  ///   - payload: The JSON text.
  ///   - header: The JSON text of the header; by default in Apple's form.
  /// - Returns: The compact token.
  /// - Throws: The error of signing.
  public func sign(_ payload: String, header: String? = nil) throws -> String {
    let signed = Self.base64URL(header ?? self.header()) + "." + Self.base64URL(payload)
    let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
    return signed + "." + Self.base64URL(signature)
  }

  /// A text in base64url.
  public static func base64URL(_ text: String) -> String { base64URL(Data(text.utf8)) }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
