package import GRDB
internal import SQLiteFiles

/// The published facts about the offers of many customers, read in one pass over each table.
package struct PublishedOffers {
  /// The published facts about a customer, and the customer's newest transaction.
  ///
  /// Only transactions of the app for which offers are signed are included.
  private struct CustomerFacts {
    var offers = CustomerOffers(isKnown: false)
    var newest: (purchasedAt: String, transactionID: String)?
  }

  private var customers: [String: CustomerFacts]
  /// The products of the app for which offers are signed, keyed by product id.
  private var products: [String: CustomerOffers.Product] = [:]

  /// Reads the published facts.
  ///
  /// - Parameters:
  ///   - bundleID: The app for which offers are signed. For a product that this app does not have,
  ///     a product of an unknown app is used.
  package init(of keys: Set<String>, bundleID: String, on db: Database) throws {
    customers = Dictionary(uniqueKeysWithValues: keys.map { ($0, CustomerFacts()) })
    let listed = try StoredRow.fetchCursor(
      db,
      sql: """
        SELECT product_id, bundle_id, subscription_group_id FROM dim_product
        WHERE bundle_id = ? OR bundle_id = '' ORDER BY bundle_id
        """, arguments: [bundleID])
    while let row = try listed.next() {
      products[row[0]] = CustomerOffers.Product(bundleID: row[1], groupID: row[2])
    }
    try readEligibility(of: bundleID, db)
    try readPurchases(of: bundleID, db)
  }

  private mutating func readEligibility(of bundleID: String, _ db: Database) throws {
    let rows = try StoredRow.fetchCursor(
      db,
      sql: """
        SELECT customer_key, subscription_group_id, is_intro_eligible, is_promo_eligible,
          intro_reason
        FROM dim_offer_eligibility
        """)
    while let row = try rows.next() {
      let published = CustomerOffers.Published(
        isIntroEligible: row[2], isPromoEligible: row[3], reason: row[4])
      let group: String = row[1]
      change(row[0]) { $0.offers.published[group] = published }
    }
    let groupless = try StoredRow.fetchCursor(
      db,
      sql: """
        SELECT customer_key, current_product_id FROM dim_subscription
        WHERE subscription_group_id IS NULL AND customer_key IS NOT NULL
          AND COALESCE(bundle_id, ?) = ?
        """, arguments: [bundleID, bundleID])
    while let row = try groupless.next() {
      let product: String? = row[1]
      let group = product.flatMap { products[$0]?.groupID }
      change(row[0]) { $0.offers.groupless.insert(group) }
    }
  }

  private mutating func readPurchases(of bundleID: String, _ db: Database) throws {
    let rows = try StoredRow.fetchCursor(
      db,
      sql: """
        SELECT customer_key, purchased_at, transaction_id, COALESCE(bundle_id, ?) = ?
        FROM fct_revenue WHERE customer_key IS NOT NULL
        """, arguments: [bundleID, bundleID])
    while let row = try rows.next() {
      let purchase: (String, String) = (row[1], row[2])
      let isOfApp: Bool = row[3]
      change(row[0]) { standing in
        guard isOfApp else { return }
        guard let newest = standing.newest, newest >= purchase else {
          standing.newest = purchase
          return
        }
      }
    }
  }

  private mutating func change(_ key: String, _ body: (inout CustomerFacts) -> Void) {
    guard let index = customers.index(forKey: key) else { return }
    customers.values[index].offers.isKnown = true
    body(&customers.values[index])
  }

  /// The published facts about a customer; ``CustomerOffers/isKnown`` is false if there are none.
  package func offers(ofCustomer key: String) -> CustomerOffers {
    customers[key]?.offers ?? CustomerOffers(isKnown: false)
  }

  /// The published facts about a product; `nil` if there are none.
  package func product(_ id: String) -> CustomerOffers.Product? { products[id] }

  /// The id of the customer's newest transaction in the app for which offers are signed.
  ///
  /// `nil` if no such transaction is published.
  package func transaction(ofCustomer key: String) -> String? {
    customers[key]?.newest?.transactionID
  }
}
