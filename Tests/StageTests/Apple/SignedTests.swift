internal import Foundation
internal import ReceiptSigning
internal import TestSupport
internal import Testing

/// Signed transactions as an input of the pipeline, with the real executables.
struct SignedTests {
  private static let amounts = """
    SELECT transaction_id, paid_milli, currency, storefront, storefront_source, price_status,
      price_rule FROM fct_revenue ORDER BY transaction_id
    """

  @Test func `a purchase that a receipt and a token tell is one row with Apple's price`() throws {
    let shop = try SignedShop()
    try shop.writeReceipts(
      Export.purchase(1001, day: "2024-01-05", price: "8.99")
        + Export.purchase(1002, day: "2024-02-05", price: nil, original: 1001))
    try shop.write([
      try shop.token(1001, day: "2024-01-05"),
      "\"\(try shop.token(1002, day: "2024-02-05", original: 1001, ["price": "12990"]))\"",
    ])
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.shop.rows(Self.amounts) == [
        "1001|9990|USD|USA|signed|exact|signed_price",
        "1002|12990|USD|USA|signed|exact|signed_price",
      ])
    #expect(
      try shop.shop.rows("SELECT signed_price_milli, quantity FROM fct_revenue ORDER BY 1")
        == ["9990|1", "12990|1"])
    #expect(try shop.shop.rows("SELECT count(1) FROM fct_conversion") == ["0"])
  }

  @Test func `a pipeline of signed transactions alone has customers, kinds and refunds`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let history = try [
      shop.token(2001, day: "2024-01-05", ["appAccountToken": "\"ana-token\""]),
      shop.token(
        2002, day: "2024-01-06",
        [
          "type": "\"Consumable\"", "expiresDate": nil, "webOrderLineItemId": nil,
          "productId": "\"mug\"", "quantity": "3", "price": "36000", "currency": "\"EUR\"",
          "storefront": "\"FRA\"", "subscriptionGroupIdentifier": nil,
          "appAccountToken": "\"ana-token\"", "revocationDate": "1704880800000",
          "revocationReason": "0", "revocationType": "\"REFUND_PRORATED\"",
          "revocationPercentage": "33333",
        ]),
    ]
    try shop.write([
      "{\"signedTransactions\":[\(history.map { "\"\($0)\"" }.joined(separator: ","))]}"
    ])
    #expect(try shop.run() == Ending(status: 0, output: "", errors: ""))
    #expect(
      try shop.shop.rows(
        """
        SELECT product_id, product_kind, quantity, paid_milli, reversal_kind, refunded_milli,
          customer_key IS NOT NULL FROM fct_revenue ORDER BY product_id
        """) == [
          // 36,000 × 33.333 % = 11,999.88
          "mug|consumable|3|36000|refund|12000|1",
          "pro|auto_renewable_subscription|1|9990|none|NULL|1",
        ])
    #expect(
      try shop.shop.rows(
        """
        SELECT entry_kind, amount_milli, amount_basis FROM fct_revenue_entry
        WHERE currency = 'EUR' ORDER BY 1
        """) == ["charge|36000|paid", "refund|-12000|apple_share"])
    #expect(
      try shop.shop.rows(
        "SELECT net_cohort_milli FROM revenue_daily WHERE product_id = 'mug'") == ["24000"])
    // Both purchases belong to one Apple account.
    #expect(try shop.shop.rows("SELECT count(DISTINCT customer_key) FROM fct_revenue") == ["1"])
  }

  @Test func `one forged file among good ones is named, and nothing of it is published`() throws {
    let shop = try SignedShop()
    try shop.writeReceipts(Export.purchase(1001, day: "2024-01-05"))
    try shop.write([try shop.token(1002, day: "2024-02-05")])
    let stranger = try TokenSigner()
    let forged = try (3001...3030).map {
      try stranger.sign(SignedShop.payload($0, day: "2024-03-05", ["price": "1"]))
    }
    try shop.write(forged, file: "signed/forged.ndjson")
    let ending = try shop.run()
    #expect(ending.status == 65)
    #expect(ending.errors.contains("signed/forged.ndjson"))
    #expect(ending.errors.contains("token_root_not_trusted"))
    #expect(!shop.shop.folder.has("out/warehouse.db"))
    try FileManager.default.removeItem(atPath: shop.shop.folder.path("signed/forged.ndjson"))
    let without = try shop.run()
    #expect(without.status == 0, "\(without.errors)")
    #expect(
      try shop.shop.rows("SELECT transaction_id FROM fct_revenue ORDER BY 1") == ["1001", "1002"])
  }

  @Test func `a single forged token among many is a reject with its place, and the rest counts`()
    throws
  {
    let shop = try SignedShop(inputs: ["receipts: []"])
    var tokens = try (4001...4008).map { try shop.token($0, day: "2024-01-05") }
    tokens[3] = tokens[3].dropLast(2) + "AA"
    let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
    try shop.write([
      "{\"customer_id\":\"ana\",\"response\":{\"signedTransactions\":[\(list)]}}",
      try shop.token(4010, day: "2024-01-05", ["environment": "\"Sandbox\""]),
      try shop.token(4011, day: "2024-01-05", ["environment": "\"Xcode\""]),
    ])
    let ending = try shop.run()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try shop.shop.rows("SELECT count(1) FROM fct_revenue") == ["7"])
    #expect(
      try shop.shop.rows("SELECT source_line, reason_code, detail FROM rejected_record ORDER BY 1")
        == [
          "1|token_signature_wrong|signedTransactions[3]",
          "3|token_environment_not_signed|token: Xcode",
        ])
    #expect(
      try shop.shop.rows("SELECT transaction_id, reason FROM excluded_purchase")
        == ["4010|sandbox"])
    #expect(
      try shop.shop.rows("SELECT kind, records, used, rejected FROM audit_file")
        == ["signed|3|2|1"])
  }

  @Test func `trust looks at no signature; a change of the setting reads the files again`() throws {
    let shop = try SignedShop(inputs: ["receipts: []", "signatures: trust"])
    let stranger = try TokenSigner()
    try shop.write([
      try stranger.sign(SignedShop.payload(1001, day: "2024-01-05")),
      try shop.token(1002, day: "2024-01-05"),
    ])
    let trusting = try shop.run("--log-level", "info")
    #expect(trusting.status == 0)
    #expect(trusting.errors.contains("signed transactions: 2 trusted\n"))
    #expect(try shop.shop.rows("SELECT count(1) FROM fct_revenue") == ["2"])
    try shop.writePipeline(["receipts: []", "signatures: verify"])
    let verifying = try shop.run("--log-level", "info")
    #expect(verifying.status == 0)
    #expect(verifying.errors.contains("signed transactions: 1 verified, 1 rejected\n"))
    #expect(try shop.shop.rows("SELECT transaction_id FROM fct_revenue") == ["1002"])
  }

  private static let charge =
    "SELECT paid_milli, price_rule, price_status, signed_price_milli FROM fct_revenue"

  @Test func `a decoded payload is a charge, exact only if the files are trusted`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    try shop.write([SignedShop.payload(1001, day: "2024-01-05")])
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows(Self.charge) == ["9990|reported_charge|derived|NULL"])
    #expect(
      try shop.shop.rows("SELECT evidence_kind, verdict FROM price_evidence")
        == ["charged|no_reference"])
    try shop.writePipeline(["receipts: []", "signatures: trust"])
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows(Self.charge) == ["9990|reported_charge|exact|NULL"])
  }

  @Test func `a decoded payload has the plan, the partial and the item refunds of a signed one`()
    throws
  {
    let shop = try SignedShop(inputs: ["receipts: []"])
    try shop.write([
      SignedShop.payload(
        1001, day: "2024-01-05",
        [
          "billingPlanType": "\"MONTHLY\"",
          "commitmentInfo": #"{"commitmentExpiresDate":1736071200000}"#,
          "revocationDate": "1704880800000", "revocationType": "\"REFUND_PRORATED\"",
          "revocationPercentage": "50000",
        ]),
      SignedShop.payload(
        1002, day: "2024-01-05",
        [
          "advancedCommerceInfo": #"{"items":[{"sku":"video","refunds":[{"refundAmount":1990,"#
            + #""refundDate":1704880800000}]}]}"#
        ]),
    ])
    #expect(try shop.run().status == 0)
    // Half of 9.99 is 4.995, in thousandths; the item's refund is 1.99.
    #expect(
      try shop.shop.rows(
        "SELECT transaction_id, billing_plan, commitment_ends_at, refunded_milli FROM fct_revenue "
          + "ORDER BY 1")
        == ["1001|monthly|2025-01-05T10:00:00Z|4995", "1002|NULL|NULL|1990"])
  }

  // The month of January 5 ends on February 5; the next begins on March 10, 34 days later.
  @Test(arguments: [("PURCHASE", "2|0"), ("RENEWAL", "1|1")])
  func `what Apple calls a purchase after a gap begins a spell, a renewal is paid late`(
    reason: String, expected: String
  ) throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    try shop.write([
      SignedShop.payload(1001, day: "2024-01-05"),
      SignedShop.payload(
        1002, day: "2024-03-10", original: 1001, ["transactionReason": "\"\(reason)\""]),
    ])
    #expect(try shop.run().status == 0)
    #expect(
      try shop.shop.rows(
        "SELECT spell_number, is_billing_recovery FROM fct_revenue WHERE transaction_id = '1002'")
        == [expected])
  }

  @Test func `a subscriber who does not commit to another year is cancelled, not renewing`() throws
  {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let state =
      #"{"originalTransactionId":"1001","autoRenewProductId":"pro.monthly","#
      + #""autoRenewStatus":1,"signedDate":%,"environment":"Production","#
      + #""commitmentInfo":{"commitmentAutoRenewStatus":#}}"#
    // The year was begun on January 5, and the customer changed her mind on January 8 and 9.
    try shop.write([
      SignedShop.payload(1001, day: "2024-01-05", ["billingPlanType": "\"MONTHLY\""]),
      state.replacing("%", with: "1704621600000").replacing("#", with: "1"),
      state.replacing("%", with: "1704708000000").replacing("#", with: "0"),
    ])
    #expect(try shop.run().status == 0)
    #expect(
      try shop.shop.rows(
        "SELECT observed_at, auto_renew_status FROM fct_renewal_state ORDER BY observed_at")
        == ["2024-01-07T10:00:00Z|1", "2024-01-08T10:00:00Z|0"])
    #expect(
      try shop.shop.rows("SELECT status, auto_renew_status, renews_at FROM dim_subscription")
        == ["active|0|NULL"])
  }

  @Test func `a renewal state shows when the next year of a commitment begins, and its price`()
    throws
  {
    let shop = try SignedShop(inputs: ["receipts: []"])
    // The commitment ends on January 5, 2025; a year of months at 9.99 is 119.88.
    try shop.write([
      SignedShop.payload(1001, day: "2024-01-05", ["billingPlanType": "\"MONTHLY\""]),
      #"{"originalTransactionId":"1001","autoRenewProductId":"pro.monthly","#
        + #""autoRenewStatus":1,"signedDate":1704621600000,"environment":"Production","#
        + #""currency":"USD","renewalPrice":9990,"renewalBillingPlanType":"MONTHLY","#
        + #""commitmentInfo":{"commitmentAutoRenewStatus":1,"#
        + #""commitmentRenewalDate":1736071200000,"commitmentRenewalPrice":119880}}"#,
    ])
    #expect(try shop.run().status == 0)
    #expect(
      try shop.shop.rows(
        "SELECT commitment_auto_renew_status, commitment_renews_at, "
          + "commitment_renewal_price_milli, commitment_currency, renewal_billing_plan "
          + "FROM fct_renewal_state")
        == ["1|2025-01-05T10:00:00Z|119880|USD|monthly"])
    let text = try shop.shop.run(
      "paidline", "explain", "pipeline.yaml", "--chain", "1001"
    ).output
    #expect(text.contains("2025-01-05T10:00:00Z"))
    #expect(text.contains("119.88"))
    #expect(try FilterTests.filtered(shop.shop, buckets: 2) == FilterTests.published(shop.shop))
  }

  @Test func `the newest signature wins, and a refund that is undone is undone`() throws {
    let shop = try SignedShop(inputs: ["receipts: []"])
    let refunded = [
      "revocationDate": "1704880800000", "revocationReason": "1", "signedDate": "1704880900000",
    ]
    try shop.write([
      try shop.token(1001, day: "2024-01-05"), try shop.token(1001, day: "2024-01-05", refunded),
    ])
    #expect(try shop.run().status == 0)
    #expect(
      try shop.shop.rows("SELECT reversal_kind, refunded_milli FROM fct_revenue")
        == ["refund|NULL"])
    try shop.write(
      [try shop.token(1001, day: "2024-01-05", ["signedDate": "1705000000000"])],
      file: "signed/b.ndjson")
    #expect(try shop.run().status == 0)
    #expect(try shop.shop.rows("SELECT reversal_kind FROM fct_revenue") == ["none"])
  }

  @Test func `every container gives the same facts, in any split and order`() throws {
    func hash(_ files: [[String]]) throws -> String? {
      let shop = try SignedShop(signer: Self.signer.get())
      for (number, lines) in files.enumerated() {
        try shop.write(lines, file: "signed/\(number).ndjson")
        #expect(try shop.run().status == 0)
      }
      return try shop.shop.contentHash()
    }
    let signer = try Self.signer.get()
    let tokens = try [
      signer.sign(SignedShop.payload(1001, day: "2024-01-05")),
      signer.sign(SignedShop.payload(1002, day: "2024-02-05", original: 1001)),
      signer.sign(SignedShop.payload(1003, day: "2024-03-05", original: 1001)),
    ]
    let bare = try hash([tokens])
    #expect(bare != nil)
    #expect(try hash([[tokens[2]], [tokens[0]], [tokens[1]]]) == bare)
    let quoted = tokens.map { "\"\($0)\"" }
    #expect(try hash([["[\(quoted.joined(separator: ","))]"]]) == bare)
    let notes = try tokens.map { token in
      try signer.sign(
        """
        {"notificationType":"DID_RENEW","notificationUUID":"u","version":"2.0",\
        "signedDate":1709632805000,"data":{"bundleId":"com.example",\
        "environment":"Production","signedTransactionInfo":"\(token)"}}
        """)
    }
    #expect(try hash([notes.map { "{\"signedPayload\":\"\($0)\"}" }]) == bare)
    let status = quoted.map { "{\"status\":1,\"signedTransactionInfo\":\($0)}" }
    #expect(
      try hash([["{\"data\":[{\"lastTransactions\":[\(status.joined(separator: ","))]}]}"]])
        == bare)
  }

  private static let signer = Result { try TokenSigner() }
}
