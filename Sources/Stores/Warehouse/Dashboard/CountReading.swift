internal import GRDB
internal import SQLiteFiles

/// Counts of subscriptions and customers by month, and cohorts.
extension DashboardReading {
  mutating func readCounts() throws {
    let isConverted = units.first?.isConverted ?? false
    var active = Sums()
    for line in recurring.lines where line.active != 0 {
      add(
        [line.active, line.known], month: line.month, product: line.product,
        storefront: line.storefront, to: &active)
    }
    add(
      "counts",
      [
        "month", "product", "storefront", "active", "active_known", "not_seen", "start", "churned",
        "begun", "mature", "converted", "paid", "refunded", "without_rate", "open_low", "open_high",
        "unbounded", "on_trial", "cancelling", "newcomers", "new_payers",
      ],
      [
        (active, 2), (try sums(queries.notSeen), 1), (try sums(queries.churn), 2),
        (try sums(queries.trials), 3), (try sums(queries.refunds), 2),
        (isConverted ? try sums(queries.openRecurring) : [:], 4),
        (try sums(queries.onTrial), 1), (try sums(queries.cancelling), 1),
        (try sums(queries.newcomers), 2),
      ])
  }

  /// Reads retention and lifetime value by product, over all storefronts.
  ///
  /// Lifetime value is in the page's default currency, the first of ``units``.
  mutating func readCohorts() throws {
    add(
      "retention",
      ["month", "product", "period", "subscriptions", "retained", "possible", "complete"],
      [
        (
          try sumsByNumber(
            """
            SELECT cohort_month, \(products.sql()), period_number, SUM(subscriptions), \
            SUM(retained), SUM(could_reach), MIN(is_complete)
            FROM retention_cohort WHERE period_number <= 13 GROUP BY 1, 2, 3
            """), 4
        )
      ])
    guard let unit = units.first else { return }
    let (amount, condition) =
      unit.isConverted
      ? ("net_reporting_micros", "1 = 1") : ("net_milli * 1000", "currency = '\(unit.code)'")
    add(
      "lifetime", ["month", "product", "since", "customers", "payers", "net", "complete"],
      [
        (
          try sumsByNumber(
            """
            SELECT cohort_month, \(products.sql()), months_since, SUM(customers), \
            SUM(paying_customers),
              SUM(\(amount)), MIN(is_complete)
            FROM ltv_cohort WHERE months_since IN (0, 1, 2, 3, 6, 9, 12, 18, 24) AND \(condition) \
            GROUP BY 1, 2, 3
            """), 4
        )
      ])
  }

  /// Sums the rows of a query by month, product and a number, such as the months since the start.
  ///
  /// Month, product and number are the first three columns of the query; figures follow. The last
  /// figure is a flag, which is not summed: the result has 1 only if all rows have 1.
  private func sumsByNumber(_ sql: String) throws -> Sums {
    var sums = Sums()
    for row in try StoredRow.fetchAll(db, sql: sql) {
      guard let month = monthPlaces[row[0]] else { continue }
      let key = [month, place(product: row[1]), row[2] as Int64]
      var figures = (3..<row.count).map { row[$0] as Int64? ?? 0 }
      if let former = sums[key] {
        let isComplete = min(former[former.count - 1], figures[figures.count - 1])
        figures = zip(former, figures).map { $0 &+ $1 }
        figures[figures.count - 1] = isComplete
      }
      sums[key] = figures
    }
    return sums
  }
}
