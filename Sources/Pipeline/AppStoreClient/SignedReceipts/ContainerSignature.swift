internal import CivilTime
internal import Foundation
internal import SwiftASN1
@_spi(CMS) @_spi(FixedExpiryValidationTime) internal import X509

/// Verifies the signature of a receipt's container.
///
/// This is the only file that uses an unstable interface of swift-certificates. Because of this
/// interface, the version of the package is pinned.
struct ContainerSignature: Sendable {
  private let root: Certificate

  /// Creates a verifier that trusts one root certificate, in DER or PEM.
  ///
  /// Returns `nil` for bytes that are not a certificate.
  init?(root bytes: [UInt8]) {
    if let certificate = try? Certificate(derEncoded: bytes) {
      root = certificate
    } else if let text = String(validating: bytes, as: UTF8.self),
      let certificate = try? Certificate(pemEncoded: text)
    {
      root = certificate
    } else {
      return nil
    }
  }

  /// Checks that a container has a valid signature of Apple's receipt signer.
  ///
  /// - Parameters:
  ///   - time: The time of the signature; the signer's certificate must be valid at that time.
  func check(_ container: SignedContainer, at time: Instant) async throws(LocalFault) {
    let bytes = try container.canonical()
    let date = Date(timeIntervalSince1970: TimeInterval(time.milliseconds / 1000))
    let result = await CMS.isValidAttachedSignature(
      signatureBytes: bytes, trustRoots: CertificateStore([root])
    ) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      ReceiptSignerPolicy()
    }
    switch result {
    case .success: return
    case .failure(.unableToValidateSigner): throw .signerNotTrusted
    case .failure(.invalidCMSBlock(let block)):
      throw block.reason.contains("unsupported") ? .signatureUnsupported : .signatureInvalid
    }
  }
}

/// A policy that accepts only certificates for signing receipts.
///
/// Apple's root certificate is also the root of every developer's certificate. But developers'
/// certificates lack Apple's extension.
private struct ReceiptSignerPolicy: VerifierPolicy {
  /// The extension "Mac App Store and iTunes Store Receipt Signing".
  ///
  /// Source: Apple's Worldwide Developer Relations certification practice statement.
  private static let mark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]

  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [Self.mark]

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain)
    -> PolicyEvaluationResult
  {
    chain.leaf.extensions[oid: Self.mark] != nil
      ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not for signing receipts")
  }
}
