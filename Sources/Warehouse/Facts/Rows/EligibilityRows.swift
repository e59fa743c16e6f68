internal import CivilTime
internal import PurchaseModel
internal import Subscriptions

/// `dim_offer_eligibility`: what an offer screen may show each customer in each group.
enum EligibilityRows {
  /// One row per customer and group that are both known, by customer key, then group; a
  /// customer who was erased is not known.
  static func source(_ content: WarehouseContent, customers: CustomerKeys) -> FactSource {
    let rows = offerEligibility(
      book: content.purchases, courses: content.courses,
      subscriptions: content.subscriptions.subscriptions)
    let ordered = rows.indices
      .compactMap { index in
        customers.digits(of: rows[index].customer).map { digits in
          (key: Array(digits), group: rows[index].subscriptionGroupID.symbol, index: index)
        }
      }
      .sorted { left, right in
        left.key == right.key
          ? left.group < right.group : left.key.lexicographicallyPrecedes(right.key)
      }
    return FactSource(.table("dim_offer_eligibility"), units: ordered.count) { places, table in
      for (key, group, index) in ordered[places] {
        table.text("customer_key", utf8: key[...])
        table.text("subscription_group_id", group)
        table.flag("is_intro_eligible", rows[index].isIntroEligible)
        table.text("intro_reason", rows[index].introReason.rawValue)
        table.flag("is_promo_eligible", rows[index].isPromoEligible)
        table.insert()
      }
    }
  }
}
