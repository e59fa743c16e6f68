internal import Amounts
package import ExchangeRates
package import GRDB
internal import SQLiteFiles
internal import Reconciling

/// The published comparison of the facts with Apple's reports.
package struct PublishedComparison {
  /// The compared days, and the number of days between them without a report; `nil` without
  /// Apple's reports.
  package private(set) var days: (first: String, last: String, count: Int64, missing: Int64)?
  /// The proportion of the money of both sides that is the same charge at the same price.
  ///
  /// See ``ComparedMoney/Sums/equalShare``.
  package let equalShare: Int64?
  /// The largest possible proportion of the equal money whose price comes from Apple's reports.
  ///
  /// See ``ComparedMoney/Sums/shareFromReports``.
  package let shareFromReports: Int64?
  /// The currency of the amounts from which ``equalShare`` is computed, and the currencies that are
  /// left out.
  ///
  /// `nil` if Apple's reports have no amounts.
  package let scope: ComparedScope?
  package let totals: FactSection
  /// The units and amounts of Apple's reports and of the facts, by month, currency and cause.
  package let causes: FactSection
  /// The 20 combinations of month, product, storefront and currency with the largest differences.
  ///
  /// The size of a combination is the sum of its absolute differences, so that a difference of +5
  /// by one cause and -5 by another cause add up to 10.
  package let cells: FactSection
  /// The proceeds by Pacific month, app and currency: Apple's and the facts'.
  package let proceeds: FactSection
  /// The counts of App Analytics beside those of the facts, by month, event and cause.
  ///
  /// Running subscriptions cannot be added up: only the month's last counted day is in it.
  package let events: FactSection
  /// The money and proceeds by month of Apple's fiscal year and currency.
  package let fiscalMonths: FactSection

  /// Reads the comparison from the warehouse.
  ///
  /// - Parameters:
  ///   - part: The shown months and apps.
  ///   - rates: Returns the pipeline's exchange rates, for currencies that the facts do not have.
  package init(_ part: ComparedPart, rates: () -> ReportingCurrency?, on db: Database) throws {
    days = try ComparedDays(month: part.month, on: db).map {
      ($0.first, $0.last, $0.count, $0.missing)
    }
    let money = try ComparedMoney(part, table: rates, on: db)
    (equalShare, scope) = (money.total.equalShare, money.scope)
    shareFromReports = money.total.shareFromReports
    totals = try FactSection(
      "currencies", title: "By currency",
      sql: """
        SELECT currency, SUM(apple_units) AS apple_units, SUM(our_units) AS our_units,
          SUM(apple_milli) AS apple_milli, SUM(our_milli) AS our_milli,
          SUM(difference_milli) AS difference_milli, SUM(unexplained_milli) AS unexplained_milli
        FROM reconciliation_monthly WHERE \(ComparedPart.condition)
        GROUP BY currency ORDER BY currency
        """, arguments: part.arguments, on: db)
    causes = try FactSection(
      "causes", title: "By month, currency and cause",
      sql: """
        SELECT month, currency, cause, SUM(apple_units) AS apple_units,
          SUM(our_units) AS our_units, SUM(apple_milli) AS apple_milli,
          SUM(our_milli) AS our_milli, SUM(apple_milli - our_milli) AS difference_milli
        FROM audit_reconciliation WHERE \(ComparedPart.condition)
        GROUP BY month, currency, cause
        ORDER BY month, currency, abs(SUM(apple_milli - our_milli)) DESC, cause
        """, arguments: part.arguments, on: db)
    let all = try FactSection(
      "cells", title: "The largest differences",
      sql: """
        SELECT month, product_id, storefront, currency, SUM(apple_units) AS apple_units,
          SUM(our_units) AS our_units, SUM(apple_milli) AS apple_milli,
          SUM(our_milli) AS our_milli, SUM(apple_milli - our_milli) AS difference_milli,
          SUM(abs(apple_milli - our_milli)) AS unequal_milli
        FROM audit_reconciliation
        WHERE cause <> 'other_products' AND \(ComparedPart.condition)
        GROUP BY month, product_id, storefront, currency HAVING unequal_milli <> 0
        ORDER BY unequal_milli DESC, month, product_id, storefront, currency
        """, arguments: part.arguments, on: db)
    cells = all.largest(20) { row in
      guard case .text(let month) = row[0], case .text(let currency) = row[3],
        case .number(let milli) = row[9]
      else { return nil }
      return money.converted(milli, currency, in: month)
    }
    let proceeds = try ProceedsComparison(part, on: db)
    self.proceeds = proceeds.months
    fiscalMonths = proceeds.fiscalMonths
    events = try Self.events(part, on: db)
  }

  private static func events(_ part: ComparedPart, on db: Database) throws -> FactSection {
    let (key, title) = ("events", "Trials, conversions and renewals that App Analytics counts")
    // The view reads the history of all subscriptions; without these reports it has no row.
    guard
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM audit_apple_report WHERE report LIKE 'analytics%')")
        == true
    else { return FactSection(key, title: title, columns: [], rows: []) }
    return try FactSection(
      key, title: title,
      sql: """
        WITH counted AS (
          SELECT substr(date_day, 1, 7) AS month, *,
            MAX(date_day) OVER (PARTITION BY substr(date_day, 1, 7), event) AS last_day
          FROM reconciliation_events_daily
        )
        SELECT month, event, cause, SUM(apple_events) AS apple_events,
          SUM(our_events) AS our_events, SUM(difference) AS difference
        FROM counted
        WHERE (event NOT LIKE 'active%' OR date_day = last_day) AND \(ComparedPart.condition)
        GROUP BY month, event, cause
        ORDER BY month, cause = 'not_compared', event, cause
        """, arguments: part.arguments, on: db)
  }

  /// Repeats the comparison to find the rows that differ from Apple's reports, with their causes.
  ///
  /// The comparison is deterministic, so the result equals the published comparison.
  package static func rows(_ part: ComparedPart, on db: Database) throws -> FactSection {
    let products = try part.products(on: db)
    let books = try PublishedAppleReports.read(db)
    let result = reconcile(try PublishedEntries.read(db, near: books), with: books)
    let statement = try db.makeStatement(
      sql: """
        SELECT transaction_id, purchased_at, reversed_at, paid_milli, price_status, price_rule,
          storefront
        FROM fct_revenue WHERE purchase_key = ?
        """)
    var rows: [[FactSection.Value]] = []
    let shown = result.rows.filter {
      $0.cause != .equal && (part.month ?? $0.cell.month) == $0.cell.month
        && products?.contains($0.cell.productID) ?? true
    }
    for found in shown.sorted(by: { ($0.cell.month, $0.cause) < ($1.cell.month, $1.cause) }) {
      guard let row = try StoredRow.fetchOne(statement, arguments: [found.purchaseKey]) else {
        continue
      }
      rows.append([
        .text(found.cell.month), .text(found.cause.rawValue),
        .text(found.isRefund ? "refund" : "charge"), .text(row[0]),
        .init(found.isRefund ? row[2] as String? : row[1] as String?),
        .text(found.cell.productID), .init(row[6] as String?),
        .init(found.cell.currency?.code), .init(row[3] as Int64?), .text(row[4]), .text(row[5]),
      ])
    }
    return FactSection(
      "rows", title: "Rows of the facts that differ from Apple's reports, by cause",
      columns: [
        "month", "cause", "kind", "transaction_id", "at", "product_id", "storefront", "currency",
        "paid_milli", "price_status", "price_rule",
      ], rows: rows)
  }
}
