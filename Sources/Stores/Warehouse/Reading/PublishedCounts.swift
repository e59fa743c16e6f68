package import CivilTime
package import GRDB
internal import SQLiteFiles

/// The numbers that monitoring reads from the newest publication.
package struct PublishedCounts {
  /// The id of the newest published run; `nil` if there is none.
  package let runID: Int64?
  /// The proportion of chargeable rows with a known amount, in hundredths of a percent.
  ///
  /// `nil` if no run has published, or if no row is chargeable.
  package let coverage: Int64?
  /// The number of rows of `fct_revenue`.
  package let facts: Int64
  /// The time of the newest purchase, UTC; `nil` without purchases.
  package let newestPurchase: Instant?
  /// The number of rows of `fct_revenue` that the newest run added or changed.
  package let changedFacts: Int64
  /// The number of published days whose figures the newest run changed.
  package let restatedDays: Int64

  package static func read(_ db: Database) throws -> PublishedCounts {
    let last = try StoredRow.fetchOne(
      db, sql: "SELECT run_id, price_coverage_bp FROM audit_run ORDER BY run_id DESC LIMIT 1")
    let run: Int64? = last?[0]
    let newest = try String.fetchOne(
      db,
      sql: """
        SELECT MAX(purchased_at) FROM fct_revenue
        WHERE purchased_date = (SELECT MAX(purchased_date) FROM fct_revenue)
        """)
    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64 {
      try Int64.fetchOne(db, sql: sql, arguments: arguments) ?? 0
    }
    return PublishedCounts(
      runID: run, coverage: last?[1], facts: try count("SELECT count(1) FROM fct_revenue"),
      newestPurchase: newest.flatMap { Instant(text: $0) },
      changedFacts: try count("SELECT count(1) FROM fct_revenue WHERE changed_run_id = ?", [run]),
      restatedDays: try count(
        "SELECT count(DISTINCT date_day) FROM audit_restatement WHERE run_id = ?", [run]))
  }
}
