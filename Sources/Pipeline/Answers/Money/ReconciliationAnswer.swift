internal import Amounts
package import Diagnostics
internal import GRDB
package import Pipeline
internal import PurchaseModel
internal import Reconciling
internal import Warehouse

/// Apple's reports beside the facts, as published.
package struct ReconciliationAnswer: Hashable {
  /// The days that were compared; `nil` if no report was read.
  private var days: (first: String, last: String, count: Int64)?
  private var totals: FactSection
  private var causes: FactSection
  private var cells: FactSection
  private var rows: FactSection?

  package static func == (left: ReconciliationAnswer, right: ReconciliationAnswer) -> Bool {
    left.totals == right.totals && left.causes == right.causes && left.cells == right.cells
      && left.rows == right.rows
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(causes) }

  /// Reads the published comparison.
  ///
  /// - Parameters:
  ///   - definition: The pipeline.
  ///   - month: One month alone; `nil` for all.
  ///   - withRows: Whether to compare once more, for the rows behind each cause.
  /// - Returns: The comparison.
  /// - Throws: ``RunFailure`` if nothing is published yet.
  package static func read(_ definition: PipelineDefinition, month: String?, withRows: Bool)
    throws(RunFailure) -> ReconciliationAnswer
  {
    try WarehouseReader(definition).read { db in
      var report = try ReconciliationAnswer(month: month, on: db)
      if withRows { report.rows = try Self.rows(month: month, on: db) }
      return report
    }
  }

  private init(month: String?, on db: Database) throws {
    let wanted: StatementArguments = [month]
    if let row = try Row.fetchOne(
      db,
      sql: """
        SELECT MIN(report_date), MAX(report_date), count(DISTINCT report_date)
        FROM audit_apple_report
        WHERE report IN ('sales', 'subscriber')
          AND (?1 IS NULL OR substr(report_date, 1, 7) = ?1)
        """, arguments: wanted), let first = row[0] as String?
    {
      days = (first, row[1], row[2])
    }
    totals = try FactSection(
      "currencies", title: "By currency",
      sql: """
        SELECT currency, SUM(apple_units) AS apple_units, SUM(our_units) AS our_units,
          SUM(apple_milli) AS apple_milli, SUM(our_milli) AS our_milli,
          SUM(difference_milli) AS difference_milli, SUM(unexplained_milli) AS unexplained_milli
        FROM reconciliation_monthly WHERE ?1 IS NULL OR month = ?1
        GROUP BY currency ORDER BY currency
        """, arguments: wanted, on: db)
    causes = try FactSection(
      "causes", title: "By month, currency and cause",
      sql: """
        SELECT month, currency, cause, apple_units, our_units, apple_milli, our_milli,
          difference_milli
        FROM reconciliation_by_cause WHERE ?1 IS NULL OR month = ?1
        ORDER BY month, currency, abs(difference_milli) DESC, cause
        """, arguments: wanted, on: db)
    cells = try FactSection(
      "cells", title: "The largest differences",
      sql: """
        SELECT month, product_id, storefront, currency, apple_units, our_units, apple_milli,
          our_milli, difference_milli
        FROM reconciliation_monthly WHERE difference_milli <> 0 AND (?1 IS NULL OR month = ?1)
        ORDER BY abs(difference_milli) DESC, month, product_id, storefront, currency LIMIT 20
        """, arguments: wanted, on: db)
  }

  /// Compares once more, which gives the same, and looks up the rows.
  private static func rows(month: String?, on db: Database) throws -> FactSection {
    let books = try PublishedBooks.read(db)
    let result = reconcile(try PublishedEntries.read(db, near: books), with: books)
    let look = try db.makeStatement(
      sql: """
        SELECT transaction_id, purchased_at, reversed_at, paid_milli, price_status, price_rule
        FROM fct_revenue WHERE purchase_key = ?
        """)
    var rows: [[FactSection.Value]] = []
    let shown = result.rows.filter {
      $0.cause != .equal && (month == nil || $0.cell.month == month)
    }
    for found in shown.sorted(by: { ($0.cell.month, $0.cause) < ($1.cell.month, $1.cause) }) {
      guard let row = try Row.fetchOne(look, arguments: [found.purchaseKey]) else { continue }
      rows.append([
        .text(found.cell.month), .text(found.cause.rawValue),
        .text(found.isRefund ? "refund" : "charge"), .text(row[0]),
        .init(found.isRefund ? row[2] as String? : row[1] as String?),
        .text(found.cell.productID), .init(found.cell.storefront?.code),
        .init(found.cell.currency?.code), .init(row[3] as Int64?), .text(row[4]), .text(row[5]),
      ])
    }
    return FactSection(
      "rows", title: "Rows of the facts behind the causes",
      columns: [
        "month", "cause", "kind", "transaction_id", "at", "product_id", "storefront", "currency",
        "paid_milli", "price_status", "price_rule",
      ], rows: rows)
  }

  /// The comparison for people.
  package var text: String {
    guard let days else {
      return "No Sales or Subscriber report of that time was read; list them under "
        + "inputs.apple_reports. \(DocsPage.books.reference)"
    }
    let head =
      "Compared with Apple's reports of \(Count.text(Int(days.count), "day")), \(days.first) to "
      + "\(days.last), in Pacific time."
    let sections = [totals, causes, cells] + [rows].compactMap(\.self)
    return ([head] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// The comparison for machines.
  package var json: JSONText {
    .object(
      [
        .init("first_day", .text(orNull: days?.first)),
        .init("last_day", .text(orNull: days?.last)),
        .init("days", .number(days?.count ?? 0)), totals.json, causes.json, cells.json,
      ] + [rows?.json].compactMap(\.self))
  }
}
