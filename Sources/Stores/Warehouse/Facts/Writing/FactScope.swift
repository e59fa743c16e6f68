internal import SQLiteFiles
internal import Diagnostics
internal import GRDB

/// The published rows that a run replaces: the rows of some chains and price reports.
///
/// All other rows of facts are neither compared nor written. The few rows of products and prices
/// are always compared with the stored rows, because they belong to no household.
public struct FactScope: Sendable {
  /// The `original_transaction_id` of the production chains.
  public var chains: [String] = []
  /// The keys of the published purchases and of the new purchases, including excluded purchases.
  public var purchases: Set<Int64> = []
  /// The keys of the customers who made the published purchases.
  public var customers: Set<String> = []
  /// The evidence ids of the price reports.
  public var reports: [Int64] = []
  /// The chains in the scope whose input is unchanged; they are decided again as a check.
  public var audited: Set<String> = []
  /// The evidence ids of price reports that belong to households with ``audited`` chains.
  public var auditedReports: Set<Int64> = []

  /// Creates a scope with only products and prices.
  public init() {}
}

/// The temporary tables that contain the keys of a ``FactScope``.
struct ScopeTables {
  /// The FROM clause of a query for the rows of a table that are in the scope.
  struct Source {
    /// The text of the query after `FROM`.
    ///
    /// The join begins with the scope's keys, so that SQLite looks rows up and does not scan the
    /// table.
    let text: String
    private let column: String

    fileprivate init(_ table: String, _ scope: String, by column: String) {
      text = "temp.\(scope) AS s CROSS JOIN main.\(table) AS t ON t.\(column) = s.key"
      self.column = column
    }

    /// The name of a column in the query: `s.key` for the key column, else `t.` and the column.
    ///
    /// With `s.key` SQLite knows that the scope's rows are already sorted.
    func name(of column: String) -> String { column == self.column ? "s.key" : "t.\(column)" }
  }

  /// The FROM clause for the rows of a table in the scope; `nil` if all rows are compared.
  static func source(of table: String) -> Source? {
    switch table {
    case "fct_revenue", "excluded_purchase", "service_comparison", "bridge_transaction_id",
      "fct_subscription_event":
      Source(table, "scope_purchase", by: "purchase_key")
    case "fct_conversion": Source(table, "scope_purchase", by: "offer_purchase_key")
    case "fct_revenue_entry": Source(table, "scope_entry", by: "entry_key")
    case "fct_renewal_state", "dim_subscription":
      Source(table, "scope_chain", by: "original_transaction_id")
    case "dim_offer_eligibility": Source(table, "scope_customer", by: "customer_key")
    case "price_evidence", "price_evidence_offer":
      Source(table, "scope_report", by: "evidence_id")
    default: nil
    }
  }

  /// Creates the temporary tables, in the transaction, before the first row is replaced.
  static func create(_ scope: FactScope, on db: Database) throws {
    for name in [
      "chain TEXT", "purchase INTEGER", "entry INTEGER", "customer TEXT", "report INTEGER",
    ] {
      let parts = name.split(separator: " ")
      try db.execute(sql: "DROP TABLE IF EXISTS temp.scope_\(parts[0])")
      try db.execute(
        sql: """
          CREATE TEMP TABLE scope_\(parts[0]) (key \(parts[1]) NOT NULL PRIMARY KEY) WITHOUT ROWID
          """)
    }
    try insert(scope.chains.sorted(), into: "chain", on: db) { $0.bind($1, at: 1) }
    try insert(scope.purchases.sorted(), into: "purchase", on: db) { $0.bind($1, at: 1) }
    try insert(scope.reports.sorted(), into: "report", on: db) { $0.bind($1, at: 1) }
    try insert(scope.customers.sorted(), into: "customer", on: db) { $0.bind($1, at: 1) }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO temp.scope_entry
        SELECT (s.key & ~3) | k.kind FROM temp.scope_purchase AS s
        CROSS JOIN (SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2) AS k
        """)
    // Refunds of items have keys of their own. They are few, so all of them are scanned.
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO temp.scope_entry
        SELECT e.entry_key FROM main.fct_revenue_entry AS e
        WHERE e.entry_key & ~3 <> e.purchase_key & ~3
          AND e.purchase_key IN (SELECT key FROM temp.scope_purchase)
        """)
  }

  private static func insert<Key>(
    _ keys: [Key], into name: String, on db: Database, bind: (RawStatement, Key) -> Void
  ) throws {
    let statement = try RawStatement(
      name, "INSERT OR IGNORE INTO temp.scope_\(name) VALUES (?1)", on: db)
    for key in keys {
      bind(statement, key)
      try statement.run()
    }
  }

  /// Compares the audited chains and reports with their published rows.
  ///
  /// - Returns: The first difference, such as `chain 1000000123: 2 rows of fct_revenue`; `nil` if
  ///   there is no difference.
  static func auditFailure(_ scope: FactScope, on db: Database) throws -> String? {
    let audited = scope.audited
    let reports = try Int64.fetchSet(db, sql: "SELECT number FROM temp.touched_price_evidence")
    if let report = reports.intersection(scope.auditedReports).min() {
      return "price report \(report): 1 row of price_evidence"
    }
    guard !audited.isEmpty else { return nil }
    try db.execute(sql: "DROP TABLE IF EXISTS temp.scope_audited")
    try db.execute(
      sql: "CREATE TEMP TABLE scope_audited (key TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID")
    try insert(audited.sorted(), into: "audited", on: db) { $0.bind($1, at: 1) }
    let own = """
      SELECT t.purchase_key FROM temp.scope_audited AS s CROSS JOIN main.fct_revenue AS t
      ON t.original_transaction_id = s.key
      """
    let queries = [
      ("fct_revenue", "SELECT number FROM temp.touched_fct_revenue WHERE number IN (\(own))"),
      ("fct_conversion", "SELECT number FROM temp.touched_fct_conversion WHERE number IN (\(own))"),
      (
        "fct_revenue_entry",
        // The key of an item's refund does not contain the key of its purchase.
        """
        SELECT COALESCE(e.purchase_key, number) AS purchase FROM temp.touched_fct_revenue_entry
        LEFT JOIN main.fct_revenue_entry AS e ON e.entry_key = number
        WHERE purchase & ~3 IN (SELECT purchase_key & ~3 FROM (\(own)))
        """
      ),
      (
        "dim_subscription",
        """
        SELECT number FROM temp.touched_dim_subscription
        WHERE number IN (SELECT t.rowid FROM temp.scope_audited AS s
          CROSS JOIN main.dim_subscription AS t ON t.original_transaction_id = s.key)
        """
      ),
    ]
    for (table, sql) in queries {
      let rows = try Int64.fetchAll(db, sql: sql)
      guard let first = rows.min() else { continue }
      let chain = try String.fetchOne(
        db,
        sql: """
          SELECT original_transaction_id FROM main.\(table == "dim_subscription" ? table : "fct_revenue")
          WHERE \(table == "dim_subscription" ? "rowid = ?" : "purchase_key & ~3 = ? & ~3")
          """, arguments: [first])
      return "chain \(chain ?? "?"): \(Count.text(rows.count, "row")) of \(table)"
    }
    return nil
  }
}
