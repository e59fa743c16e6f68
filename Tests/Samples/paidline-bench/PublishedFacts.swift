internal import GRDB
internal import SampleStore

/// The facts of a warehouse, as the plain values that a score compares with the truth.
struct PublishedFacts {
  /// The rows of `fct_revenue`.
  var purchases: [ScoredPurchase]
  /// The rows of `fct_conversion`.
  var offers: [TruthOffer]
  /// The rows of `dim_subscription`.
  var subscriptions: [TruthSubscription]
  /// The rows of `dim_offer_eligibility`, each with one of its customer's chains in the group.
  var eligibility: [TruthEligibility]
  /// For each chain, all chains of its customer.
  var chains: [String: [String]]
  /// The `content_digest` of the newest run in `audit_run`; empty if there is no run.
  var contentDigest: String

  init(warehouse: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: warehouse, configuration: configuration)
    (purchases, offers, contentDigest) = try queue.read { db in
      (try Self.purchases(db), try Self.offers(db), try Self.hash(db))
    }
    (subscriptions, eligibility, chains) = try queue.read { db in
      (try Self.subscriptions(db), try Self.eligibility(db), try Self.chains(db))
    }
  }

  private static func purchases(_ db: Database) throws -> [ScoredPurchase] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT transaction_id, paid_milli, currency, price_status, paid_low_milli,
          paid_high_milli, price_rule
        FROM fct_revenue
        """)
    var purchases: [ScoredPurchase] = []
    while let row = try rows.next() {
      purchases.append(
        ScoredPurchase(
          transactionID: row[0], paidMilli: row[1], currency: row[2], status: row[3],
          lowMilli: row[4], highMilli: row[5], rule: row[6]))
    }
    return purchases
  }

  private static func offers(_ db: Database) throws -> [TruthOffer] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT first.transaction_id, offer.offer_kind, offer.status, converting.transaction_id
        FROM fct_conversion AS offer
        JOIN fct_revenue AS first ON first.purchase_key = offer.offer_purchase_key
        LEFT JOIN fct_revenue AS converting
          ON converting.purchase_key = offer.converted_purchase_key
        """
    ).map { row in
      TruthOffer(
        transactionID: row[0], kind: row[1], status: row[2],
        convertedBy: row[3] as String? ?? "")
    }
  }

  private static func subscriptions(_ db: Database) throws -> [TruthSubscription] {
    try Row.fetchAll(db, sql: "SELECT original_transaction_id, status FROM dim_subscription")
      .map { TruthSubscription(originalTransactionID: $0[0], status: $0[1]) }
  }

  private static func eligibility(_ db: Database) throws -> [TruthEligibility] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT min(chain.original_transaction_id), answer.subscription_group_id,
          answer.intro_reason, answer.is_promo_eligible
        FROM dim_offer_eligibility AS answer
        JOIN dim_subscription AS chain
          ON chain.customer_key = answer.customer_key
          AND chain.subscription_group_id = answer.subscription_group_id
        GROUP BY answer.customer_key, answer.subscription_group_id
        """
    ).map {
      TruthEligibility(
        originalTransactionID: $0[0], groupID: $0[1], introReason: $0[2], isPromoEligible: $0[3])
    }
  }

  private static func chains(_ db: Database) throws -> [String: [String]] {
    var chains: [String: [String]] = [:]
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT customer_key, original_transaction_id FROM dim_subscription
        WHERE customer_key IS NOT NULL
        """)
    for own in Dictionary(grouping: rows, by: { $0[0] as String }).values {
      let ids = own.map { $0[1] as String }
      for id in ids { chains[id] = ids }
    }
    return chains
  }

  private static func hash(_ db: Database) throws -> String {
    try String.fetchOne(
      db, sql: "SELECT content_digest FROM audit_run ORDER BY run_id DESC LIMIT 1") ?? ""
  }
}
