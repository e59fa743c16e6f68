internal import Testing

/// Bounds of sums in the reporting currency, computed a second time in plain SQL.
struct BoundOracleTests {
  @Test(arguments: OracleStore.allCases)
  func `bounds by kind ask of each purchase what the chain paid before`(_ store: OracleStore)
    throws
  {
    let earlier = """
      EXISTS (SELECT 1 FROM fct_revenue AS e
        WHERE e.original_transaction_id = r.original_transaction_id
          AND e.paid_number < r.paid_number
      """
    let kinds = [
      "is_subscription AND NOT is_later", "is_subscription AND is_later AND is_same_spell",
      "is_subscription AND is_later AND NOT is_same_spell", "NOT is_subscription",
    ]
    let sums = kinds.map { kind in
      ["low", "high"].map { bound in
        "COALESCE(SUM(paid_\(bound)_reporting_micros) FILTER (WHERE \(kind)), 0)"
      }.joined(separator: ", ")
    }
    try store.compare(
      """
      SELECT date_day, bundle_id, product_id, storefront, currency, new_low_reporting_micros,
        new_high_reporting_micros, renewal_low_reporting_micros, renewal_high_reporting_micros,
        reactivation_low_reporting_micros, reactivation_high_reporting_micros,
        one_time_low_reporting_micros, one_time_high_reporting_micros, unbounded_rows,
        estimated_high_rows FROM revenue_by_kind_daily
      """,
      with: """
        SELECT purchased_date, bundle_id, product_id, storefront, currency,
          \(sums.joined(separator: ", ")), SUM(paid_high_reporting_micros IS NULL),
          SUM(is_high_estimated)
        FROM (SELECT r.*, product_kind = 'auto_renewable_subscription' AS is_subscription,
            \(earlier)) AS is_later,
            \(earlier) AND e.spell_number = r.spell_number) AS is_same_spell
          FROM fct_revenue AS r)
        GROUP BY 1, 2, 3, 4, 5
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `kinds sum to the day, and days to the month`(_ store: OracleStore) throws {
    let kinds = ["new", "renewal", "reactivation", "one_time"]
    let sums = ["", "low_", "high_"].map { bound in
      kinds.map { "COALESCE(\($0)_\(bound)reporting_micros, 0)" }.joined(separator: " + ")
    }
    try store.compare(
      """
      SELECT date_day, bundle_id, product_id, storefront, currency,
        \(sums.joined(separator: ", ")), unconverted_rows, unbounded_rows, estimated_high_rows
      FROM revenue_by_kind_daily
      """,
      with: """
        SELECT date_day, bundle_id, product_id, storefront, currency,
          COALESCE(gross_reporting_micros, 0), gross_low_reporting_micros, gross_high_reporting_micros, unconverted_rows,
          unbounded_rows, estimated_high_rows
        FROM revenue_daily
        """)
    let columns = [
      "net_cohort_milli", "chargeable_rows", "unresolved_rows", "gross_reporting_micros",
      "gross_low_reporting_micros", "gross_high_reporting_micros", "net_cohort_reporting_micros",
      "unconverted_rows", "unbounded_rows", "estimated_high_rows",
    ]
    try store.compare(
      """
      SELECT month, bundle_id, product_id, currency, \(columns.joined(separator: ", "))
      FROM revenue_monthly
      """,
      with: """
        SELECT substr(date_day, 1, 7), bundle_id, product_id, currency,
          \(columns.map { "SUM(\($0))" }.joined(separator: ", "))
        FROM revenue_daily GROUP BY 1, 2, 3, 4
        """)
  }

  @Test(arguments: OracleStore.allCases)
  func `ARPPU has the bounds of its month, and counts who may have paid`(_ store: OracleStore)
    throws
  {
    let amounts = ["paid", "paid_low", "paid_high"].map { "\($0)_reporting_micros" }
    let gross = ["SUM(paid_reporting_micros)"] + amounts[1...].map { "COALESCE(SUM(\($0)), 0)" }
    let net =
      ["SUM(IIF(reversal_kind = 'refund', 0 * paid_reporting_micros, paid_reporting_micros))"]
      + amounts[1...].map { "COALESCE(SUM(\($0)) FILTER (WHERE reversal_kind <> 'refund'), 0)" }
    try store.compare(
      """
      SELECT month, currency, possible_paying_customers, gross_reporting_micros,
        gross_low_reporting_micros, gross_high_reporting_micros, net_reporting_micros,
        net_low_reporting_micros, net_high_reporting_micros, unconverted_rows, unbounded_rows,
        estimated_high_rows FROM arppu_monthly
      """,
      with: """
        SELECT strftime('%Y-%m', purchased_at), currency,
          count(DISTINCT COALESCE(customer_key, original_transaction_id))
            FILTER (WHERE COALESCE(paid_milli, 1) > 0),
          \((gross + net).joined(separator: ", ")),
          SUM(paid_milli IS NOT NULL AND paid_reporting_micros IS NULL),
          SUM(paid_high_reporting_micros IS NULL), SUM(is_high_estimated)
        FROM fct_revenue GROUP BY 1, 2
        """)
  }
}
