package import GRDB
internal import SQLiteFiles

/// The coverage of the published facts: the rows with a customer, and the excluded purchases.
package struct FactCoverage: Hashable {
  /// The purchases excluded from revenue for one reason.
  package struct Exclusion: Hashable {
    package var reason: String
    package var purchases: Int64
  }

  /// The purchases excluded from revenue, the reason with the most purchases first.
  package var excluded: [Exclusion] = []
  /// The number of purchases in revenue, including free ones.
  package var purchases: Int64 = 0
  /// The number of purchases in revenue with a known customer.
  package var withCustomer: Int64 = 0

  package init() {}

  package static func read(_ db: Database) throws -> FactCoverage {
    var coverage = FactCoverage()
    coverage.excluded = try StoredRow.fetchAll(
      db, sql: "SELECT reason, count(1) FROM excluded_purchase GROUP BY 1 ORDER BY 2 DESC, 1"
    ).map { Exclusion(reason: $0[0], purchases: $0[1]) }
    if let row = try StoredRow.fetchOne(
      db, sql: "SELECT count(1), count(customer_key) FROM fct_revenue")
    {
      (coverage.purchases, coverage.withCustomer) = (row[0], row[1])
    }
    return coverage
  }
}
