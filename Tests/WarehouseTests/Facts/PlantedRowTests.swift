import SQLiteFiles
import Foundation
import GRDB
import Testing

@testable import Warehouse

/// A fault that a data test must find: SQL for copies of the tables without constraints.
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
    "unique_conversion_offer_number",
    "INSERT INTO fct_conversion SELECT * FROM fct_conversion LIMIT 1"),
  Plant(
    "line_item_in_two_chains",
    """
    UPDATE fct_revenue SET web_order_line_item_id = '7',
      original_transaction_id = CASE purchase_key WHEN 100 THEN 'a' ELSE 'b' END
    WHERE purchase_key IN (100, 300)
    """),
  Plant(
    "relationships_bridge_purchase",
    "INSERT INTO bridge_transaction_id VALUES ('9', 123456)"),
  Plant("relationships_excluded_purchase", "UPDATE excluded_purchase SET purchase_key = 100"),
  Plant(
    "amount_exact_is_believed", "UPDATE fct_revenue SET evidence_id = 1 WHERE purchase_key = 300"),
  Plant("ledger_entry_agrees_with_purchase", "UPDATE fct_revenue_entry SET purchase_key = 12345"),
  Plant(
    "relationships_conversion_purchase",
    "UPDATE fct_conversion SET converted_purchase_key = 12345"),
  Plant(
    "relationships_conversion_purchase", "UPDATE fct_conversion SET offer_purchase_key = 12345"),
  Plant("relationships_foreign_keys", "INSERT INTO audit_backtest (purchase_key) VALUES (12345)"),
  Plant(
    "relationships_foreign_keys",
    """
    UPDATE fct_revenue SET signed_price_milli = 1 WHERE purchase_key = 100;
    INSERT INTO audit_backtest (purchase_key, signed_milli) VALUES (100, 2)
    """),
  Plant(
    "relationships_foreign_keys", "INSERT INTO price_evidence_offer (evidence_id) VALUES (5)"),
  Plant("relationships_foreign_keys", "UPDATE price_evidence SET source_file_id = 12345"),
  Plant("relationships_foreign_keys", "UPDATE rejected_record SET source_file_id = 12345"),
  Plant("relationships_product", "DELETE FROM dim_product WHERE product_id = 'coins'"),
  Plant("relationships_source_file", "UPDATE fct_revenue SET source_file_id = 12345"),
  Plant(
    "relationships_conversion_purchase",
    "UPDATE fct_conversion SET started_at = '2021-05-09T00:00:00Z'"),
  Plant(
    "amount_exact_is_believed",
    "UPDATE price_evidence SET verdict = 'no_reference' WHERE evidence_id = 41"),
  Plant("unconverted_amounts", "UPDATE audit_run SET reporting_currency = 'EUR'"),
  Plant(
    "unestimated_proceeds",
    """
    UPDATE fct_revenue SET paid_reporting_micros = 9990000, fx_rate_date = purchased_date,
      commission_bp = 3000 WHERE purchase_key = 100
    """),
  Plant("conflicting_sightings", "UPDATE fct_revenue SET price_status = 'conflict'"),
  Plant(
    "signed_price_far_from_list",
    """
    UPDATE fct_revenue SET price_rule = 'signed_price', list_price_milli = 50 * paid_milli
    WHERE purchase_key = 100
    """),
  Plant("unresolved_amounts", "UPDATE fct_revenue SET price_status = 'unresolved'"),
  Plant(
    "ledger_entry_agrees_with_purchase",
    "UPDATE fct_revenue_entry SET amount_milli = -1 WHERE entry_kind = 'refund'"),
  Plant(
    "ledger_entry_agrees_with_purchase",
    "UPDATE fct_revenue_entry SET currency = 'XTS' WHERE purchase_key = 400"),
  Plant(
    "ledger_entry_agrees_with_purchase",
    "UPDATE fct_revenue SET purchased_date = '2021-02-03' WHERE purchase_key = 400"),
  Plant("ledger_charge_missing", "DELETE FROM fct_revenue_entry WHERE purchase_key = 400"),
  Plant("ledger_refund_missing", "DELETE FROM fct_revenue_entry WHERE amount_milli = -9990"),
]

/// Faults in single rows, which the tables' constraints refuse.
private let refusals = [
  "INSERT INTO audit_file SELECT source_file_id + 1, name, sha256, kind, status, export_date, bytes,"
    + " records, used, duplicates, rejected, first_run_id, assumed_production FROM audit_file",
  "UPDATE fct_revenue_entry SET entry_key = entry_key + 4",
  "UPDATE fct_revenue_entry SET amount_milli = 0 WHERE purchase_key = 400",
  "UPDATE fct_revenue SET product_id = NULL WHERE purchase_key = 100",
  "UPDATE fct_revenue SET product_id = '' WHERE purchase_key = 100",
  "UPDATE fct_revenue SET transaction_id = ''",
  "UPDATE fct_conversion SET ends_at = NULL",
  "UPDATE fct_revenue SET price_rule = 'guess' WHERE purchase_key = 100",
  "UPDATE fct_revenue SET product_kind = 'toy' WHERE purchase_key = 400",
  "UPDATE fct_revenue SET is_billing_recovery = 2 WHERE purchase_key = 400",
  "UPDATE fct_conversion SET status = 'maybe'",
  "UPDATE dim_subscription SET status = 'odd'",
  "UPDATE price_evidence SET verdict = 'fine'",
  "UPDATE audit_file SET status = 'lost'",
  "UPDATE audit_run SET kind = 'play'",
  "UPDATE dim_offer_eligibility SET intro_reason = 'eligible'",
  "UPDATE dim_offer_eligibility SET is_promo_eligible = 0",
  "UPDATE fct_revenue SET paid_high_milli = 9 WHERE purchase_key = 100",
  "UPDATE fct_revenue SET paid_milli = NULL WHERE purchase_key = 100",
  "UPDATE fct_revenue SET paid_milli = 9990 WHERE purchase_key = 900",
  "UPDATE fct_revenue SET currency = NULL WHERE purchase_key = 100",
  "UPDATE fct_revenue SET reversed_at = NULL WHERE purchase_key = 500",
  "UPDATE fct_revenue SET access_ends_at = '2099-01-01T00:00:00Z' WHERE purchase_key = 500",
  "UPDATE fct_revenue SET purchased_date = '2021-05-09' WHERE purchase_key = 100",
  "UPDATE fct_revenue SET purchased_at = '2021-05-09 10:00:00' WHERE purchase_key = 100",
  "UPDATE dim_product_price SET valid_to = '0000-12-31T00:00:00Z'",
  "UPDATE fct_revenue SET paid_reporting_micros = 9990000 WHERE purchase_key = 100",
  "UPDATE fct_revenue SET paid_reporting_micros = 9990000, fx_rate_date = '2021-04-01'"
    + " WHERE purchase_key = 100",
  "UPDATE fct_revenue SET proceeds_estimate_micros = 5 WHERE purchase_key = 100",
  "UPDATE fct_revenue SET commission_bp = 10000 WHERE purchase_key = 100",
  "UPDATE audit_file SET used = used + 1 WHERE source_file_id = 3",
]

@Suite struct `Data tests` {
  /// The facts of the sample, published once; each test changes a copy.
  private static let published = Result {
    let folder = try WorkFolder()
    _ = try folder.warehouse.publish(SampleFacts().content)
    return folder
  }

  /// Copies of all tables, without the constraints that would refuse a fault.
  private static func looseCopy(of warehouse: WarehouseDatabase) throws -> DatabaseQueue {
    // Other tests attach the same file; the last one to leave empties its log.
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let copy = try DatabaseQueue(configuration: configuration)
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
    let copy = try Self.looseCopy(of: Self.published.get().warehouse)
    try copy.writeWithoutTransaction { db in
      #expect(try Self.failing(db) == [])
      try db.execute(sql: plant.sql)
      #expect(try Self.failing(db).contains(plant.test))
    }
  }

  @Test func `every data test is shown failing`() {
    #expect(Set(plants.map(\.test)) == Set(DataTest.all.map(\.name)))
  }

  @Test(arguments: refusals)
  func `a table refuses a row that breaks a rule by itself`(sql: String) throws {
    let queue = try DatabaseQueue()
    try Self.published.get().analyst().backup(to: queue)
    let refusal = #expect(throws: DatabaseError.self) {
      try queue.write { db in
        try db.execute(sql: sql)
        #expect(db.changesCount > 0, "the fault was planted")
      }
    }
    #expect(refusal?.resultCode == .SQLITE_CONSTRAINT)
    try queue.close()
  }

  @Test func `every file of data tests is one of all, and says what it is`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/Stores/Warehouse/DataTests").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files == DataTest.all.map { $0.name + ".sql" })
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: String(decoding: WarehouseSchema.format.schema, as: UTF8.self))
      for test in DataTest.all {
        #expect(try db.makeStatement(sql: test.sql).columnNames == test.columns, "\(test.name)")
        #expect(test.meaning.hasSuffix("."), "\(test.name)")
      }
    }
  }
}
