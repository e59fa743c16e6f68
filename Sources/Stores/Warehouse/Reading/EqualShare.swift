package import GRDB

/// The part of Apple's money that is equal in the facts: one number for the whole comparison.
///
/// Amounts of several currencies are added at the average rates of the facts. Without a reporting
/// currency only the currency with most of Apple's units is used.
package enum EqualShare {
  /// Reads the part, in hundredths of a percent; `nil` if nothing was compared.
  ///
  /// - Parameters:
  ///   - month: The only month, `2021-08`; `nil` for all.
  ///   - db: The warehouse, opened to read.
  /// - Returns: The part.
  /// - Throws: The error of SQLite if it cannot be read.
  package static func read(month: String?, on db: Database) throws -> Int64? {
    let rates = try Row.fetchAll(
      db,
      sql: """
        SELECT currency, SUM(paid_reporting_micros), SUM(paid_milli) FROM fct_revenue
        WHERE paid_milli > 0 AND paid_reporting_micros > 0 GROUP BY currency
        """)
    var rate: [String: Double] = [:]
    for row in rates {
      guard let code = row[0] as String? else { continue }
      rate[code] = Double(row[1] as Int64) / Double(row[2] as Int64)
    }
    let sums = try Row.fetchAll(
      db,
      sql: """
        SELECT currency, SUM(abs(apple_units)), SUM(abs(apple_milli)),
          SUM(abs(apple_milli) * (cause = 'equal'))
        FROM audit_reconciliation
        WHERE cause <> 'other_products' AND (?1 IS NULL OR month = ?1)
        GROUP BY currency ORDER BY 2 DESC, currency
        """, arguments: [month])
    var (all, equal) = (0.0, 0.0)
    for row in sums where !rate.isEmpty || all == 0 {
      let code: String = row[0]
      guard let factor = rate.isEmpty ? 1 : rate[code] else { continue }
      all += Double(row[2] as Int64) * factor
      equal += Double(row[3] as Int64) * factor
    }
    return all > 0 ? Int64((equal / all * 10_000).rounded(.down)) : nil
  }
}
