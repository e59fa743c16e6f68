/// The explanation of a rule for readers: one row of the warehouse's `meta_rule`.
///
/// The text of each rule is in the source file of that rule.
public struct RuleText: Hashable, Sendable {
  /// The name of the rule in `price_rule`.
  public var rule: String
  /// The condition under which the rule decides.
  public var condition: String
  /// The resulting amount and status.
  public var result: String
  /// The reason for the rule.
  public var why: String

  init(_ rule: PriceRule, condition: String, result: String, why: String) {
    self.rule = rule.rawValue
    self.condition = condition
    self.result = result
    self.why = why
  }

  /// Every rule in the order of application.
  public static let all: [RuleText] = PriceRule.allCases.map { RuleText(of: $0) }

  /// Creates the text that explains a rule in documents and in `paidline explain`.
  public init(of rule: PriceRule) {
    self =
      switch rule {
      case .conflict: .conflict
      case .signedPrice: .signedPrice
      case .appleReport: .appleReport
      case .ownerCorrection: .ownerCorrection
      case .freeTrial: .freeTrial
      case .freeOffer: .freeOffer
      case .reportedCharge: .reportedCharge
      case .reportedWithPurchase: .reportedWithPurchase
      case .sameOffer: .sameOffer
      case .previousRenewal: .previousRenewal
      case .customerReport: .customerReport
      case .priceHistory: .priceHistory
      case .servicePrice: .servicePrice
      case .catalogueOffer: .catalogueOffer
      case .cataloguePrice: .cataloguePrice
      case .unresolved: .unresolved
      }
  }
}
