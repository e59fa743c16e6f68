import GRDB
import Testing

@testable import Warehouse

/// A fault that a data test must find, as SQL on copies of the tables without their constraints.
struct Plant: CustomTestStringConvertible {
  let test: String
  let sql: String
  var testDescription: String { test }

  init(_ test: String, _ sql: String) {
    self.test = test
    self.sql = sql
  }
}

let plants = [
  Plant(
    "unique_fct_revenue_entry_kind",
    """
    INSERT INTO fct_revenue_entry SELECT entry_key + 4, purchase_key, entry_kind, entry_date,
      amount_milli, currency, amount_reporting_micros, amount_basis FROM fct_revenue_entry LIMIT 1
    """),
  Plant(
    "unique_fct_conversion_offer_number",
    "INSERT INTO fct_conversion SELECT * FROM fct_conversion LIMIT 1"),
  Plant("unique_audit_file_content", "UPDATE audit_file SET sha256 = 'aa', kind = 'receipts'"),
  Plant(
    "not_null_fct_revenue", "UPDATE fct_revenue SET product_id = NULL WHERE purchase_key = 100"),
  Plant("not_null_fct_conversion", "UPDATE fct_conversion SET ends_at = NULL"),
  Plant(
    "accepted_values_fct_revenue",
    "UPDATE fct_revenue SET price_rule = 'guess' WHERE purchase_key = 100"),
  Plant("accepted_values_fct_conversion", "UPDATE fct_conversion SET status = 'maybe'"),
  Plant("accepted_values_dim_subscription", "UPDATE dim_subscription SET status = 'odd'"),
  Plant("accepted_values_price_evidence", "UPDATE price_evidence SET verdict = 'fine'"),
  Plant("accepted_values_audit_file", "UPDATE audit_file SET status = 'lost'"),
  Plant(
    "relationships_fct_revenue_transaction_id",
    "DELETE FROM bridge_transaction_id WHERE transaction_id = '1001'"),
  Plant(
    "relationships_bridge_purchase",
    "INSERT INTO bridge_transaction_id VALUES ('9', 123456)"),
  Plant("relationships_excluded_purchase", "UPDATE excluded_purchase SET purchase_key = 100"),
  Plant(
    "relationships_basis_purchase",
    "UPDATE fct_revenue SET basis_purchase_key = 1 WHERE purchase_key = 500"),
  Plant("relationships_product", "DELETE FROM dim_product WHERE product_id = 'coins'"),
  Plant("relationships_source_file", "DELETE FROM audit_file WHERE source_file_id = 3"),
  Plant(
    "relationships_evidence_offer", "INSERT INTO price_evidence_offer (evidence_id) VALUES (5)"),
  Plant(
    "relationships_conversion_is_later",
    "UPDATE fct_conversion SET started_at = '2021-05-09T00:00:00Z'"),
  Plant(
    "eligibility_agrees_with_reason", "UPDATE dim_offer_eligibility SET intro_reason = 'eligible'"),
  Plant(
    "amount_within_bounds", "UPDATE fct_revenue SET paid_high_milli = 9 WHERE purchase_key = 100"),
  Plant(
    "amount_known_unless_unresolved",
    "UPDATE fct_revenue SET paid_milli = NULL WHERE purchase_key = 100"),
  Plant(
    "amount_of_free_rows_is_zero",
    "UPDATE fct_revenue SET paid_milli = 9990 WHERE purchase_key = 900"),
  Plant("amount_has_currency", "UPDATE fct_revenue SET currency = NULL WHERE purchase_key = 100"),
  Plant(
    "amount_exact_is_believed",
    "UPDATE price_evidence SET verdict = 'no_reference' WHERE evidence_id = 41"),
  Plant("reversal_has_time", "UPDATE fct_revenue SET reversed_at = NULL WHERE purchase_key = 500"),
  Plant(
    "time_agrees_with_date",
    "UPDATE fct_revenue SET purchased_date = '2021-05-09' WHERE purchase_key = 100"),
  Plant(
    "price_interval_has_length", "UPDATE dim_product_price SET valid_to = '0000-12-31T00:00:00Z'"),
  Plant(
    "reporting_amount_has_rate_date",
    """
    UPDATE fct_revenue SET paid_reporting_micros = 9990000, fx_rate_date = '2021-04-30'
    WHERE purchase_key = 100
    """),
  Plant(
    "proceeds_within_paid",
    "UPDATE fct_revenue SET proceeds_estimate_micros = 5 WHERE purchase_key = 100"),
  Plant("unconverted_amounts", "UPDATE audit_run SET reporting_currency = 'EUR'"),
  Plant(
    "unestimated_proceeds",
    """
    UPDATE fct_revenue SET paid_reporting_micros = 9990000, fx_rate_date = purchased_date,
      commission_bp = 3000 WHERE purchase_key = 100
    """),
  Plant("conflicting_sightings", "UPDATE fct_revenue SET price_status = 'conflict'"),
  Plant("unresolved_amounts", "UPDATE fct_revenue SET price_status = 'unresolved'"),
  Plant(
    "ledger_entry_agrees_with_purchase",
    "UPDATE fct_revenue_entry SET amount_milli = -1 WHERE entry_kind = 'refund'"),
  Plant(
    "ledger_charges_equal_paid", "DELETE FROM fct_revenue_entry WHERE purchase_key = 400"),
  Plant(
    "ledger_refunds_equal_refunded", "DELETE FROM fct_revenue_entry WHERE amount_milli = -9990"),
  Plant("audit_file_adds_up", "UPDATE audit_file SET used = used + 1 WHERE source_file_id = 3"),
]

@Suite struct `Data tests` {
  /// Copies of all tables, without the constraints that would refuse a planted fault.
  private static func looseCopy(of warehouse: WarehouseDatabase) throws -> DatabaseQueue {
    let copy = try DatabaseQueue()
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS published", arguments: [warehouse.path])
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM published.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
          """)
      for table in tables {
        try db.execute(sql: "CREATE TABLE main.\(table) AS SELECT * FROM published.\(table)")
      }
      try db.execute(sql: "DETACH published")
    }
    return copy
  }

  private static func failing(_ db: Database) throws -> Set<String> {
    Set(try DataTest.run(on: db).filter { $0.failingRows > 0 }.map(\.test.name))
  }

  @Test(arguments: plants)
  func `a planted fault is found`(plant: Plant) throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    let copy = try Self.looseCopy(of: folder.warehouse)
    try copy.writeWithoutTransaction { db in
      #expect(try Self.failing(db) == [])
      try db.execute(sql: plant.sql)
      #expect(try Self.failing(db).contains(plant.test))
    }
  }

  @Test func `every data test is shown failing`() {
    // A broken foreign key needs the real tables: see the next test.
    let planted = Set(plants.map(\.test)).union(["relationships_foreign_keys"])
    #expect(planted == Set(DataTest.all.map(\.name)))
    #expect(DataTest.all.count == planted.count)
  }

  @Test func `a broken foreign key is found by check`() throws {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: folder.warehouse.path, configuration: configuration)
    try queue.write { db in
      try db.execute(sql: "UPDATE fct_revenue SET evidence_id = 1 WHERE purchase_key = 300")
    }
    try queue.close()
    let failed = try folder.warehouse.check().filter { $0.failingRows > 0 }
    #expect(failed.map(\.test.name) == ["relationships_foreign_keys"])
  }
}
