internal import CivilTime
internal import Foundation
internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

/// Real responses from the fixtures folder; skipped without it.
///
/// A separate script counted the expected numbers: distinct line items (or chain, product and
/// time), ids, and rows with a flag. Only ids and counts are copied from the receipts.
@Suite(.enabled("the fixtures are not here", { RealReceipts.folder != nil }))
struct RealReceiptTests {
  /// The expected counts of a response.
  struct Counts: Sendable, CustomTestStringConvertible {
    var file: String
    var purchases: Int
    var ids: Int
    var chains: Int
    var trials = 0
    var upgrades = 0
    var refunds = 0
    var testDescription: String { file }
  }

  static let table = [
    Counts(file: "active_renewable", purchases: 4, ids: 4, chains: 1),
    Counts(
      file: "canceled_after_trial_converted", purchases: 2, ids: 2, chains: 1, trials: 1, refunds: 1
    ),
    Counts(file: "currently_trial3", purchases: 3, ids: 4, chains: 2, trials: 1),
    Counts(file: "double-sub-expired-event-after", purchases: 4, ids: 4, chains: 1, upgrades: 1),
    Counts(file: "historical_revenue_bug", purchases: 3, ids: 4, chains: 1, trials: 1),
    Counts(file: "huge_not_renewal_receipt", purchases: 34, ids: 34, chains: 34, refunds: 33),
    Counts(file: "interactive_renewal_bug", purchases: 21, ids: 22, chains: 1, upgrades: 1),
    Counts(file: "long_offer_code_trial", purchases: 1, ids: 1, chains: 1, trials: 0),
    Counts(file: "missing_did_renew", purchases: 11, ids: 11, chains: 1, upgrades: 2),
    Counts(file: "multi-upgrades", purchases: 9, ids: 9, chains: 1, trials: 1, upgrades: 3),
    Counts(file: "negative-revenue2", purchases: 12, ids: 12, chains: 11, refunds: 7),
    Counts(file: "refunded-transaction-renewable", purchases: 4, ids: 4, chains: 1, refunds: 2),
    Counts(file: "renewal_bug_after", purchases: 20, ids: 20, chains: 1),
    Counts(
      file: "same_product_trial_after_expiration", purchases: 9, ids: 9, chains: 6, trials: 1,
      upgrades: 1),
    Counts(file: "subscription_event_upgrade", purchases: 15, ids: 15, chains: 1, upgrades: 1),
    Counts(file: "trial_upgraded", purchases: 3, ids: 3, chains: 1, trials: 1, upgrades: 1),
    Counts(file: "upgraded-not-cancelled-bug", purchases: 5, ids: 5, chains: 1, upgrades: 2),
    Counts(file: "upgraded-not-cancelled-bug2", purchases: 6, ids: 6, chains: 1, upgrades: 2),
  ]

  @Test(arguments: table) func `a response holds so many purchases`(_ counts: Counts) throws {
    let set = try RealReceipts.set(of: counts.file)
    let book = mergeObservations(set, bundleIDs: [])
    let timelines = timelines(of: book, catalogue: Catalogue())
    #expect(book.purchases.count == counts.purchases)
    #expect(book.revenueCount == counts.purchases)
    #expect(book.aliases.count == counts.ids)
    #expect(book.chains.count == counts.chains)
    #expect(timelines.rows.count { $0.kind == .trial } == counts.trials)
    #expect(timelines.rows.count { $0.reversal?.kind == .upgrade } == counts.upgrades)
    #expect(timelines.rows.count { $0.reversal?.kind == .refund } == counts.refunds)
    #expect(book.purchases.allSatisfy { $0.conflict == nil })
  }

  @Test(arguments: [
    ("currently_trial3", "340000593854874", "340000593854875"),
    ("historical_revenue_bug", "380000735220500", "380000735220502"),
    ("interactive_renewal_bug", "430000935342774", "430000935342775"),
  ])
  func `twin transaction ids are one purchase`(file: String, first: String, second: String) throws {
    let set = try RealReceipts.set(of: file)
    let book = mergeObservations(set, bundleIDs: [])
    func purchase(_ id: String) throws -> Int? {
      book.purchase(
        named: TransactionID(try #require(AppleNumber(known: id, in: set.symbols))))
    }
    #expect(try purchase(first) != nil)
    #expect(try purchase(first) == purchase(second))
  }

  @Test func `sixty sandbox purchases have two ids each`() throws {
    let set = try RealReceipts.set(of: "dev_receipt")
    let book = mergeObservations(set, bundleIDs: [])
    #expect(book.purchases.count == 312)
    #expect(book.aliases.count == 372)
    #expect(book.purchases.allSatisfy { $0.exclusion == .sandbox })
  }

  @Test func `an offer code's free year is an offer code`() throws {
    let set = try RealReceipts.set(of: "long_offer_code_trial")
    let book = mergeObservations(set, bundleIDs: [])
    let timeline = try #require(timelines(of: book, catalogue: Catalogue()).rows.first)
    #expect(timeline.kind == .offerCode)
    #expect(timeline.coveredPeriod == period("P1Y"))
    #expect(book.purchases.first?.offerCodeRefName != nil)
  }
}

/// Reads whole responses with Foundation, independently of the program's reader.
enum RealReceipts {
  /// The folder of the fixtures next to the package; `nil` if it is missing.
  static let folder = Checkout.fixtures?.appending(
    path: "IBM__airlytics-backend/airlytics-kafka-consumer/src/test/resources/"
      + "ios_consumer_test_data")

  /// One response as a set of observations.
  static func set(of name: String) throws -> Observations {
    let file = try #require(folder).appending(path: "\(name).json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let response = try #require(object as? [String: Any])
    let receipt = response["receipt"] as? [String: Any] ?? [:]
    var set = Observations()
    let environment = response["environment"] as? String ?? "Production"
    set.records.append(
      ReceiptRecord(
        source: SourceLine(file: 0, line: 1), ordinal: 0,
        snapshotAt: try #require(milliseconds(receipt["request_date_ms"])), customer: nil,
        storefront: nil, bundle: nil,
        isSandbox: !environment.lowercased().hasPrefix("prod")))
    for (key, rows, rank) in [
      ("in_app", receipt["in_app"], ObservationRank.inApp),
      ("latest_receipt_info", response["latest_receipt_info"], .latest),
    ] {
      for row in try #require(rows as? [[String: Any]], "\(name) has no \(key)") {
        set.observations.append(try observation(row, rank: rank, symbols: &set.symbols))
      }
    }
    return set
  }

  private static func observation(
    _ row: [String: Any], rank: ObservationRank, symbols: inout SymbolTable
  ) throws -> TransactionObservation {
    func symbol(_ key: String) -> Symbol? { (row[key] as? String).map { symbols.intern($0) } }
    func number(_ key: String) -> AppleNumber? {
      (row[key] as? String).map { AppleNumber($0, symbols: &symbols) }
    }
    func flag(_ key: String) -> Bool? { (row[key] as? String).map { $0 == "true" } }
    var observation = TransactionObservation(
      record: 0, rank: rank, transactionID: TransactionID(try #require(number("transaction_id"))),
      originalTransactionID: OriginalTransactionID(
        try #require(number("original_transaction_id"))),
      productID: ProductID(try #require(symbol("product_id"))),
      purchasedAt: try #require(milliseconds(row["purchase_date_ms"])))
    observation.lineItemID = number("web_order_line_item_id").map(LineItemID.init)
    observation.originalPurchasedAt = milliseconds(row["original_purchase_date_ms"])
    observation.expiresAt = milliseconds(row["expires_date_ms"])
    observation.cancelledAt = milliseconds(row["cancellation_date_ms"])
    observation.cancellationReason = symbol("cancellation_reason")
    observation.isTrialPeriod = flag("is_trial_period")
    observation.isInIntroOfferPeriod = flag("is_in_intro_offer_period")
    observation.isUpgraded = flag("is_upgraded")
    observation.promotionalOfferID = symbol("promotional_offer_id").map(OfferID.init)
    observation.offerCodeRefName = symbol("offer_code_ref_name").map(OfferID.init)
    return observation
  }

  private static func milliseconds(_ value: Any?) -> Instant? {
    (value as? String).flatMap(Int64.init).map { Instant(milliseconds: $0) }
  }
}
