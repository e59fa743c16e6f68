package import GRDB
internal import SQLiteFiles

/// The published facts about one customer's subscriptions and eligibility for offers.
package struct CustomerOffers: Hashable {
  /// A row of `dim_offer_eligibility`.
  package struct Published: Hashable {
    /// Whether the customer is eligible for an introductory offer; `nil` in a grace period.
    package var isIntroEligible: Bool?
    /// Whether the customer is eligible for a promotional offer.
    package var isPromoEligible: Bool
    package var reason: String
  }

  /// A product of `dim_product`.
  package struct Product: Hashable {
    /// The app; empty if unknown.
    package var bundleID: String
    /// The subscription group; `nil` if unknown.
    package var groupID: String?
  }

  /// Whether the customer has any published purchase.
  package var isKnown: Bool
  /// The published eligibility, keyed by group.
  package var published: [String: Published] = [:]
  /// The groups of those subscriptions of the customer that have no group in `dim_subscription`.
  ///
  /// Each is the group of the subscription's current product in `dim_product`; `nil` if it is
  /// unknown there.
  package var groupless: Set<String?> = []

  /// Reads the facts about one customer, given the customer's key in the warehouse.
  package static func read(customer key: String, on db: Database) throws -> CustomerOffers {
    var offers = CustomerOffers(isKnown: false)
    let rows = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT subscription_group_id, is_intro_eligible, is_promo_eligible, intro_reason
        FROM dim_offer_eligibility WHERE customer_key = ?
        """, arguments: [key])
    for row in rows {
      offers.published[row[0]] = CustomerOffers.Published(
        isIntroEligible: row[1], isPromoEligible: row[2], reason: row[3])
    }
    let groupless = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT product.subscription_group_id
        FROM dim_subscription AS subscription
        LEFT JOIN dim_product AS product
          ON product.bundle_id = COALESCE(subscription.bundle_id, '')
            AND product.product_id = subscription.current_product_id
        WHERE subscription.customer_key = ? AND subscription.subscription_group_id IS NULL
        """, arguments: [key])
    offers.groupless = Set(groupless.map { $0[0] as String? })
    offers.isKnown =
      try !rows.isEmpty || !groupless.isEmpty
      || Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM fct_revenue WHERE customer_key = ?)",
        arguments: [key]) ?? false
    return offers
  }

  /// Reads each app's product with the given id, sorted by app.
  ///
  /// The list is empty if no purchase, price report or catalogue entry has the id.
  package static func products(_ id: String, on db: Database) throws -> [Product] {
    try StoredRow.fetchAll(
      db,
      sql: """
        SELECT bundle_id, subscription_group_id FROM dim_product WHERE product_id = ?
        ORDER BY bundle_id
        """, arguments: [id]
    ).map { Product(bundleID: $0[0], groupID: $0[1]) }
  }

  /// The as-of time of the published facts; `nil` for a warehouse without a run.
  package static func asOf(on db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1")
  }
}
