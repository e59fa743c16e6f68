internal import PaidAmounts
internal import PurchaseModel
internal import TestSupport

/// A scenario of `Tests/Scenarios`: the events, and the facts that must follow from them.
///
/// It is independent of the calculation of facts, so that several test suites can run it.
struct Story {
  /// The path below `Tests/Scenarios` without its ending: `refunds/of-a-paid-month`.
  var id: String
  /// The events, in a few sentences.
  var story: String
  /// The only reason for the scenario.
  var why: String
  /// The renewal policy of the pipeline.
  var renewalPrices: RenewalPolicy
  /// The pipeline's bundle ids; empty for all apps.
  var bundles: [String]
  /// The as-of time of statuses; `nil` for the newest snapshot.
  var asOf: String?
  /// The catalogue: prices and price changes known from App Store Connect.
  var catalogue: [StoryProduct]
  /// The days of promo codes in the catalogue.
  var promoCodes: [StoryPromoCodes]
  /// The rebased currencies of the catalogue.
  var rebased: [StoryRebased]
  /// The amounts that the owner knows.
  var corrections: [StoryCorrection]
  /// The charges of Apple's reports; `nil` without reports.
  var books: StoryBooks?
  /// The records of the exports, in their order.
  var timeline: [StoryStep]
  /// The expected facts, keyed by section; a missing section is not compared.
  var expectations: [StorySection: [StoryFact]]
  /// The arithmetic behind the expected amounts.
  var math: String?
  /// The messages with which the scenario must fail, if it tests the comparison itself.
  var failsWith: [String]
}

/// An amount that the owner knows and enters as a correction.
struct StoryCorrection {
  var transaction: String
  var amount: String
  var currency: String
}

/// The days on which promo codes for a product could be redeemed.
struct StoryPromoCodes {
  var product: String
  var from: String
  var to: String?
}

/// A currency that was rebased on a day.
struct StoryRebased {
  var currency: String
  var from: String
  var factor: String
}

/// A line of an export.
enum StoryStep {
  case receipt(StoryReceipt)
  case report(StoryReport)
}

/// A receipt response as a snapshot of its time.
struct StoryReceipt {
  var snapshot: String
  var customer: String?
  var storefront: String?
  var bundle: String?
  var isSandbox: Bool
  /// Whether the response names its environment.
  var namesEnvironment: Bool
  var inApp: [StoreRow]
  var latest: [StoreRow]
  var renewals: [StoreRenewal]
  var file: Int32
  /// Whether the pipeline trusts the decoded transactions of the receipt.
  var isTrusted = false

  /// The environment that the response names; `nil` if it names none.
  var environment: String? {
    guard namesEnvironment else { return nil }
    return isSandbox ? "Sandbox" : "Production"
  }
}

/// A price report of an app, or a charge.
struct StoryReport {
  /// The name of the record in the scenario; `nil` if no expectation uses it.
  var name: String?
  var time: String
  var customer: String?
  var transaction: String?
  var product: String
  var bundle: String?
  var storefront: String?
  var currency: String
  var price: String
  /// The offers: the introductory offer first, the others sorted by id.
  var offers: [StoreOffer]
  var applied: String?
  var file: Int32
  /// The sender of a charge; `nil` for a price that a phone was shown.
  var sender: ChargeSender?
  /// Whether the pipeline trusts the charge.
  var isTrusted = false
}

/// A product of the catalogue.
struct StoryProduct {
  var id: String
  var bundle: String?
  var kind: ProductKind?
  var group: String?
  var period: String?
  var changes: [StoryPriceChange]
  var prices: [StoryListPrice]
  var offers: [StoreOffer]
}

/// A price change of the catalogue.
struct StoryPriceChange {
  var currency: String
  var from: String
  var existing: ExistingSubscribers
  /// The only storefront with this price change; `nil` for all storefronts with the currency.
  var storefront: String?
}

/// A list price of the catalogue.
struct StoryListPrice {
  var currency: String
  var price: String
  var from: String
  /// The only storefront with this price; `nil` for all storefronts with the currency.
  var storefront: String?
  /// Whether the price is from App Store Connect.
  var isFetched: Bool
}

/// A fact as text: its identity and its other fields.
struct StoryFact {
  /// The values of the section's identity keys, in the order of the keys.
  var identity: String
  /// The other fields, keyed by name.
  var fields: [String: String]
}
