internal import GRDB

/// Movements of monthly recurring revenue, read once for all currencies: the view takes a while.
struct Movements {
  /// A row of `mrr_movement_monthly`.
  struct Line {
    var month: String
    var product: String
    var storefront: String?
    var currency: String
    /// New, reactivated, expansion, contraction, churned, and the recurring revenue at the end.
    var amounts: [Int64]
    /// The same in the reporting currency; zeros without one.
    var converted: [Int64]
  }

  private static let columns = ["new", "reactivated", "expansion", "contraction", "churned", "end"]

  /// All rows of the view.
  let lines: [Line]

  /// Reads the view.
  init(on db: Database) throws {
    let sums = Self.columns.map { "\($0)_micros" } + Self.columns.map { "\($0)_reporting_micros" }
    lines = try Row.fetchAll(
      db,
      sql: """
        SELECT month, product_id, storefront, currency, \(sums.joined(separator: ", "))
        FROM mrr_movement_monthly
        """
    ).map { row in
      let figures = (4..<16).map { row[$0] as Int64? ?? 0 }
      return Line(
        month: row[0], product: row[1], storefront: row[2], currency: row[3],
        amounts: Array(figures[..<6]), converted: Array(figures[6...]))
    }
  }
}
