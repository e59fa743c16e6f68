internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel
@testable internal import SignedTransactions
internal import Testing

/// Decoded payloads as a server in Java stores the objects of Apple's library: with the names of
/// constants, beside Apple's values under names such as `rawOfferType`.
struct JavaLibraryTests {
  private static let constants: [String: String] = [
    "type": #""AUTO_RENEWABLE_SUBSCRIPTION""#, "environment": #""PRODUCTION""#,
    "offerType": #""INTRODUCTORY_OFFER""#, "offerDiscountType": #""PAY_AS_YOU_GO""#,
    "revocationDate": "1714557700000", "revocationReason": #""REFUNDED_DUE_TO_ISSUE""#,
  ]
  private static let raw: [String: String] = [
    "rawType": #""Auto-Renewable Subscription""#, "rawEnvironment": #""Production""#,
    "rawOfferType": "1", "rawOfferDiscountType": #""PAY_AS_YOU_GO""#, "rawRevocationReason": "1",
    "rawInAppOwnershipType": #""PURCHASED""#, "rawTransactionReason": #""RENEWAL""#,
  ]

  private func transaction(_ members: [[String: String]]) throws -> SignedTransaction {
    var all = Sample.renewal
    for members in members { all.merge(members) { $1 } }
    var reader = try Sample.reader()
    return try reader.transaction(Sample.payload(all))
  }

  private func renewal(_ changes: [String: String?]) throws -> SignedRenewal? {
    var reader = try Sample.reader()
    let found = try reader.read(Sample.payload(Sample.state, changes)).findings
    guard case .renewal(let renewal)? = try found.first?.content.get() else { return nil }
    return renewal
  }

  @Test(arguments: [[constants], [constants, raw], [raw, constants]])
  func `the names of constants are read as Apple's values`(_ members: [[String: String]]) throws {
    let row = try transaction(members)
    #expect(row.productKind == .autoRenewable && row.environment == .production)
    #expect(row.offer?.kind == .introductory && row.offer?.discount == .payAsYouGo)
    #expect(row.revocation?.reason == 1 && row.ownership == .purchased && row.reason == .renewal)
  }

  @Test(arguments: ["null", #""RETENTION_OFFER""#])
  func `the value beside a constant that is not known decides`(_ name: String) throws {
    let row = try transaction([["offerType": name, "rawOfferType": "5"]])
    #expect(row.offer?.kind == .retention)
    // The value comes first in the object.
    var reader = try Sample.reader()
    let text = Sample.payload()
      .replacing("{", with: #"{"rawOfferType":3,"offerType":\#(name),"#)
    #expect(try reader.transaction(text).offer?.kind == .offerCode)
  }

  @Test func `a test purchase stays one`() throws {
    #expect(try transaction([["environment": #""SANDBOX""#]]).environment == .sandbox)
    var reader = try Sample.reader()
    let local = try reader.read(Sample.payload(Sample.renewal, ["environment": #""XCODE""#]))
    #expect(local.findings[0].fault == TokenFault(.tokenEnvironmentNotSigned, "Xcode"))
  }

  @Test(arguments: [
    [:], ["rawAutoRenewStatus": "0", "rawExpirationIntent": "2", "rawPriceIncreaseStatus": "1"],
  ])
  func `a renewal state has constants too`(_ raw: [String: String]) throws {
    var changes: [String: String?] = [
      "autoRenewStatus": #""OFF""#, "expirationIntent": #""BILLING_ERROR""#,
      "priceIncreaseStatus":
        #""CUSTOMER_CONSENTED_OR_WAS_NOTIFIED_WITHOUT_NEEDING_CONSENT""#,
      "isInBillingRetryPeriod": "true",
    ]
    for (key, value) in raw { changes[key] = value }
    let state = try renewal(changes)
    #expect(state?.autoRenewStatus == false && state?.expirationIntent == 2)
    #expect(state?.priceIncreaseStatus == 1 && state?.isInBillingRetry == true)
  }

  @Test func `a constant of another field is no value`() throws {
    var reader = try Sample.reader()
    let fault = try reader.read(Sample.payload(Sample.renewal, ["offerType": #""ON""#]))
      .findings[0].fault
    #expect(fault == TokenFault(.tokenFieldInvalid, "offerType"))
  }

  @Test func `a renewal state in snake case is read`() throws {
    var reader = try Sample.reader()
    let found = try reader.read(
      #"{"notification_type":"DID_RENEW","signed_date":1714557607000,"data":"#
        + #"{"environment":"Production","signed_renewal_info":{"original_transaction_id":"7","#
        + #""auto_renew_product_id":"pro.yearly","product_id":"pro.monthly","#
        + #""auto_renew_status":0,"expiration_intent":1,"is_in_billing_retry_period":false,"#
        + #""price_increase_status":0,"grace_period_expires_date":1717336000000,"#
        + #""recent_subscription_start_date":1704067200000,"signed_date":1714557606000}}}"#)
    guard case .renewal(let state)? = try found.findings.first?.content.get() else {
      Issue.record("\(found.findings)")
      return
    }
    #expect(state.originalTransactionID == "7" && state.autoRenewProductID == "pro.yearly")
    #expect(state.autoRenewStatus == false && state.expirationIntent == 1)
    #expect(state.isInBillingRetry == false && state.priceIncreaseStatus == 0)
    #expect(state.gracePeriodExpiresAt?.milliseconds == 1_717_336_000_000)
    #expect(state.recentStartAt?.milliseconds == 1_704_067_200_000)
    #expect(state.environment == .production)
  }

  @Test func `a notification in snake case without a transaction is one`() throws {
    var reader = try Sample.reader()
    let found = try reader.read(#"{"notification_type":"TEST","signed_date":1714557607000}"#)
    #expect(found.findings.map(\.kind) == ["TEST"])
  }

  @Test(arguments: ["notificationType", "notification_type"])
  func `a row that names its notification is a transaction`(_ key: String) throws {
    #expect(try transaction([[key: #""DID_RENEW""#]]).price?.amount.rawValue == 9990)
  }
}
