/// Queries of the dashboard: month, product and storefront, then the values to add up.
enum DashboardQueries {
  /// The amount paid and not refunded, in millionths of the row's currency.
  static let kept = """
    1000 * CASE WHEN reversal_kind = 'refund'
      THEN paid_milli - COALESCE(refunded_milli, paid_milli) ELSE paid_milli END
    """

  /// The same in the reporting currency, as `revenue_daily` does it.
  static let keptReporting = """
    CASE WHEN reversal_kind <> 'refund' THEN paid_reporting_micros
      WHEN paid_milli > 0 AND refunded_milli IS NOT NULL
      THEN paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli ELSE 0 END
    """

  /// Customers who paid, and revenue without refunds.
  static func revenue(paid: String, kept: String, condition: String) -> String {
    """
    SELECT substr(purchased_date, 1, 7), product_id, storefront,
      count(DISTINCT CASE WHEN \(paid) > 0 THEN COALESCE(customer_key, original_transaction_id) END),
      SUM(\(kept))
    FROM fct_revenue WHERE \(condition) GROUP BY 1, 2, 3
    """
  }

  /// Subscriptions at the end of the month, or of the last day.
  static let active = """
    SELECT m.month, r.product_id, r.storefront, count(1)
    FROM fct_revenue AS r
    JOIN (SELECT month, MAX(date_day) AS date_day FROM dim_date GROUP BY month) AS m
      ON m.date_day >= r.purchased_date AND m.date_day < substr(r.access_ends_at, 1, 10)
    WHERE r.product_kind = 'auto_renewable_subscription' AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
    GROUP BY 1, 2, 3
    """

  /// Subscriptions at the beginning of the month, and those that were lost.
  static let churn = """
    SELECT month, product_id, storefront, SUM(subscriptions_at_start), SUM(churned_subscriptions)
    FROM churn_monthly GROUP BY 1, 2, 3
    """

  /// Trials of days on which every trial had its time to convert, and those that converted.
  static let trials = """
    SELECT substr(cohort_date, 1, 7), offer_product_id, storefront,
      SUM(CASE WHEN mature_trials = trials THEN trials ELSE 0 END),
      SUM(CASE WHEN mature_trials = trials THEN converted_strict ELSE 0 END)
    FROM trial_conversion GROUP BY 1, 2, 3
    """

  /// Paid purchases whose refunds the exports show, and those that were refunded since.
  static let refunds = """
    SELECT substr(purchased_date, 1, 7), product_id, storefront, count(1),
      SUM(reversal_kind = 'refund')
    FROM fct_revenue
    WHERE paid_milli > 0 AND (product_kind <> 'consumable' OR signed_price_milli IS NOT NULL)
    GROUP BY 1, 2, 3
    """
}
