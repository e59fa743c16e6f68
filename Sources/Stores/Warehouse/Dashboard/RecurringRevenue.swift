internal import GRDB
internal import SQLiteFiles

/// The subscriptions that run at the end of each month, and their recurring revenue.
///
/// They are the sums of `recurring_change_daily` through the month's last day in `dim_date`.
struct RecurringRevenue {
  /// What runs at the end of a month, of one product, storefront and currency.
  struct Line {
    var month: String
    var product: String
    var storefront: String?
    var currency: String?
    /// The subscriptions without free periods, and those among them with a known amount.
    var (active, known): (Int64, Int64) = (0, 0)
    /// Monthly recurring revenue as RevenueCat computes it, in millionths of the currency and of
    /// the reporting currency.
    var (compatible, compatibleReporting): (Int64, Int64) = (0, 0)
  }

  private struct Place: Hashable {
    var product: String
    var storefront: String?
    var currency: String?
  }

  /// A line for each month and place that has anything.
  private(set) var lines: [Line] = []

  /// Reads the lines of some months in ascending order.
  init(months: [String], _ products: ProductNames, on db: Database) throws {
    let changes = try StoredRow.fetchCursor(
      db,
      sql: """
        SELECT substr(date_day, 1, 7), \(products.sql(bundle: "NULLIF(bundle_id, '')")),
          NULLIF(storefront, ''), NULLIF(currency, ''), SUM(paid + unresolved), SUM(paid),
          SUM(mrr_rc_compatible_micros), SUM(mrr_rc_compatible_reporting_micros)
        FROM recurring_change_daily
        WHERE date_day <= (SELECT MAX(date_day) FROM dim_date)
        GROUP BY 1, 2, 3, 4 ORDER BY 1
        """)
    var running: [Place: [Int64]] = [:]
    var change = try changes.next()
    for month in months {
      while let row = change, (row[0] as String) <= month {
        let place = Place(product: row[1], storefront: row[2], currency: row[3])
        let figures = (4..<8).map { row[$0] as Int64 }
        running[place] = running[place].map { zip($0, figures).map { $0 &+ $1 } } ?? figures
        change = try changes.next()
      }
      for (place, sums) in running where sums.contains(where: { $0 != 0 }) {
        lines.append(
          Line(
            month: month, product: place.product, storefront: place.storefront,
            currency: place.currency, active: sums[0], known: sums[1], compatible: sums[2],
            compatibleReporting: sums[3]))
      }
    }
  }
}
