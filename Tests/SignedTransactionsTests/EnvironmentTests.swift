internal import CivilTime
internal import Diagnostics
internal import ReceiptSigning
internal import SignedTransactions
internal import Testing

/// The environment of tokens that do not state it; before February 2022 no token did.
struct EnvironmentTests {
  /// The environment of each transaction and renewal in a record: `sandbox`, `production` or
  /// another word; `-` if nothing states it.
  private func stores(_ record: String) throws -> [String] {
    var reader = try Sample.reader()
    return try reader.read(record).findings.compactMap { finding in
      switch finding.content {
      case .success(.transaction(let transaction)): Self.name(transaction.environment)
      case .success(.renewal(let renewal)): Self.name(renewal.environment)
      case .success(.notification): nil
      case .failure(let fault): fault.reason.rawValue
      }
    }
  }

  private static func name(_ environment: StoreEnvironment?) -> String {
    switch environment {
    case .production: "production"
    case .sandbox: "sandbox"
    case .unrecognized(let word): word
    case nil: "-"
    }
  }

  private static func old() throws -> String { try Sample.token(["environment": nil]) }

  @Test(arguments: [
    (
      #"{"environment":"Sandbox","signedTransactions":["@OLD","@NEW"]}"#, ["sandbox", "production"]
    ),
    (#"{"signedTransactions":["@OLD"],"environment":"Production"}"#, ["production"]),
    (
      #"{"environment":"Sandbox","data":[{"lastTransactions":[{"signedTransactionInfo":"@OLD"}]}]}"#,
      ["sandbox"]
    ),
    // The innermost value has priority.
    (
      #"{"environment":"prod","response":{"environment":"Sandbox","signedTransactions":["@OLD"]}}"#,
      ["sandbox"]
    ),
    (
      #"{"environment":"sandbox","response":"{\"environment\":\"PROD\",\"signedTransactions\":[\"@OLD\"]}"}"#,
      ["production"]
    ),
    (#"{"environment":"Sandbox","signedPayload":"@NOTE"}"#, ["production"]),
    (#"{"environment":"Sandbox","signedPayload":"@BARE"}"#, ["sandbox"]),
    (#"{"environment":"Xcode","jws":"@OLD"}"#, ["token_environment_not_signed"]),
    (#"{"environment":"staging","jws":"@OLD"}"#, ["staging"]),
    // Decoded payloads; a notification has its environment in `data`.
    (
      #"{"notificationType":"X","data":{"environment":"Sandbox"},"transactionInfo":@DECODED}"#,
      ["sandbox"]
    ),
    (#"{"environment":"Sandbox","transactionInfo":@DECODED}"#, ["sandbox"]),
    // No environment is stated, or the key has another type of value.
    (#"{"customer_id":"c-1","jws":"@OLD"}"#, ["-"]),
    (#"{"environment":{"name":"Sandbox"},"jws":"@OLD"}"#, ["-"]),
    (#"{"environment":"","signedPayload":"@BARE"}"#, ["-"]),
  ])
  func `the innermost word around a token names its store`(
    record: String, expected: [String]
  ) throws {
    func note(_ environment: String) throws -> String {
      try Sample.signer.get().sign(
        #"""
        {"notificationType":"DID_RENEW","signedDate":1714557607000,"data":{\#(environment)
        "signedTransactionInfo":"\#(try Self.old())"}}
        """#)
    }
    let text = record.replacing("@OLD", with: try Self.old())
      .replacing("@NEW", with: try Sample.token())
      .replacing("@NOTE", with: try note(#""environment":"Production","#))
      .replacing("@BARE", with: try note(""))
      .replacing("@DECODED", with: Sample.payload(Sample.renewal, ["environment": nil]))
    #expect(try stores(text) == expected)
  }

  @Test func `a decoded payload of zeros is absent`() throws {
    var reader = try Sample.reader()
    let zero = """
      {"originalTransactionId":"","autoRenewProductId":"","autoRenewStatus":0,"signedDate":0,\
      "isInBillingRetryPeriod":false,"environment":null}
      """
    let record = #"{"transactionInfo":\#(Sample.payload()),"renewalInfo":\#(zero)}"#
    let findings = try reader.read(record).findings
    #expect(findings.count == 1)
    guard case .success(.transaction) = findings[0].content else {
      Issue.record("no transaction")
      return
    }
    // One other value makes it a payload with faults, and zeros alone are no record.
    let faulty = record.replacing(#""autoRenewStatus":0"#, with: #""autoRenewStatus":1"#)
    #expect(try reader.read(faulty).findings.count == 2)
    #expect(throws: RecordFault.self) { _ = try reader.read(#"{"renewalInfo":\#(zero)}"#) }
  }

  @Test func `zeros and empty texts for what is never 0 are absent`() throws {
    var reader = try Sample.reader()
    let absent = try reader.transaction(
      Sample.payload(
        Sample.renewal,
        [
          "revocationDate": "0", "revocationReason": "\"\"", "offerType": "0",
          "offerIdentifier": "\"\"", "appAccountToken": "\"\"", "expiresDate": "\"\"",
          "isUpgraded": "\"\"", "revocationPercentage": "0",
        ]))
    let written = try reader.transaction(Sample.payload(Sample.renewal, ["expiresDate": nil]))
    #expect(absent == written)
    // A refund with a percentage of 0 does not state the refunded part.
    let refund = try reader.transaction(
      Sample.payload(
        Sample.renewal,
        [
          "revocationDate": "1714644000000", "revocationType": #""REFUND_PRORATED""#,
          "revocationPercentage": "0",
        ]))
    #expect(refund.revocation?.thousandthsOfPercent == nil)
    #expect(refund.revocation?.revokedAt.milliseconds == 1_714_644_000_000)
    let state = Sample.payload(
      Sample.state, ["gracePeriodExpiresDate": "0", "expirationIntent": "0"])
    guard case .success(.renewal(let renewal)) = try reader.read(state).findings[0].content else {
      Issue.record("no renewal state")
      return
    }
    #expect(renewal.gracePeriodExpiresAt == nil && renewal.expirationIntent == nil)
  }
}
