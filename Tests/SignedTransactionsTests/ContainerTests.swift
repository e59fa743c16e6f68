internal import PurchaseModel
internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import ReceiptSigning
internal import SignedTransactions
internal import Testing

/// The forms in which Apple's services, phones and servers store tokens.
struct ContainerTests {
  /// The tokens in a record as texts: `place kind`.
  private func found(_ record: String, signatures: SignaturePolicy.Signatures = .verify) throws
    -> [String]
  {
    var reader = try Sample.reader(SignaturePolicy(signatures: signatures))
    return try reader.read(record).findings.map {
      $0.place.description.isEmpty ? $0.kind : "\($0.place) \($0.kind)"
    }
  }

  private func notification(_ type: String = "DID_RENEW") throws -> String {
    try Sample.signer.get().sign(
      """
      {"notificationType":"\(type)","subtype":"BILLING_RECOVERY","notificationUUID":"u-1",
      "version":"2.0","signedDate":1714557607000,"data":{"appAppleId":41234,
      "bundleId":"com.example.shop","bundleVersion":"1.2.3","environment":"Production",
      "signedTransactionInfo":"\(try Sample.token())",
      "signedRenewalInfo":"\(try Sample.stateToken())","status":1}}
      """)
  }

  @Test func `a notification that was encoded as text twice is found`() throws {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    let record = #"{"signedTransactionInfo":"\#(try Sample.token())"}"#
    var reader = try Sample.reader()
    let found = try reader.transaction(#"{"payload":\#(quoted(quoted(record)))}"#)
    #expect(found.transactionID == "2000000400000017")
  }

  @Test func `a token stands alone on its line, bare or quoted`() throws {
    let token = try Sample.token()
    #expect(try found(token) == ["transaction"])
    #expect(try found("  \(token)\r") == ["transaction"])
    #expect(try found("\"\(token)\"") == ["transaction"])
    // Some programs escape characters unnecessarily.
    #expect(try found("\"\(token.replacing("-", with: "\\u002d"))\"") == ["transaction"])
  }

  @Test func `transaction and renewal come together`() throws {
    let pair = #"""
      {"signedTransactionInfo":"\#(try Sample.token())",
      "signedRenewalInfo":"\#(try Sample.stateToken())"}
      """#
    #expect(
      try found(pair) == ["signedTransactionInfo transaction", "signedRenewalInfo renewal"])
    #expect(
      try found(#"{"signedTransactionInfo":"\#(try Sample.token())","signedRenewalInfo":null}"#)
        == ["signedTransactionInfo transaction"])
  }

  @Test func `history, refund and order look-ups list their tokens`() throws {
    let token = try Sample.token()
    let response = #"""
      {"revision":"1_2","hasMore":false,"bundleId":"com.example.shop","appAppleId":41234,
      "environment":"Production","signedTransactions":["\#(token)","\#(token.dropLast(2))",
      "\#(token)"]}
      """#
    let expected = [
      "signedTransactions[0] transaction", "signedTransactions[1] token_truncated",
      "signedTransactions[2] transaction",
    ]
    #expect(try found(response) == expected)
    #expect(try found(#"{"status":0,"signedTransactions":["\#(token)"]}"#) == [expected[0]])
  }

  @Test func `a status response groups its last transactions`() throws {
    let (token, state) = (try Sample.token(), try Sample.stateToken())
    let response = #"""
      {"environment":"Production","bundleId":"com.example.shop","data":[
      {"subscriptionGroupIdentifier":"20611001","lastTransactions":[
      {"status":1,"originalTransactionId":"1","signedTransactionInfo":"\#(token)",
      "signedRenewalInfo":"\#(state)"},
      {"status":5,"originalTransactionId":"2","signedTransactionInfo":"\#(token)"}]}]}
      """#
    #expect(
      try found(response) == [
        "data[0].lastTransactions[0].signedTransactionInfo transaction",
        "data[0].lastTransactions[0].signedRenewalInfo renewal",
        "data[0].lastTransactions[1].signedTransactionInfo transaction",
      ])
  }

  @Test func `a notification is verified, and so are the tokens it holds`() throws {
    let posted = #"{"signedPayload":"\#(try notification())"}"#
    let inside = [
      "DID_RENEW signedTransactionInfo transaction", "DID_RENEW signedRenewalInfo renewal",
    ]
    #expect(try found(posted) == ["signedPayload DID_RENEW"] + inside)
    #expect(try found(try notification()) == ["DID_RENEW"] + inside)
    let history = #"""
      {"paginationToken":"t","hasMore":true,"notificationHistory":[
      {"signedPayload":"\#(try notification())","sendAttempts":[
      {"attemptDate":1714557607000,"sendAttemptResult":"SUCCESS"}]},
      {"signedPayload":"\#(try notification("UNHEARD_OF"))"}]}
      """#
    #expect(
      try found(history).filter { !$0.contains("signedTransactionInfo") } == [
        "notificationHistory[0].signedPayload DID_RENEW",
        "DID_RENEW signedRenewalInfo renewal",
        "notificationHistory[1].signedPayload UNHEARD_OF",
        "UNHEARD_OF signedRenewalInfo renewal",
      ])
  }

  @Test func `of a forged notification only the whole tokens in it are used`() throws {
    let parts = try notification().split(separator: ".")
    let other = try notification().split(separator: ".")
    #expect(
      try found(#"{"signedPayload":"\#(parts[0]).\#(parts[1]).\#(other[2])"}"#) == [
        "signedPayload token_signature_wrong", "signedTransactionInfo transaction",
        "signedRenewalInfo renewal",
      ])
    // An object in place of a token has no signature, so it is rejected together with the
    // notification around it.
    let loose = try Sample.signer.get().sign(
      """
      {"notificationType":"REFUND","signedDate":1714557607000,"data":{
      "signedTransactionInfo":\(Sample.payload()),"signedRenewalInfo":"\(try Sample.stateToken())x"}}
      """
    ).split(separator: ".")
    #expect(
      try found("\(loose[0]).\(loose[1]).\(other[2])") == [
        "token_signature_wrong", "signedRenewalInfo token_malformed",
      ])
  }

  @Test func `a notification of another app leaves its tokens to be judged for themselves`() throws
  {
    var reader = try Sample.reader(SignaturePolicy(bundleIDs: ["com.example.other"]))
    // A renewal state does not contain an app; the app of its chain is used.
    #expect(
      try reader.read(notification()).findings.map(\.kind) == [
        "token_bundle", "token_bundle", "renewal",
      ])
  }

  @Test func `a notification without a date of its own has that of its tokens`() throws {
    func note(_ transaction: String) throws -> String {
      try Sample.signer.get().sign(
        #"""
        {"notificationType":"DID_RENEW","version":"2.0","data":{"environment":"Production",
        "signedTransactionInfo":"\#(transaction)"}}
        """#)
    }
    #expect(
      try found(note(Sample.token())) == [
        "DID_RENEW", "DID_RENEW signedTransactionInfo transaction",
      ])
    // One millisecond before the certificate becomes valid, so neither token can be valid.
    let early = try Sample.token(["signedDate": "1609459199999"])
    #expect(
      try found(note(early)) == [
        "token_not_valid_at_signing", "signedTransactionInfo token_not_valid_at_signing",
      ])
    #expect(
      try found(note("eyJ")) == ["DID_RENEW", "DID_RENEW signedTransactionInfo token_truncated"])
  }

  @Test(arguments: [
    #"{"customer_id":"c-1","received_at":"2024-05-02T00:00:00Z","signedTransactionInfo":"TOKEN"}"#,
    #"{"signedPayload":"NOTE","customer_id":"c-1","received_at":"2024-05-02T00:00:00Z"}"#,
    #"""
    {"customer_id":"c-1","received_at":1714608000000,
    "response":{"signedTransactions":["TOKEN"]}}
    """#,
    #"""
    {"appUserId":"c-1","receivedAt":"2024-05-02T00:00:00.000Z",
    "body":"{\"signedPayload\":\"NOTE\"}"}
    """#,
    #"""
    {"app_user_id":"other","customer_id":"c-1","receivedAtMs":"1714608000000",
    "notification":{"signedPayload":"NOTE"}}
    """#,
    #"{"id":7,"transactionId":"1","jws":"TOKEN","customer_id":"c-1","received_at":"2024-05-02"}"#,
  ])
  func `a record around tokens tells whose they are, and when they came`(record: String) throws {
    var reader = try Sample.reader()
    let read = try reader.read(
      record.replacing("TOKEN", with: try Sample.token())
        .replacing("NOTE", with: try notification()))
    #expect(read.context.customerID == "c-1")
    #expect(read.context.receivedAt == Instant(text: "2024-05-02T00:00:00Z"))
    #expect(read.findings.contains { $0.kind == "transaction" })
    #expect(read.findings.allSatisfy { $0.proofLevel == .verified && $0.fault == nil })
  }

  @Test func `decoded payloads are read, and never count as signed`() throws {
    let transaction = Sample.payload()
    let state = Sample.payload(Sample.state)
    for record in [
      transaction, state, #"{"customer_id":"c-1","response":\#(transaction)}"#,
      #"{"signedTransactionInfo":\#(transaction),"signedRenewalInfo":\#(state)}"#,
      #"{"notificationType":"TEST","version":"2.0","data":{}}"#,
      #"""
      {"notificationType":"DID_RENEW","data":{"bundleId":"com.example.shop",
      "transactionInfo":\#(transaction)}}
      """#,
    ] {
      var reader = try Sample.reader()
      let findings = try reader.read(record).findings
      #expect(!findings.isEmpty)
      #expect(findings.allSatisfy { $0.proofLevel == .unsigned && $0.fault == nil })
    }
    var reader = try Sample.reader()
    #expect(try reader.transaction(transaction).price?.amount.rawValue == 9990)
    // Without `signedDate`, the record around it must have a time.
    let undated = Sample.payload(Sample.renewal, ["signedDate": nil])
    #expect(try reader.transaction(undated).signedAt == nil)
    // Other programs that store decoded payloads may write dates in any format.
    let texts = Sample.payload(
      Sample.renewal, ["purchaseDate": #""2024-05-01T10:00:00Z""#, "price": #""9990""#])
    #expect(try reader.transaction(texts) == reader.transaction(transaction))
  }

  @Test func `a decoded notification's own tokens are verified`() throws {
    let decoded = #"""
      {"notificationType":"DID_RENEW","notificationUUID":"u-1","version":"2.0","data":{
      "signedTransactionInfo":"\#(try Sample.token())"}}
      """#
    var reader = try Sample.reader()
    let findings = try reader.read(decoded).findings
    #expect(findings.map(\.kind) == ["transaction"])
    #expect(findings.map(\.proofLevel) == [.verified])
  }

  @Test func `trust looks at no signature, and says so`() throws {
    let parts = try Sample.token().split(separator: ".")
    let header = TokenSigner.base64URL(#"{"alg":"none"}"#)
    let unsigned = "\(header).\(parts[1]).\(String(repeating: "A", count: 86))"
    var reader = try Sample.reader(SignaturePolicy(signatures: .trust))
    let finding = try reader.read("\"\(unsigned)\"").findings[0]
    #expect(finding.kind == "transaction" && finding.proofLevel == .trusted)
    var careful = try Sample.reader()
    #expect(try careful.read("\"\(unsigned)\"").findings[0].fault?.reason == .tokenWrongAlgorithm)
  }

  @Test(arguments: [
    #"{"revision":"1","hasMore":false,"signedTransactions":[]}"#,
    #"{"customer_id":"c-1","response":{"environment":"Production","data":[]}}"#,
    #"{"hasMore":false,"notificationHistory":[]}"#,
  ])
  func `an answer about a customer who bought nothing is no fault`(record: String) throws {
    var reader = try Sample.reader()
    #expect(try reader.read(record).findings.isEmpty)
  }

  @Test(arguments: [
    ("", RejectReason.invalidJSON), ("no json", .invalidJSON), ("{", .invalidJSON),
    ("17", .wrongType), ("{}", .wrongType), ("[]", .wrongType), ("null", .wrongType),
    (#"{"access_token":"eyJhbGciOiJSUzI1NiJ9.e30.AA"}"#, .wrongType),
    (#"{"signedPayload":null}"#, .wrongType), (#"{"signedPayload":"hello"}"#, .wrongType),
    (#"{"customer_id":"a","customer_id":"b","jws":"eyJ.e30.AA"}"#, .duplicateKey),
    (#"{"customer_id":"\u0000","jws":"eyJ.e30.AA"}"#, .controlCharacter),
    (#"{"jws":"eyJ.e30.AA"} x"#, .invalidJSON),
    (String(repeating: "[", count: 200), .nestedTooDeep),
  ])
  func `a record without a token is refused with a reason`(record: String, reason: RejectReason)
    throws
  {
    var reader = try Sample.reader()
    #expect {
      try reader.read(record)
    } throws: { error in
      (error as? RecordFault)?.reason == reason
    }
  }
}
