internal import Crypto
internal import Foundation
internal import SwiftASN1
@_spi(CMS) internal import X509

/// Signs receipts under a test root, as Apple signs under its own root.
public struct ReceiptSigner {
  /// The root certificate in DER.
  public let root: [UInt8]
  private let intermediate: Certificate
  private let signer: Certificate
  private let key: P256.Signing.PrivateKey

  /// Creates a root, an intermediate and a signer, valid from 2015 to 2034.
  ///
  /// - Parameter isForReceipts: Whether the signer's certificate has the extension of receipt
  ///   signers.
  /// - Throws: The error of creating a certificate.
  public init(isForReceipts: Bool = true) throws {
    let rootKey = P256.Signing.PrivateKey()
    let intermediateKey = P256.Signing.PrivateKey()
    key = P256.Signing.PrivateKey()
    let rootName = try DistinguishedName { CommonName("Test Root") }
    let intermediateName = try DistinguishedName { CommonName("Test Relations") }
    let root = try Certificate.made(
      rootName, key: .init(rootKey), issuer: rootName, issuerKey: .init(rootKey),
      isAuthority: true, mark: nil)
    intermediate = try Certificate.made(
      intermediateName, key: .init(intermediateKey), issuer: rootName, issuerKey: .init(rootKey),
      isAuthority: true, mark: AppleMark.intermediate)
    signer = try Certificate.made(
      try DistinguishedName { CommonName("Test Receipt Signing") }, key: .init(key),
      issuer: intermediateName, issuerKey: .init(intermediateKey), isAuthority: false,
      mark: isForReceipts ? AppleMark.leaf : nil)
    self.root = try root.encoded()
  }

  /// Signs a content; returns the container in DER.
  ///
  /// - Parameters:
  ///   - content: The content to sign.
  ///   - signsAttributes: Whether the signature covers attributes that contain the content's
  ///     digest.
  /// - Returns: The container.
  /// - Throws: The error of signing.
  public func sign(_ content: [UInt8], signsAttributes: Bool = false) throws -> [UInt8] {
    try CMS.sign(
      content, signatureAlgorithm: .ecdsaWithSHA256,
      additionalIntermediateCertificates: [intermediate], certificate: signer,
      privateKey: Certificate.PrivateKey(key),
      signingTime: signsAttributes ? Date(timeIntervalSince1970: 1_614_556_800) : nil,
      detached: false)
  }
}
