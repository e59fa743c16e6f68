internal import GRDB
internal import SQLiteFiles

/// The movements of monthly recurring revenue, such as new and churned revenue.
///
/// The view `mrr_movement_monthly` is read once for all currencies, because it is slow.
struct Movements {
  /// A row of `mrr_movement_monthly`.
  struct Line {
    var month: String
    var product: String
    var storefront: String?
    var currency: String
    /// The movements in the order of ``Movements/kinds``, then the recurring revenue at the month's
    /// end, in millionths of the currency.
    var amounts: [Int64]
    /// ``amounts`` in the reporting currency; zeros if there is no reporting currency.
    var converted: [Int64]
  }

  /// The kinds of movements, as in the names of the view's columns: `new` → `new_reporting_micros`.
  static let kinds = [
    "new", "reactivated", "recovered", "expansion", "contraction", "churned", "not_seen",
    "unresolved", "product_change", "exchange",
  ]

  /// All rows of `mrr_movement_monthly`.
  let lines: [Line]

  init(_ products: ProductNames, on db: Database) throws {
    let columns = Self.kinds + ["end"]
    // `exchange` is 0 in the row's currency, because these amounts are not converted.
    let sums =
      columns.map { $0 == "exchange" ? "0" : "\($0)_micros" }
      + columns.map { "\($0)_reporting_micros" }
    lines = try StoredRow.fetchAll(
      db,
      sql: """
        SELECT month, \(products.sql()), storefront, currency, \(sums.joined(separator: ", "))
        FROM mrr_movement_monthly WHERE currency IS NOT NULL
        """
    ).map { row in
      let figures = sums.indices.map { row[4 + $0] as Int64? ?? 0 }
      return Line(
        month: row[0], product: row[1], storefront: row[2], currency: row[3],
        amounts: Array(figures[..<columns.count]), converted: Array(figures[columns.count...]))
    }
  }
}
