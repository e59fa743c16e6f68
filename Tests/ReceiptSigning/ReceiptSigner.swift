internal import Crypto
internal import Foundation
internal import SwiftASN1
@_spi(CMS) internal import X509

/// Signs receipts for tests under a root certificate of its own, as Apple does under hers.
public struct ReceiptSigner {
  /// The root certificate in DER.
  public let root: [UInt8]
  private let intermediate: Certificate
  private let signer: Certificate
  private let key: P256.Signing.PrivateKey

  /// Makes a root, an intermediate and a signer, valid in the years 2015 to 2035.
  ///
  /// - Parameter isForReceipts: Whether the signer's certificate has the mark of receipt signers.
  /// - Throws: Where a certificate cannot be made.
  public init(isForReceipts: Bool = true) throws {
    let rootKey = P256.Signing.PrivateKey()
    let intermediateKey = P256.Signing.PrivateKey()
    key = P256.Signing.PrivateKey()
    let rootName = try DistinguishedName { CommonName("Test Root") }
    let intermediateName = try DistinguishedName { CommonName("Test Relations") }
    let root = try Self.certificate(
      rootName, key: rootKey, issuer: rootName, issuerKey: rootKey, isAuthority: true, mark: nil)
    intermediate = try Self.certificate(
      intermediateName, key: intermediateKey, issuer: rootName, issuerKey: rootKey,
      isAuthority: true, mark: [1, 2, 840, 113_635, 100, 6, 2, 1])
    signer = try Self.certificate(
      try DistinguishedName { CommonName("Test Receipt Signing") }, key: key,
      issuer: intermediateName, issuerKey: intermediateKey, isAuthority: false,
      mark: isForReceipts ? [1, 2, 840, 113_635, 100, 6, 11, 1] : nil)
    var serializer = DER.Serializer()
    try serializer.serialize(root)
    self.root = serializer.serializedBytes
  }

  /// The container of a signed content in DER.
  ///
  /// - Parameters:
  ///   - content: What is signed.
  ///   - signsAttributes: Whether the signature covers attributes that name the content's digest.
  /// - Returns: The container.
  /// - Throws: Where it cannot be made.
  public func sign(_ content: [UInt8], signsAttributes: Bool = false) throws -> [UInt8] {
    try CMS.sign(
      content, signatureAlgorithm: .ecdsaWithSHA256,
      additionalIntermediateCertificates: [intermediate], certificate: signer,
      privateKey: Certificate.PrivateKey(key),
      signingTime: signsAttributes ? Date(timeIntervalSince1970: 1_614_556_800) : nil,
      detached: false)
  }

  private static func certificate(
    _ name: DistinguishedName, key: P256.Signing.PrivateKey, issuer: DistinguishedName,
    issuerKey: P256.Signing.PrivateKey, isAuthority: Bool, mark: ASN1ObjectIdentifier?
  ) throws -> Certificate {
    var extensions = try Certificate.Extensions {
      if isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
      }
    }
    if let mark {
      try extensions.append(.init(oid: mark, critical: false, value: [0x05, 0x00]))
    }
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: .init(key.publicKey), notValidBefore: Date(timeIntervalSince1970: 1_420_070_400),
      notValidAfter: Date(timeIntervalSince1970: 2_051_222_400), issuer: issuer, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: .init(issuerKey))
  }
}
