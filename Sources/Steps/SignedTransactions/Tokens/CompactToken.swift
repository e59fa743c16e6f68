internal import Diagnostics

/// The three parts of a compact JWS (RFC 7515): `header.payload.signature`, each in base64url.
struct CompactToken {
  /// The largest number of letters of a header.
  ///
  /// Apple's header has 4,411 letters, most of them for certificates.
  static let longestHeader = 16 << 10
  /// The largest number of letters of a payload.
  ///
  /// A notification with two tokens has about 20,000 letters.
  static let longestPayload = 1 << 20
  /// The number of letters of an ES256 signature (64 bytes) in base64url.
  static let signatureLength = 86

  /// The range of the header, which begins the token.
  let header: Range<Int>
  let payload: Range<Int>
  /// The range of the signature, which ends the token.
  let signature: Range<Int>

  /// The range that is signed: header and payload with the dot between them.
  var signed: Range<Int> { 0..<payload.upperBound }

  /// Finds the three parts of a token.
  ///
  /// Whether the parts are base64url is checked later, when they are decoded.
  init(_ text: Span<UInt8>) throws(TokenFault) {
    guard let first = Self.dot(in: text, from: 0) else {
      throw TokenFault(text.count > Self.longestHeader ? .tokenHeaderTooLarge : .tokenTruncated)
    }
    guard first <= Self.longestHeader else { throw TokenFault(.tokenHeaderTooLarge) }
    guard let second = Self.dot(in: text, from: first + 1) else {
      throw TokenFault(text.count > Self.longestPayload ? .tokenPayloadTooLarge : .tokenTruncated)
    }
    guard second - first <= Self.longestPayload else { throw TokenFault(.tokenPayloadTooLarge) }
    header = 0..<first
    payload = first + 1..<second
    signature = second + 1..<text.count
    guard signature.count >= Self.signatureLength else { throw TokenFault(.tokenTruncated) }
    guard signature.count == Self.signatureLength else { throw TokenFault(.tokenMalformed) }
  }

  private static func dot(in text: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < text.count {
      if text[index] == UInt8(ascii: ".") { return index }
      index += 1
    }
    return nil
  }
}
