internal import SQLiteFiles
internal import AppleReports
internal import CivilTime
public import GRDB
public import Reconciling

/// Reads Apple's reports from the warehouse, without state.db.
public enum PublishedAppleReports {
  /// Reads the reports of the published comparison.
  public static func read(_ db: Database) throws -> ReconciledReports {
    var days: [AppleReport: Set<CivilDay>] = [:]
    let files = try RawStatement(
      "read report days",
      "SELECT report, report_date FROM audit_apple_report", on: db)
    while try files.next() {
      guard let report = AppleReport(rawValue: files.text(0)),
        let day = CivilDay(text: files.text(1))
      else { continue }
      days[report, default: []].insert(day)
    }
    var appleReports = ReconciledReports(
      subscriberDays: days[.subscriber] ?? [], salesDays: days[.sales] ?? [])
    let rows = try RawStatement(
      "read report lines",
      "SELECT * FROM apple_report_line ORDER BY source_file_id, source_line", on: db)
    while try rows.next() {
      if let line = AppleReportRows.line(rows) { appleReports.add(line) }
    }
    appleReports.addProducts(try products(db).union(catalogued(db)))
    return appleReports
  }

  /// Reads the ids of the products that have a row in `fct_revenue`.
  static func products(_ db: Database) throws -> Set<String> {
    let rows = try RawStatement(
      "read products", "SELECT DISTINCT product_id FROM fct_revenue", on: db)
    var products: Set<String> = []
    while try rows.next() { products.insert(rows.text(0)) }
    return products
  }

  /// Reads the ids of the compared products, except those with the cause `other_products`.
  ///
  /// Products with that cause belong to apps of the owner that are not in the exports.
  private static func catalogued(_ db: Database) throws -> Set<String> {
    let rows = try RawStatement(
      "read compared products",
      "SELECT DISTINCT product_id FROM audit_reconciliation WHERE cause <> 'other_products'", on: db
    )
    var products: Set<String> = []
    while try rows.next() { products.insert(rows.text(0)) }
    return products
  }
}
