internal import Diagnostics
internal import Foundation
internal import ReceiptSigning
internal import SignedTransactions
internal import Testing

/// Tokens that must be refused, each with the reported reason.
struct ForgeryTests {
  /// The reason why a token is refused; `nil` if it is accepted.
  private func reason(of token: String, roots: [UInt8]? = nil) throws -> RejectReason? {
    let roots = try roots.map { try #require(TrustedRoots(certificates: [$0])) }
    var reader = try Sample.reader(roots: roots)
    return try reader.read(token).findings.first?.fault?.reason
  }

  /// The reason why a token is refused although its signer's root is trusted.
  private func reason(_ signer: TokenSigner) throws -> RejectReason? {
    try reason(of: signer.sign(Sample.payload()), roots: signer.root)
  }

  @Test func `a token that Apple's way of signing gives is believed`() throws {
    #expect(try reason(of: Sample.token()) == nil)
    #expect(try reason(TokenSigner()) == nil)
  }

  @Test func `another root is not trusted, however Apple-like the rest is`() throws {
    let stranger = try TokenSigner()
    #expect(try reason(of: stranger.sign(Sample.payload())) == .tokenRootNotTrusted)
    // The signer and issuer are the stranger's, but the root is the trusted root.
    let mixed = try Array(stranger.certificates.prefix(2)) + [Sample.signer.get().root]
    let token = try stranger.sign(
      Sample.payload(), header: stranger.header(certificates: mixed))
    #expect(try reason(of: token) == .tokenChainInvalid)
    var apple = SignedRecordReader(verifier: SignatureVerifier())
    #expect(
      try apple.read(Sample.token()).findings.first?.fault?.reason == .tokenRootNotTrusted)
  }

  @Test func `both of Apple's marks must be there`() throws {
    #expect(try reason(TokenSigner(.leafWithoutMark)) == .tokenLeafMarkMissing)
    #expect(try reason(TokenSigner(.intermediateWithoutMark)) == .tokenIntermediateMarkMissing)
  }

  @Test func `the certificates must vouch for each other`() throws {
    #expect(try reason(TokenSigner(.leafOfAnotherIssuer)) == .tokenChainInvalid)
    #expect(try reason(TokenSigner(.largeKey)) == .tokenWrongKeyKind)
  }

  @Test(arguments: ["none", "HS256", "RS256", "ES384", "es256", ""])
  func `no algorithm but ES256 is taken from a header`(algorithm: String) throws {
    let signer = try Sample.signer.get()
    let header = signer.header(algorithm: algorithm)
    #expect(try reason(of: signer.sign(Sample.payload(), header: header)) == .tokenWrongAlgorithm)
  }

  @Test func `alg none without a signature is cut off`() throws {
    let signer = try Sample.signer.get()
    let header = TokenSigner.base64URL(signer.header(algorithm: "none"))
    #expect(
      try reason(of: header + "." + TokenSigner.base64URL(Sample.payload()) + ".")
        == .tokenTruncated)
  }

  @Test func `exactly three certificates are expected`() throws {
    let signer = try Sample.signer.get()
    let three = signer.certificates
    for certificates in [[], [three[0]], Array(three.prefix(2)), three + [three[2]]] {
      let header = signer.header(certificates: certificates)
      var reader = try Sample.reader()
      let fault = try reader.read(signer.sign(Sample.payload(), header: header)).findings[0].fault
      #expect(fault == TokenFault(.tokenCertificateCount, "\(certificates.count)"))
    }
    #expect(
      try reason(of: signer.sign(Sample.payload(), header: #"{"alg":"ES256"}"#))
        == .tokenCertificateCount)
  }

  @Test func `certificates that are none are told apart from wrong ones`() throws {
    let signer = try Sample.signer.get()
    func reason(_ certificates: [[UInt8]]) throws -> RejectReason? {
      let header = signer.header(certificates: certificates)
      return try self.reason(of: signer.sign(Sample.payload(), header: header))
    }
    let garbage = Array("no certificate".utf8)
    #expect(
      try reason([garbage, signer.certificates[1], signer.root]) == .tokenCertificateUnreadable)
    // The certificates must be in Apple's order.
    #expect(try reason(signer.certificates.reversed()) == .tokenRootNotTrusted)
  }

  @Test func `a swapped payload does not fit the signature`() throws {
    let parts = try Sample.token().split(separator: ".")
    let cheap = TokenSigner.base64URL(Sample.payload(Sample.renewal, ["price": "10"]))
    #expect(try reason(of: "\(parts[0]).\(cheap).\(parts[2])") == .tokenWrongSignature)
    let other = try Sample.token(["price": "990"]).split(separator: ".")
    #expect(try reason(of: "\(parts[0]).\(parts[1]).\(other[2])") == .tokenWrongSignature)
  }

  @Test(arguments: [
    // The certificate is valid from 2021-01-01 through 2030-01-01.
    (Int64(1_609_459_199_999), RejectReason?.some(.tokenNotValidAtSigning)),
    (1_609_459_200_000, nil), (1_893_456_000_000, nil),
    (1_893_456_000_001, .tokenNotValidAtSigning),
    // The last millisecond of the year 9999, and the first millisecond after it.
    (253_402_300_799_999, .tokenNotValidAtSigning),
    (253_402_300_800_000, .tokenSignedDateOutOfRange),
    (9_223_372_036_854_775_807, .tokenSignedDateOutOfRange), (-1, .tokenSignedDateOutOfRange),
    (1, .tokenSignedDateOutOfRange), (0, .tokenFieldMissing),
  ])
  func `a signer signs while its certificate is valid`(
    milliseconds: Int64, expected: RejectReason?
  ) throws {
    #expect(try reason(of: Sample.token(["signedDate": "\(milliseconds)"])) == expected)
  }

  @Test(arguments: ["1e30", "99999999999999999999999999", "\"soon\"", "true", "[1]", "-1.5"])
  func `an odd signedDate ends no process`(date: String) throws {
    #expect(try reason(of: Sample.token(["signedDate": date])) != nil)
  }

  @Test func `a token without signedDate is not dated by guess`() throws {
    var reader = try Sample.reader()
    let fault = try reader.read(Sample.token(["signedDate": nil])).findings[0].fault
    #expect(fault == TokenFault(.tokenFieldMissing, "signedDate"))
  }

  @Test func `a token that was cut off is told from a forged one`() throws {
    let token = try Sample.token()
    for length in [3, 10, 100, token.utf8.count / 2, token.utf8.count - 1] {
      #expect(try reason(of: String(token.prefix(length))) == .tokenTruncated)
    }
    #expect(try reason(of: token + ".e30") == .tokenMalformed)
    #expect(try reason(of: token + "A") == .tokenMalformed)
  }

  @Test func `a header of a megabyte is not even decoded`() throws {
    let signer = try Sample.signer.get()
    let pad = String(repeating: "x", count: 1 << 20)
    let header = signer.header(more: ",\"pad\":\"\(pad)\"")
    #expect(try reason(of: signer.sign(Sample.payload(), header: header)) == .tokenHeaderTooLarge)
    #expect(try reason(of: "eyJ" + pad) == .tokenHeaderTooLarge)
    let token = try Sample.token(["pad": "\"\(pad)\""])
    #expect(try reason(of: token) == .tokenPayloadTooLarge)
  }

  @Test func `a header says each thing once, and demands nothing`() throws {
    let signer = try Sample.signer.get()
    for more in [#","alg":"ES256""#, #","x5c":[]"#, "}", ",", #","x":"\u0000"#] {
      let header = signer.header(more: more)
      #expect(
        try reason(of: signer.sign(Sample.payload(), header: header)) == .tokenHeaderUnreadable)
    }
    let critical = signer.header(more: #","crit":["b64"],"b64":false"#)
    #expect(
      try reason(of: signer.sign(Sample.payload(), header: critical)) == .tokenCriticalExtension)
  }

  @Test func `a token that a test in Xcode signed is no purchase`() throws {
    for environment in ["Xcode", "LocalTesting"] {
      for signatures in SignaturePolicy.Signatures.allCases {
        var reader = try Sample.reader(SignaturePolicy(signatures: signatures))
        let token = try Sample.token(["environment": "\"\(environment)\""])
        #expect(
          try reader.read(token).findings[0].fault
            == TokenFault(.tokenEnvironmentNotSigned, environment))
      }
    }
  }

  @Test func `other apps and stores are refused where a policy names its own`() throws {
    var reader = try Sample.reader(
      SignaturePolicy(bundleIDs: ["com.example.shop"], environments: [.production]))
    #expect(try reader.read(Sample.token()).findings[0].fault == nil)
    let foreign = try Sample.token(["bundleId": #""com.example.other""#])
    #expect(try reader.read(foreign).findings[0].fault?.reason == .tokenWrongBundle)
    let test = try Sample.token(["environment": #""Sandbox""#])
    #expect(try reader.read(test).findings[0].fault?.reason == .tokenWrongEnvironment)
    #expect(try reason(of: foreign) == nil && reason(of: test) == nil)
  }

  @Test func `many forged headers do not make good ones forgotten for good`() throws {
    var reader = try Sample.reader()
    let signer = try Sample.signer.get()
    for number in 0..<100 {
      let header = signer.header(algorithm: "none", more: ",\"n\":\(number)")
      let forged = try signer.sign(Sample.payload(), header: header)
      #expect(try reader.read(forged).findings[0].fault?.reason == .tokenWrongAlgorithm)
      if number % 10 == 0 { #expect(try reader.read(Sample.token()).findings[0].fault == nil) }
    }
  }

  @Test func `every reason is told in words of its own`() {
    let reasons = RejectReason.allCases.filter { $0.rawValue.hasPrefix("token_") }
    #expect(reasons.count == 24 && Set(reasons.map(\.advice)).count == 24)
    #expect(reasons.allSatisfy { $0.advice != $0.rawValue })
    #expect(
      "\(TokenFault(.tokenCertificateCount, "4"))"
        == "the token does not hold exactly three certificates (found: 4)")
  }
}
