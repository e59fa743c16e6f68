internal import Diagnostics
internal import Amounts
internal import CivilTime
internal import PurchaseModel
internal import ReceiptSigning
@testable internal import SignedTransactions
internal import Testing

/// The values read from the fields of a payload.
struct PayloadTests {
  private func transaction(_ changes: [String: String?] = [:]) throws -> SignedTransaction {
    var reader = try Sample.reader()
    return try reader.transaction(try Sample.token(changes))
  }

  private func fault(_ changes: [String: String?]) throws -> TokenFault? {
    var reader = try Sample.reader()
    return try reader.read(Sample.token(changes)).findings[0].fault
  }

  @Test func `a renewal at 9.99 USD is read field by field`() throws {
    var expected = SignedTransaction(
      transactionID: "2000000400000017", originalTransactionID: "2000000300000001",
      productID: "pro.monthly", purchasedAt: try #require(Instant(text: "2024-05-01T10:00:00Z")))
    expected.lineItemID = "2000000090000017"
    expected.bundleID = "com.example.shop"
    expected.subscriptionGroupID = "20611001"
    expected.originalPurchasedAt = Instant(text: "2024-01-01T00:00:00Z")
    expected.expiresAt = Instant(text: "2024-06-01T10:00:00Z")
    expected.signedAt = Instant(text: "2024-05-01T10:00:05Z")
    expected.environment = .production
    expected.productKind = .autoRenewable
    expected.ownership = .purchased
    expected.storefront = Storefront("USA")
    expected.reason = .renewal
    expected.price = SignedPrice(amount: Milliunits(9990), currency: try #require(Currency("USD")))
    #expect(try transaction() == expected)
    #expect(expected.isTrial == false && !expected.isIntroductory && expected.revocation == nil)
  }

  @Test func `a price is the whole quantity's, and three mugs at 12 USD cost 12 USD`() throws {
    let mugs = try transaction(["quantity": "3", "price": "12000", "type": "\"Consumable\""])
    #expect(mugs.quantity == 3 && mugs.price?.amount == Milliunits(12_000))
    #expect(mugs.productKind == .consumable)
  }

  @Test func `an absent price is unknown, and never 0`() throws {
    #expect(try transaction(["price": nil, "currency": nil]).price == nil)
    #expect(try transaction(["price": "null", "currency": "null"]).price == nil)
    #expect(try transaction(["currency": nil]).price == nil)
    #expect(try transaction(["price": "0"]).price?.amount == .zero)
    #expect(
      try transaction(["price": "300000", "currency": #""JPY""#]).price?.amount.rawValue
        == 300_000)
  }

  @Test(
    arguments: [
      // 11.90 − 10.00 = 1.90, and 1.90 ÷ 11.90 = 15.966 %.
      (#"{"taxExclusivePrice":10000,"estimatedTax":1900,"taxRate":"0.19"}"#, 1597),
      (#"{"taxExclusivePrice":11900}"#, 0), (#"{"taxExclusivePrice":0}"#, nil),
      // 1.90 ÷ 11.90, and 0.19 ÷ 1.19: the same.
      (#"{"estimatedTax":1900,"taxRate":"0.07"}"#, 1597), (#"{"taxRate":"0.19"}"#, 1597),
      // 0.0825 ÷ 1.0825 = 7.621 %.
      (#"{"estimatedTax":0,"taxRate":"0.0825"}"#, 762), (#"{"taxRate":"0.0"}"#, 0),
      // A percentage, or something else: nothing is made of it.
      (#"{"taxRate":"19"}"#, nil), (#"{"taxRate":"19.5"}"#, nil), (#"{"taxRate":"0."}"#, nil),
      (#"{"taxRate":"0.-1"}"#, nil), (#"{"taxRate":0.19}"#, 1597), ("null", nil),
    ] as [(String, Int32?)])
  func `the tax within a price is what Apple states`(_ commerce: String, _ share: Int32?) throws {
    let row = try transaction(["price": "11900", "advancedCommerceInfo": commerce])
    #expect(row.taxShare == share.map(BasisPoints.init))
    #expect(try transaction(["price": nil, "advancedCommerceInfo": commerce]).taxShare == nil)
  }

  @Test func `a tax that is not within the price is refused`() throws {
    #expect(
      try fault(["price": "11900", "advancedCommerceInfo": #"{"taxExclusivePrice":12000}"#])
        == TokenFault(.tokenFieldInvalid, "taxExclusivePrice"))
    #expect(
      try fault(["price": "11900", "advancedCommerceInfo": #"{"estimatedTax":11900}"#])
        == TokenFault(.tokenFieldInvalid, "estimatedTax"))
  }

  /// An offer, and the expected values: whether the row is a trial, and the kind of offer.
  struct OfferCase: Sendable {
    var type: String?
    var discount: String?
    var isTrial: Bool?
    var kind: OfferWord?
  }

  @Test(arguments: [
    OfferCase(type: nil, discount: nil, isTrial: false, kind: nil),
    OfferCase(type: "1", discount: #""FREE_TRIAL""#, isTrial: true, kind: .introductory),
    OfferCase(type: "1", discount: #""PAY_AS_YOU_GO""#, isTrial: false, kind: .introductory),
    OfferCase(type: "1", discount: #""PAY_UP_FRONT""#, isTrial: false, kind: .introductory),
    // Signed before October 2023: it may be a trial or a paid introductory period.
    OfferCase(type: "1", discount: nil, isTrial: nil, kind: .introductory),
    OfferCase(type: "2", discount: #""FREE_TRIAL""#, isTrial: true, kind: .promotional),
    OfferCase(type: "3", discount: #""PAY_AS_YOU_GO""#, isTrial: false, kind: .offerCode),
    OfferCase(type: "4", discount: #""ONE_TIME""#, isTrial: false, kind: .winBack),
    OfferCase(type: "5", discount: #""FREE_TRIAL""#, isTrial: true, kind: .retention),
    OfferCase(type: "6", discount: #""PAY_LATER""#, isTrial: nil, kind: .unrecognized(6)),
  ])
  func `an offer tells whether the row was free, as far as it can`(_ example: OfferCase) throws {
    let row = try transaction([
      "offerType": example.type, "offerDiscountType": example.discount,
      "offerIdentifier": #""win50""#, "offerPeriod": #""P1M""#,
    ])
    #expect(row.isTrial == example.isTrial)
    #expect(row.offer?.kind == example.kind)
    #expect(row.isIntroductory == (example.kind == .introductory))
    guard example.kind != nil else { return }
    #expect(row.offer?.identifier == "win50" && row.offer?.period == Period(text: "P1M"))
  }

  @Test func `a revocation tells its kind, and the share of the price that went back`() throws {
    func revocation(_ changes: [String: String?]) throws -> SignedRevocation? {
      let base: [String: String?] = [
        "revocationDate": "1715000000000", "revocationReason": "1",
      ]
      return try transaction(base.merging(changes) { $1 }).revocation
    }
    #expect(try revocation([:])?.thousandthsOfPercent == nil)
    #expect(try revocation(["revocationType": #""REFUND_FULL""#])?.kind == .refundFull)
    let part = try revocation(
      ["revocationType": #""REFUND_PRORATED""#, "revocationPercentage": "67932"])
    #expect(part?.kind == .refundProrated && part?.thousandthsOfPercent == 67_932)
    #expect(try revocation(["revocationType": #""FAMILY_REVOKE""#])?.kind == .familyRevoke)
    // A refund returns money. Before Apple stated the kind of a revocation, every revocation was a
    // refund.
    for (word, movesMoney) in [
      ("\"REFUND_FULL\"", true), ("\"REFUND_PRORATED\"", true), ("\"\"", true), ("null", true),
      ("\"FAMILY_REVOKE\"", false), ("\"ASSIGNMENT_REVOKE\"", false),
    ] {
      #expect(try revocation(["revocationType": word])?.movesMoney == movesMoney, "\(word)")
    }
    #expect(
      try fault(["revocationDate": "1715000000000", "revocationPercentage": "100001"])
        == TokenFault(.tokenFieldInvalid, "revocationPercentage"))
  }

  @Test func `words that Apple adds later pass, and stay as written`() throws {
    let row = try transaction([
      "type": #""Bundle""#, "inAppOwnershipType": #""GIFTED""#, "transactionReason": #""MERGE""#,
      "environment": #""Staging""#, "storefront": #""XKX""#, "unheardOf": #"{"a":[1,{"b":null}]}"#,
      "billingPlanType": #""WEEKLY""#, "revocationDate": "1715000000000",
      "revocationType": #""REFUND_PARTIAL""#,
    ])
    #expect(row.productKind == .unrecognized("Bundle"))
    #expect(row.ownership == .unrecognized("GIFTED"))
    #expect(row.reason == .unrecognized("MERGE"))
    #expect(row.environment == .unrecognized("Staging") && row.environment?.isSandbox == true)
    #expect(row.storefront == Storefront("XKX") && row.billingPlan == "WEEKLY")
    #expect(row.revocation?.kind == .unrecognized("REFUND_PARTIAL"))
  }

  @Test(arguments: [true, false])
  func `Apple's name comes before a column in snake case`(comesFirst: Bool) throws {
    let own = #""product_id":"sku-1","bundle_id":"own""#
    let apple =
      #""transactionId":"1","originalTransactionId":"1","productId":"pro","#
      + #""purchaseDate":1714557600000"#
    let text = comesFirst ? "{\(own),\(apple)}" : "{\(apple),\(own)}"
    var reader = try Sample.reader()
    let row = try reader.transaction(text)
    #expect(row.productID == "pro" && row.bundleID == "own")
  }

  @Test func `times may have fractions, which are rounded down`() throws {
    let row = try transaction(["purchaseDate": "1714557600000.7297", "signedDate": "1714557605e3"])
    #expect(row.purchasedAt.milliseconds == 1_714_557_600_000)
    #expect(row.signedAt?.milliseconds == 1_714_557_605_000)
  }

  @Test(arguments: [
    ("purchaseDate", "1714557600"), ("purchaseDate", "0"), ("expiresDate", "1e400"),
    ("price", "-1"), ("price", "9.99"), ("price", "1000000000001"), ("currency", "\"$\""),
    ("quantity", "-1"), ("quantity", "1000001"), ("isUpgraded", "\"maybe\""), ("offerType", "1.5"),
    ("productId", "true"), ("transactionId", "[1]"),
  ])
  func `a value that a field cannot have is named`(key: String, value: String) throws {
    let fault = try #require(try fault([key: value]))
    #expect([.tokenFieldInvalid, .tokenFieldMissing].contains(fault.reason))
    #expect(fault.detail.prefix { $0 != " " } == key)
  }

  @Test func `a transaction has an id, a product and a time`() throws {
    for key in ["productId", "purchaseDate"] {
      #expect(try fault([key: nil]) == TokenFault(.tokenFieldMissing, key))
    }
    #expect(try fault(["transactionId": nil])?.reason == .tokenPayloadUnknown)
    #expect(
      try transaction(["originalTransactionId": nil]).originalTransactionID
        == "2000000400000017")
  }

  @Test func `a known key occurs once`() throws {
    let signer = try Sample.signer.get()
    let twice = Sample.payload().replacing("{", with: #"{"price":1,"#)
    var reader = try Sample.reader()
    #expect(
      try reader.read(signer.sign(twice)).findings[0].fault
        == TokenFault(.tokenPayloadUnreadable, "duplicate_key"))
  }

  @Test func `a renewal state is read field by field`() throws {
    var reader = try Sample.reader()
    let record = try reader.read(Sample.stateToken())
    var expected = SignedRenewal(originalTransactionID: "2000000300000001")
    expected.productID = "pro.monthly"
    expected.autoRenewProductID = "pro.yearly"
    expected.autoRenewStatus = true
    expected.signedAt = Instant(text: "2024-05-01T10:00:06Z")
    expected.environment = .production
    #expect(try record.findings.map { try $0.content.get() } == [.renewal(expected)])
  }

  @Test func `a renewal tells intents, grace, consent and the commitment's end`() throws {
    let signer = try Sample.signer.get()
    let payload = Sample.payload(
      Sample.state,
      [
        "autoRenewStatus": "0", "expirationIntent": "2", "isInBillingRetryPeriod": "true",
        "gracePeriodExpiresDate": "1717500000000", "priceIncreaseStatus": "0",
        "eligibleWinBackOfferIds": "7", "commitmentInfo": #"{"commitmentAutoRenewStatus":0}"#,
        "renewalBillingPlanType": "null",
        "recentSubscriptionStartDate": "1704067200000",
      ])
    var reader = try Sample.reader()
    guard
      case .renewal(let renewal) = try reader.read(signer.sign(payload)).findings[0].content
        .get()
    else { throw TokenFault(.tokenPayloadUnknown) }
    #expect(renewal.autoRenewStatus == false && renewal.expirationIntent == 2)
    #expect(renewal.isInBillingRetry == true && renewal.priceIncreaseStatus == 0)
    #expect(renewal.gracePeriodExpiresAt?.milliseconds == 1_717_500_000_000)
    #expect(renewal.commitment?.autoRenewStatus == false)
    #expect(renewal.recentStartAt == Instant(text: "2024-01-01T00:00:00Z"))
  }

  @Test(
    arguments: [
      // An object of zeros is what programs written in Go store for a missing one.
      (
        #"{"commitmentAutoRenewStatus":0,"commitmentRenewalDate":0,"commitmentRenewalPrice":0}"#,
        nil
      ),
      (
        #"{"commitmentAutoRenewStatus":1,"commitmentRenewalDate":1767225600000,"#
          + #""commitmentRenewalPrice":95880}"#,
        "true 2026-01-01T00:00:00Z 95880 EUR"
      ),
      // The year will not begin, so Apple states no price for it.
      (
        #"{"commitmentAutoRenewStatus":0,"commitmentRenewalDate":1767225600000}"#,
        "false 2026-01-01T00:00:00Z"
      ),
    ] as [(String, String?)])
  func `a renewal tells when and at which price the next year of a commitment begins`(
    info: String, expected: String?
  ) throws {
    let signer = try Sample.signer.get()
    let payload = Sample.payload(
      Sample.state, ["commitmentInfo": info, "currency": #""EUR""#])
    var reader = try Sample.reader()
    guard
      case .renewal(let renewal) = try reader.read(signer.sign(payload)).findings[0].content
        .get()
    else { throw TokenFault(.tokenPayloadUnknown) }
    let told = renewal.commitment.map { commitment in
      [
        commitment.autoRenewStatus.map(String.init), commitment.renewsAt?.text,
        commitment.price.map { "\($0.amount.rawValue) \($0.currency.code)" },
      ].compactMap(\.self).joined(separator: " ")
    }
    #expect(told == expected)
  }
}
