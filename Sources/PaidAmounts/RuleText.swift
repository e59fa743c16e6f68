/// What people read about a rule: a row of the warehouse's `meta_rule`.
public struct RuleText: Hashable, Sendable {
  /// The rule's name, as `price_rule` holds it.
  public var rule: String
  /// When it decides.
  public var condition: String
  /// What is booked, and with which status.
  public var result: String
  /// Why it is so.
  public var why: String

  /// Every rule in the order in which they are tried, and the reserved one.
  public static let all: [RuleText] =
    [signedPrice] + PriceRule.allCases.map { RuleText(of: $0) }

  /// Reserved: Apple-signed transactions are not read yet.
  public static let signedPrice = RuleText(
    rule: "signed_price",
    condition: "Reserved: an Apple-signed transaction of this purchase carries a price.",
    result: "That price; exact. It will be tried first of all but conflict.",
    why: "Only Apple knows what was charged. This version does not read signed transactions.")

  private init(rule: String, condition: String, result: String, why: String) {
    self.rule = rule
    self.condition = condition
    self.result = result
    self.why = why
  }

  /// The text of a rule.
  public init(of rule: PriceRule) {
    let (condition, result, why) = Self.text(of: rule)
    self.init(rule: rule.rawValue, condition: condition, result: result, why: why)
  }

  private static func text(of rule: PriceRule) -> (String, String, String) {
    switch rule {
    case .conflict:
      (
        "Sightings of the purchase contradict each other in product or purchase time.",
        "NULL, bounds [0, NULL]; conflict.",
        "A purchase that is two purchases has no price until the exports are repaired."
      )
    case .freeTrial:
      (
        "The kind is trial: the trial flag is true and no offer id is set.",
        "0; zero_by_rule.",
        "A free trial costs nothing, whatever the app showed or the intro flag says."
      )
    case .freeOffer:
      (
        "The kind is promo or offer_code and the trial flag is true.",
        "0; zero_by_rule.",
        "A free promotional offer or offer code costs nothing."
      )
    case .reportedWithPurchase:
      (
        "A believed report names this purchase by any of its ids, is of its product, and has the "
          + "price of this kind of row. Of several: the price with most voters, then the report "
          + "nearest to the purchase.",
        "Price × quantity; exact. Derived where the report had nothing to be compared with, or "
          + "where equally many others name the purchase with another price.",
        "The app saw the price when the customer bought. A report far from what others report is "
          + "not believed; one within a third and three times of it is, even if nobody confirms it."
      )
    case .sameOffer:
      (
        "An earlier paid row of the same offer period, product and currency has a known price.",
        "The same price; derived, or inferred or configured where the earlier price was.",
        "An offer keeps its price for all its periods."
      )
    case .previousRenewal:
      (
        "A regular row; an earlier regular row of the chain, of the same product and currency and "
          + "without a lapse since, has a known price.",
        "By the renewal policy: the earlier price; the price now in force (as reported, else as "
          + "listed since the last price change) where it fell or where the catalogue or the "
          + "customer's consent says so; else NULL with bounds [old, new], unresolved. Derived, or "
          + "inferred or configured where the earlier price was, configured where it is listed.",
        "Renewals repeat the price until it changes, and a rise may spare existing subscribers."
      )
    case .customerReport:
      (
        "The same customer, else the chain, has a believed report of the product and currency "
          + "with the price of this kind: the nearest at or before the purchase, else the first "
          + "within 24 hours after; and that price did not change in between.",
        "Price × quantity; derived.",
        "What the customer's own phone showed near the purchase is what the customer was asked."
      )
    case .priceHistory:
      (
        "The row's currency is known and other customers' reports tell the price in force; of an "
          + "introductory price in the row's storefront, under the payment mode that fits the row.",
        "Price × quantity; inferred.",
        "In one currency a product has one price at a time for those who begin to pay."
      )
    case .catalogueOffer:
      (
        "An offer code or promotional offer that the catalogue prices in the row's currency.",
        "That price; configured.",
        "Offer codes are redeemed outside the app, so often no phone ever showed their price."
      )
    case .cataloguePrice:
      (
        "A regular or one-time row; the catalogue lists a price in force in the row's currency.",
        "List price × quantity; configured.",
        "Without any report the price list is the best that is known."
      )
    case .unresolved:
      (
        "No other rule decides.",
        "NULL, bounds [0, list price × quantity], for offers × the product's periods that the row "
          + "covers, where these are known; unresolved.",
        "Unknown is neither 0 nor a guess. An offer never costs more than the list price."
      )
    }
  }
}
