/// What people read about a rule: a row of the warehouse's `meta_rule`.
///
/// The texts themselves stand in the files of their rules.
public struct RuleText: Hashable, Sendable {
  /// The rule's name, as `price_rule` holds it.
  public var rule: String
  /// When it decides.
  public var condition: String
  /// What is booked, and with which status.
  public var result: String
  /// Why it is so.
  public var why: String

  init(_ rule: PriceRule, condition: String, result: String, why: String) {
    self.init(named: rule.rawValue, condition: condition, result: result, why: why)
  }

  private init(named rule: String, condition: String, result: String, why: String) {
    self.rule = rule
    self.condition = condition
    self.result = result
    self.why = why
  }

  /// Every rule in the order in which they are tried, and the reserved one.
  public static let all: [RuleText] = [signedPrice] + PriceRule.allCases.map { RuleText(of: $0) }

  /// Reserved: Apple-signed transactions are not read yet.
  public static let signedPrice = RuleText(
    named: "signed_price",
    condition: "Reserved: an Apple-signed transaction of this purchase carries a price.",
    result: "That price; exact. It will be tried first of all but conflict.",
    why: "Only Apple knows what was charged. This version does not read signed transactions.")

  /// The text of a rule.
  public init(of rule: PriceRule) {
    self =
      switch rule {
      case .conflict: .conflict
      case .freeTrial: .freeTrial
      case .freeOffer: .freeOffer
      case .reportedWithPurchase: .reportedWithPurchase
      case .sameOffer: .sameOffer
      case .previousRenewal: .previousRenewal
      case .customerReport: .customerReport
      case .priceHistory: .priceHistory
      case .catalogueOffer: .catalogueOffer
      case .cataloguePrice: .cataloguePrice
      case .unresolved: .unresolved
      }
  }
}
