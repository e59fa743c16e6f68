internal import Crypto
internal import SwiftASN1
internal import X509

/// The root certificates at which a signer's certificate chain may end.
///
/// A token contains its own root certificate. It is trusted only if its SHA-256 equals the SHA-256
/// of one of these roots.
public struct TrustedRoots: Hashable, Sendable {
  private let fingerprints: Set<[UInt8]>

  /// Apple Root CA – G3, which signs transactions until 2039.
  ///
  /// SHA-256 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179, as published at
  /// www.apple.com/certificateauthority.
  public static let apple = TrustedRoots(fingerprints: [
    [
      0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7,
      0xBE, 0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E,
      0x91, 0x79,
    ]
  ])

  /// Trusts only the given roots.
  ///
  /// Returns `nil` if the list is empty or an element is not a certificate.
  public init?(certificates: [[UInt8]]) {
    guard !certificates.isEmpty else { return nil }
    var fingerprints: Set<[UInt8]> = []
    for bytes in certificates {
      guard let encoded = Self.der(bytes) else { return nil }
      fingerprints.insert(Self.fingerprint(encoded))
    }
    self.fingerprints = fingerprints
  }

  private init(fingerprints: Set<[UInt8]>) {
    self.fingerprints = fingerprints
  }

  /// The SHA-256 of each root in hexadecimal digits, sorted and separated by blanks.
  var identity: String {
    fingerprints.map { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
      .sorted().joined(separator: " ")
  }

  /// Returns true if a certificate in DER is one of the roots.
  func contains(_ certificate: [UInt8]) -> Bool {
    fingerprints.contains(Self.fingerprint(certificate))
  }

  private static func fingerprint(_ certificate: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: certificate))
  }

  /// Converts a certificate in DER or PEM to DER.
  private static func der(_ bytes: [UInt8]) -> [UInt8]? {
    if (try? Certificate(derEncoded: bytes)) != nil { return bytes }
    guard let text = String(validating: bytes, as: UTF8.self),
      let certificate = try? Certificate(pemEncoded: text),
      let document = try? certificate.serializeAsPEM()
    else { return nil }
    return document.derBytes
  }
}
