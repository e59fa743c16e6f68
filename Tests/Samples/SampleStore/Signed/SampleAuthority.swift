internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// Signs transactions as Apple does, with certificates under the store's own root.
///
/// The keys depend only on the seed. The signatures do not, because ECDSA uses a new random number
/// for each signature. So only the signed content is reproducible.
struct SampleAuthority: Sendable {
  /// The root certificate in DER, for `signed_roots` in a pipeline file.
  let root: [UInt8]
  /// The header of every token in base64url: the algorithm and the three certificates.
  private let header: [UInt8]
  private let key: P256.Signing.PrivateKey

  /// Creates the certificates of a root, an intermediate and a signer.
  init(seed: UInt64, name: String = "Paidline Sample Root") throws {
    var random = SampleRandom(seed: seed, stream: .max - 2)
    let rootKey = try P256.Signing.PrivateKey(rawRepresentation: random.keyBytes())
    let issuerKey = try P256.Signing.PrivateKey(rawRepresentation: random.keyBytes())
    key = try P256.Signing.PrivateKey(rawRepresentation: random.keyBytes())
    let rootName = try DistinguishedName { CommonName(name) }
    let issuerName = try DistinguishedName { CommonName("Paidline Sample Relations") }
    let signerName = try DistinguishedName { CommonName("Paidline Sample Signer") }
    let root = try Self.certificate(1, rootName, rootKey, by: rootName, rootKey, mark: nil)
    let issuer = try Self.certificate(
      2, issuerName, issuerKey, by: rootName, rootKey, mark: [1, 2, 840, 113_635, 100, 6, 2, 1])
    let signer = try Self.certificate(
      3, signerName, key, by: issuerName, issuerKey, isAuthority: false,
      mark: [1, 2, 840, 113_635, 100, 6, 11, 1])
    self.root = try Self.encoded(root)
    let chain = try [signer, issuer, root].map {
      "\"\(Data(try Self.encoded($0)).base64EncodedString())\""
    }
    header = Self.base64URL(
      Data("{\"alg\":\"ES256\",\"x5c\":[\(chain.joined(separator: ","))]}".utf8))
  }

  /// Signs a payload and returns the token in compact form, `header.payload.signature`.
  func token(_ payload: [UInt8]) throws -> [UInt8] {
    let signed = header + [UInt8(ascii: ".")] + Self.base64URL(Data(payload))
    let signature = try key.signature(for: Data(signed)).rawRepresentation
    return signed + [UInt8(ascii: ".")] + Self.base64URL(signature)
  }

  /// Creates a certificate that is valid from 2015 through 2034 and has the extensions of Apple's
  /// certificates.
  private static func certificate(
    _ number: UInt8, _ name: DistinguishedName, _ key: P256.Signing.PrivateKey,
    by issuer: DistinguishedName, _ issuerKey: P256.Signing.PrivateKey, isAuthority: Bool = true,
    mark: ASN1ObjectIdentifier?
  ) throws -> Certificate {
    let issuerKey = Certificate.PrivateKey(issuerKey)
    let key = Certificate.PrivateKey(key)
    var extensions = try Certificate.Extensions {
      if isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
      }
      SubjectKeyIdentifier(hash: key.publicKey)
      AuthorityKeyIdentifier(
        keyIdentifier: SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier)
    }
    if let mark {
      try extensions.append(.init(oid: mark, critical: false, value: [0x05, 0x00]))
    }
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: [number]),
      publicKey: key.publicKey, notValidBefore: Date(timeIntervalSince1970: 1_420_070_400),
      notValidAfter: Date(timeIntervalSince1970: 2_051_222_400), issuer: issuer, subject: name,
      extensions: extensions, issuerPrivateKey: issuerKey)
  }

  private static func encoded(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  private static func base64URL(_ data: Data) -> [UInt8] {
    data.base64EncodedData().compactMap { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
  }
}

extension SampleRandom {
  /// Draws 32 bytes that are a valid private key.
  ///
  /// Their first bit is 0, so the key is below the order of the curve.
  fileprivate mutating func keyBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<4 {
      let word = next()
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    bytes[0] &= 0x7F
    return bytes
  }
}
