@testable internal import Pipeline
internal import TestSupport
internal import Testing

/// What `paidline init --from` says of files that are no input.
struct UnknownInputTests {
  @Test func `a transaction id alone is no sign of signed data`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "rows.ndjson",
      #"{"uid":"c-1","productId":"pro","transactionId":"7","originalTransactionId":"7"}"# + "\n")
    let words = try RecognizedInput.of(folder.path("rows.ndjson")).words
    #expect(!words.contains("JWS"), "\(words)")
    #expect(words.contains("which need Apple's whole response, a signed transaction"), "\(words)")
  }

  private func words(_ name: String, _ text: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    let found = try RecognizedInput.of(folder.path(name))
    #expect(found.kind == nil, "\(found.words)")
    return found.words
  }

  private static let decoded =
    #""transactionId":"7","originalTransactionId":"7","productId":"pro","bundleId":"a.b","#
    + #""type":"Consumable","inAppOwnershipType":"PURCHASED","environment":"Production","#

  @Test(arguments: [
    (#""purchaseDate":736250400,"signedDate":736250405}"#, "purchaseDate is in seconds since 2001"),
    (
      #""purchaseDate":1714557600,"signedDate":1714557605}"#,
      "purchaseDate is in seconds since 1970; expected milliseconds"
    ),
    (
      #""purchaseDate":{"$date":"2024-05-01T10:00:00Z"},"signedDate":{"$numberLong":"1"}}"#,
      "purchaseDate is an object or a list, as in MongoDB's extended JSON"
    ),
  ])
  func `a decoded transaction with a wrong value names the value`(
    _ rest: String, _ expected: String
  ) throws {
    let words = try words("signed.ndjson", "{\(Self.decoded)\(rest)\n")
    #expect(words.contains("line 1, token: \(expected)"), "\(words)")
    #expect(!words.contains("Apple's names"), "\(words)")
  }

  @Test(arguments: [
    "transactionId,productId,purchaseDate,signedDate,inAppOwnershipType,price,currency",
    "transaction_id,product_id,purchase_date,signed_date,in_app_ownership_type,price,currency",
  ])
  func `a table of decoded transactions is told the command`(_ header: String) throws {
    let row = "7,pro,1714557600000,1714557605000,PURCHASED,9990,USD"
    let words = try words("t.csv", "\(header)\n\(row)\n")
    #expect(
      words.contains(
        "COPY (FROM read_csv('table.csv', all_varchar = true)) TO 'signed.ndjson' (FORMAT json)"),
      "\(words)")
  }

  // `{"signedPayload": "x…"}` in base64, and its first bytes in hexadecimal digits.
  private static let base64 = "eyJzaWduZWRQYXlsb2FkIjogInh4" + String(repeating: "A", count: 60)
  private static let hex =
    "7b227369676e65645061796c6f6164223a20" + String(repeating: "61", count: 40)

  @Test(arguments: [
    ("b.ndjson", #"{"body":"\#(base64)"}"#, "jq -c '.body |= @base64d'"),
    (
      "t.csv", "id,body\n1,\(base64)",
      "COPY (SELECT * REPLACE (decode(from_base64(body)) AS body) FROM"
    ),
    ("h.csv", #"id,body\#n1,\x\#(hex)"#, "convert_from(body, 'UTF8') AS body"),
    ("h.ndjson", #"{"body":"\\x\#(hex)"}"#, "convert_from(body, 'UTF8') AS body"),
    (
      "l.ndjson", #"{"message":"INFO got {\"body\":\"{\\\"signedPayload\\\":\\\"eyJ\\\"}\"}"}"#,
      #"jq -c '.message | sub("^[^{]*"; "") | fromjson'"#
    ),
  ])
  func `JSON in another form is told the command that undoes it`(
    _ name: String, _ text: String, _ command: String
  ) throws {
    let words = try words(name, text + "\n")
    #expect(words.contains(command), "\(words)")
    #expect(!words.contains("paidline-validate") && !words.contains("receipt_keys"), "\(words)")
  }

  @Test(arguments: [
    // Each column with a prefix, and some columns under an owner's names.
    "rc_store_transaction_id,rc_product_identifier,rc_start_time,rc_end_time,"
      + "rc_is_auto_renewable,rc_is_trial_period,rc_purchased_currency",
    "transaction_id,product_id,started_at,is_auto_renewable,is_trial_period,renewal_number,"
      + "unsubscribe_detected_at,billing_issues_detected_at",
  ])
  func `a service's export with renamed columns is told what to do`(_ header: String) throws {
    let row = header.split(separator: ",").map { _ in "1" }.joined(separator: ",")
    let words = try words("t.csv", "\(header)\n\(row)\n")
    #expect(words.contains("the columns of RevenueCat's export under other names"), "\(words)")
    #expect(words.contains("AS store_transaction_id"), "\(words)")
    #expect(!words.contains("keys"), "\(words)")
  }
}
