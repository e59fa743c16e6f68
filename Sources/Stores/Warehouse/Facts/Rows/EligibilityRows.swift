internal import Deciding
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes `dim_offer_eligibility`: the eligibility of each customer in each subscription group.
extension RowWriter {
  /// Writes the row of a customer and a subscription group; writes nothing for an erased customer.
  mutating func write(_ eligibility: OfferEligibility, _ decided: borrowing DecidedHouseholds) {
    guard let digits = customers.digits(of: eligibility.customer) else { return }
    table.begin(.offerEligibility)
    table.text("customer_key", utf8: digits)
    table.text("subscription_group_id", eligibility.subscriptionGroupID.symbol)
    table.flag("is_intro_eligible", eligibility.isIntroEligible)
    table.text("intro_reason", eligibility.introReason.rawValue)
    table.flag("is_promo_eligible", eligibility.isPromoEligible)
    table.insert()
  }
}
