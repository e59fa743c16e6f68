public import Diagnostics
internal import GRDB

/// A row as text, column by column, in the table's order; `nil` is NULL.
public struct PublishedRow: Hashable, Sendable {
  /// The names of the columns.
  public var columns: [String]
  /// Their values.
  public var values: [String?]

  /// The value of a column; `nil` for NULL, and for a column that does not exist.
  public subscript(column: String) -> String? {
    columns.firstIndex(of: column).flatMap { values[$0] }
  }
}

/// What the warehouse knows about the purchase a transaction id belongs to.
public struct PublishedPurchase: Hashable, Sendable {
  /// The row of `fct_revenue`; `nil` where the purchase is excluded.
  public var revenue: PublishedRow?
  /// Why it is excluded; `nil` where it is not.
  public var exclusion: String?
  /// Every transaction id of the purchase, in byte order.
  public var transactionIDs: [String]
  /// Its ledger entries.
  public var entries: [PublishedRow]
  /// The report behind the amount.
  public var evidence: PublishedRow?
  /// The input file of the winning sighting.
  public var sourceFile: String?
  /// The input file of the report.
  public var evidenceFile: String?
  /// What the rule that decided says.
  public var rule: RuleDescription?
}

extension WarehouseDatabase {
  /// What is published about a transaction id; `nil` for an id never seen.
  public func purchase(transactionID: String) throws(RunFailure) -> PublishedPurchase? {
    try read { db in
      let key = try Int64.fetchOne(
        db, sql: "SELECT purchase_key FROM bridge_transaction_id WHERE transaction_id = ?",
        arguments: [transactionID])
      guard let key else { return nil }
      return try PublishedPurchase(key: key, db)
    }
  }
}

extension PublishedPurchase {
  fileprivate init(key: Int64, _ db: Database) throws {
    revenue = try PublishedRow.all(db, "SELECT * FROM fct_revenue WHERE purchase_key = ?", key)
      .first
    exclusion = try String.fetchOne(
      db, sql: "SELECT reason FROM excluded_purchase WHERE purchase_key = ?", arguments: [key])
    transactionIDs = try String.fetchAll(
      db,
      sql: """
        SELECT transaction_id FROM bridge_transaction_id WHERE purchase_key = ?
        ORDER BY transaction_id
        """, arguments: [key])
    entries = try PublishedRow.all(
      db,
      """
      SELECT * FROM fct_revenue_entry WHERE purchase_key = ?1 AND entry_key BETWEEN ?1 & ~3
        AND ?1 | 3 ORDER BY entry_key
      """, key)
    evidence = try PublishedRow.all(
      db,
      """
      SELECT * FROM price_evidence
      WHERE evidence_id = (SELECT evidence_id FROM fct_revenue WHERE purchase_key = ?)
      """, key
    ).first
    sourceFile = try Self.fileName(of: revenue, db)
    evidenceFile = try Self.fileName(of: evidence, db)
    rule = try Self.rule(named: revenue?["price_rule"], db)
  }

  private static func fileName(of row: PublishedRow?, _ db: Database) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT name FROM audit_file WHERE source_file_id = CAST(? AS INTEGER)",
      arguments: [row?["source_file_id"]])
  }

  private static func rule(named name: String?, _ db: Database) throws -> RuleDescription? {
    try Row.fetchOne(db, sql: "SELECT * FROM meta_rule WHERE rule = ?", arguments: [name])
      .map { row in
        RuleDescription(
          rule: row["rule"], condition: row["condition"], result: row["result"], why: row["why"])
      }
  }
}

extension PublishedRow {
  /// The rows of a query with one whole number for its parameter.
  fileprivate static func all(_ db: Database, _ sql: String, _ key: Int64) throws -> [PublishedRow]
  {
    try Row.fetchAll(db, sql: sql, arguments: [key]).map { row in
      PublishedRow(
        columns: Array(row.columnNames),
        values: row.databaseValues.map { value in
          Int64.fromDatabaseValue(value).map { String($0) } ?? String.fromDatabaseValue(value)
        })
    }
  }
}
