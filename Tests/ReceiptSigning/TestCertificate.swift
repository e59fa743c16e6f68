internal import Foundation
internal import SwiftASN1
internal import X509

/// The extensions of Apple's certificates that identify their purpose.
enum AppleMark {
  static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
}

/// The seconds since 1970 in which test certificates are valid: the years 2015 to 2034.
let testYears: ClosedRange<Int64> = 1_420_070_400...2_051_222_400

extension Certificate {
  /// Creates a certificate for tests.
  static func made(
    _ name: DistinguishedName, key: PrivateKey, issuer: DistinguishedName, issuerKey: PrivateKey,
    isAuthority: Bool, mark: ASN1ObjectIdentifier?, valid: ClosedRange<Int64> = testYears
  ) throws -> Certificate {
    let issuerID = SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier
    var extensions = try Extensions {
      if isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
      }
      // Strict readers, such as Apple's library, require both.
      SubjectKeyIdentifier(hash: key.publicKey)
      AuthorityKeyIdentifier(keyIdentifier: issuerID)
    }
    if let mark {
      try extensions.append(.init(oid: mark, critical: false, value: [0x05, 0x00]))
    }
    return try Certificate(
      version: .v3, serialNumber: SerialNumber(), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSince1970: TimeInterval(valid.lowerBound)),
      notValidAfter: Date(timeIntervalSince1970: TimeInterval(valid.upperBound)),
      issuer: issuer, subject: name, extensions: extensions, issuerPrivateKey: issuerKey)
  }

  /// The certificate in DER.
  func encoded() throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(self)
    return serializer.serializedBytes
  }
}
