internal import GRDB
internal import SampleStore

/// What a warehouse says, in the plain values that a truth score compares.
struct PublishedFacts {
  /// The rows of `fct_revenue`.
  var purchases: [ScoredPurchase]
  /// The rows of `fct_conversion`.
  var offers: [TruthOffer]
  /// The hash of the facts.
  var contentSHA256: String

  /// Reads a published warehouse.
  init(warehouse: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: warehouse, configuration: configuration)
    (purchases, offers, contentSHA256) = try queue.read { db in
      (try Self.purchases(db), try Self.offers(db), try Self.hash(db))
    }
  }

  private static func purchases(_ db: Database) throws -> [ScoredPurchase] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT transaction_id, paid_milli, currency, price_status, paid_low_milli, paid_high_milli
        FROM fct_revenue
        """)
    var purchases: [ScoredPurchase] = []
    while let row = try rows.next() {
      purchases.append(
        ScoredPurchase(
          transactionID: row[0], paidMilli: row[1], currency: row[2], status: row[3],
          lowMilli: row[4], highMilli: row[5]))
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

  private static func hash(_ db: Database) throws -> String {
    try String.fetchOne(
      db, sql: "SELECT content_sha256 FROM audit_run ORDER BY run_id DESC LIMIT 1") ?? ""
  }
}
