internal import Diagnostics
internal import ExportReading

/// The header of a token with an ES256 signature.
struct TokenHeader {
  /// The certificates in DER, beginning with the signer's certificate.
  let certificates: [[UInt8]]

  /// Reads a header in base64url.
  init(_ header: Span<UInt8>) throws(TokenFault) {
    var text = PaddedText()
    guard text.fill({ Base64Alphabet.token.decode(header, into: &$0) }) else {
      throw TokenFault(.tokenMalformed)
    }
    let members: HeaderMembers
    do throws(JSONFault) {
      members = try text.read { (cursor) throws(JSONFault) in try HeaderMembers(&cursor) }
    } catch {
      throw TokenFault(.tokenHeaderUnreadable)
    }
    // The algorithm is fixed: the header must state it and cannot choose another.
    guard let algorithm = members.algorithm else { throw TokenFault(.tokenHeaderUnreadable) }
    guard algorithm.elementsEqual("ES256".utf8) else { throw TokenFault(.tokenWrongAlgorithm) }
    guard !members.isCritical else { throw TokenFault(.tokenCriticalExtension) }
    let texts = members.certificates ?? []
    guard texts.count == 3 else { throw TokenFault(.tokenCertificateCount, "\(texts.count)") }
    certificates = try texts.map { (text) throws(TokenFault) in
      var bytes: [UInt8] = []
      guard Base64Alphabet.certificate.decode(text.span, into: &bytes) else {
        throw TokenFault(.tokenCertificateUnreadable)
      }
      return bytes
    }
  }
}

private struct HeaderMembers {
  private enum Key: UInt8, Sendable {
    case algorithm, certificates, critical
  }

  private static let keys = KeyTable<Key>([
    ("alg", .algorithm), ("x5c", .certificates), ("crit", .critical),
  ])

  private(set) var algorithm: [UInt8]?
  private(set) var certificates: [[UInt8]]?
  private(set) var isCritical = false

  init(_ cursor: inout JSONCursor) throws(JSONFault) {
    cursor.skipBlanks()
    guard cursor.byte(at: cursor.position) == Byte.openBrace else { throw cursor.invalid() }
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      switch Self.keys.key(name, in: cursor) {
      case .algorithm where algorithm == nil: algorithm = try cursor.readText()
      case .certificates where certificates == nil: certificates = try cursor.readTexts(level: 2)
      // With two values the header would be ambiguous.
      case .algorithm, .certificates: throw cursor.invalid()
      case .critical:
        isCritical = true
        try cursor.skipValue(level: 1)
      case nil: try cursor.skipValue(level: 1)
      }
    }
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
  }
}
