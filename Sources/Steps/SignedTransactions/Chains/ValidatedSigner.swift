internal import Diagnostics
internal import CivilTime
internal import Crypto
internal import Foundation
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// The key of a validated signer, and the time span in which its certificates are valid.
struct ValidatedSigner: Sendable {
  /// The public key that verifies the signatures of the signer's tokens.
  let key: P256.Signing.PublicKey
  /// The time span in which all three certificates are valid.
  let validity: ClosedRange<Instant>

  /// Validates the certificates of a header.
  ///
  /// The certificates are validated once, as of a time at which all of them are valid. To check the
  /// time of a token, it is then enough to compare it with the limits of ``validity``.
  init(_ header: TokenHeader, roots: TrustedRoots) throws(TokenFault) {
    let encoded = header.certificates
    // The cheapest check is first: only Apple can sign under Apple's root.
    guard encoded.count == 3, roots.contains(encoded[2]) else {
      throw TokenFault(.tokenRootNotTrusted)
    }
    var certificates: [Certificate] = []
    for bytes in encoded {
      guard let certificate = try? Certificate(derEncoded: bytes) else {
        throw TokenFault(.tokenCertificateUnreadable)
      }
      certificates.append(certificate)
    }
    let (leaf, intermediate, root) = (certificates[0], certificates[1], certificates[2])
    guard leaf.extensions[oid: AppleCertificatePolicy.leaf] != nil else {
      throw TokenFault(.tokenLeafMarkMissing)
    }
    guard intermediate.extensions[oid: AppleCertificatePolicy.intermediate] != nil else {
      throw TokenFault(.tokenIntermediateMarkMissing)
    }
    guard let validity = Self.commonValidity(certificates) else {
      throw TokenFault(.tokenChainInvalid)
    }
    let isValid = CallingThread.run {
      await Self.isValid(leaf, intermediate, root, at: validity.lowerBound)
    }
    guard isValid else { throw TokenFault(.tokenChainInvalid) }
    guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
      throw TokenFault(.tokenWrongKeyKind)
    }
    self.key = key
    self.validity = validity
  }

  /// The time span in which all certificates are valid; `nil` if there is none.
  ///
  /// Also `nil` if the validity of a certificate begins before 1970 or ends after the year 9999.
  private static func commonValidity(_ certificates: [Certificate]) -> ClosedRange<Instant>? {
    func instant(_ date: Date) -> Instant? {
      let seconds = date.timeIntervalSince1970
      guard seconds >= 0, seconds < 253_402_300_800 else { return nil }
      return Instant(milliseconds: Int64(seconds) * 1000)
    }
    var validity = Instant.epoch...Instant.distantFuture
    for certificate in certificates {
      guard let from = instant(certificate.notValidBefore),
        let through = instant(certificate.notValidAfter),
        max(from, validity.lowerBound) <= min(through, validity.upperBound)
      else { return nil }
      validity = max(from, validity.lowerBound)...min(through, validity.upperBound)
    }
    return validity
  }

  private static func isValid(
    _ leaf: Certificate, _ intermediate: Certificate, _ root: Certificate, at time: Instant
  ) async -> Bool {
    // The time is within the certificates' validity. RFC5280Policy traps on a year beyond 9999.
    let date = Date(timeIntervalSince1970: TimeInterval(time.milliseconds / 1000))
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      RFC5280Policy(fixedExpiryValidationTime: date)
      AppleCertificatePolicy()
    }
    let result = await verifier.validate(
      leaf: leaf, intermediates: CertificateStore([intermediate]))
    switch result {
    case .validCertificate: return true
    case .couldNotValidate: return false
    }
  }
}

/// A policy that requires the three certificates with which Apple signs transactions.
///
/// The certificate chains of all developers end at Apple's root, but only certificates for Apple's
/// own signatures have the required extensions.
private struct AppleCertificatePolicy: VerifierPolicy {
  /// The extension "Mac App Store Receipt Signing" of the signer's certificate.
  static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// The extension "Worldwide Developer Relations" of the certificate that issued the signer's
  /// certificate.
  static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [leaf, intermediate]

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain)
    -> PolicyEvaluationResult
  {
    guard chain.count == 3, chain[0].extensions[oid: Self.leaf] != nil,
      chain[1].extensions[oid: Self.intermediate] != nil
    else {
      return .failsToMeetPolicy(
        reason: "the chain is not three certificates with Apple's extensions")
    }
    return .meetsPolicy
  }
}
