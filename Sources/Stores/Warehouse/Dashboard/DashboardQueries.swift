internal import CivilTime

/// The SQL queries for the figures of the dashboard.
///
/// Most queries return month, product and storefront, then the figures to sum.
struct DashboardQueries {
  let products: ProductNames

  /// SQL expression: the amount paid minus its refund, in millionths of the row's currency.
  static let kept = """
    1000 * (paid_milli - COALESCE(
      refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END))
    """

  /// SQL expression: the amount paid minus its refund, in millionths of the reporting currency.
  ///
  /// It is computed like `net_cohort_reporting_micros` in the view `revenue_daily`.
  static let keptReporting = """
    CASE WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE paid_reporting_micros END
      WHEN paid_milli > 0
      THEN paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli ELSE 0 END
    """

  /// The SQL expressions for amounts in one currency, and the condition for the rows to include.
  struct Amount {
    /// The expression for the amount paid; used only to find amounts above 0.
    var paid: String
    /// The expression for the amount paid minus its refund, in millionths.
    var kept: String
    /// The expression for the lower bound of the amount, in millionths; `high` is the upper bound.
    var low: String
    var high: String
    var condition: String
    /// The expression for the currency of the amounts; NULL is the reporting currency.
    var currency: String

    /// The expressions for amounts in the reporting currency, which apply to all rows.
    static let reporting = Amount(
      paid: "paid_reporting_micros", kept: keptReporting, low: "paid_low_reporting_micros",
      high: "paid_high_reporting_micros", condition: "1 = 1", currency: "NULL")

    /// The expressions for amounts in the currency of each row.
    static let own = Amount(
      paid: "paid_milli", kept: DashboardQueries.kept, low: "1000 * paid_low_milli",
      high: "1000 * paid_high_milli", condition: "currency IS NOT NULL", currency: "currency")

    /// The expressions for the rows of one currency.
    static func own(_ code: String) -> Amount {
      var amount = own
      amount.condition = "currency = '\(code)'"
      return amount
    }
  }

  /// The columns of ``revenue(_:)`` that follow currency, month, product and storefront.
  static let revenueColumns = [
    "customers", "net", "chargeable", "unknown", "low", "high", "unbounded",
  ]

  /// The query for paying customers, revenue minus refunds, and rows without a known amount, by
  /// currency, month, product and storefront.
  ///
  /// The columns are in ``revenueColumns``. `chargeable` is the number of chargeable rows. The last
  /// four columns are about the rows without an amount. `unknown` is their number, and `low` and
  /// `high` are the sums of their bounds. `unbounded` is the number of these rows that lack an
  /// upper bound. Refunded rows are left out of `low`, `high` and `unbounded`.
  func revenue(_ amount: Amount) -> String {
    """
    SELECT \(amount.currency), substr(purchased_date, 1, 7), \(products.sql()), storefront,
      count(DISTINCT CASE WHEN \(amount.paid) > 0
        THEN COALESCE(customer_key, original_transaction_id) END),
      SUM(\(amount.kept)), SUM(COALESCE(paid_milli, 1) > 0), SUM(paid_milli IS NULL),
      SUM((paid_milli IS NULL AND reversal_kind <> 'refund') * \(amount.low)),
      SUM((paid_milli IS NULL AND reversal_kind <> 'refund') * \(amount.high)),
      SUM(reversal_kind <> 'refund' AND \(amount.high) IS NULL)
    FROM fct_revenue WHERE \(amount.condition) GROUP BY 1, 2, 3, 4
    """
  }

  /// The query for the number of paying customers by currency, month, product and storefront.
  ///
  /// The expressions of product and storefront may be NULL, for all.
  func payers(_ amount: Amount, product: String, storefront: String) -> String {
    """
    SELECT \(amount.currency), substr(purchased_date, 1, 7), \(product), \(storefront),
      count(DISTINCT COALESCE(customer_key, original_transaction_id))
    FROM fct_revenue WHERE \(amount.paid) > 0 AND \(amount.condition) GROUP BY 1, 2, 3, 4
    """
  }

  /// The query for revenue minus refunds by currency, month, product and storefront.
  ///
  /// Only rows with an exchange rate are included. Amounts are in millionths of the row's currency.
  var ownRevenue: String {
    """
    SELECT currency, substr(purchased_date, 1, 7), \(products.sql()), storefront, SUM(\(Self.kept))
    FROM fct_revenue WHERE paid_reporting_micros IS NOT NULL AND paid_milli > 0
    GROUP BY 1, 2, 3, 4
    """
  }

  /// The query for the amounts paid per currency and month, before and after conversion.
  ///
  /// The unit is a millionth: first of the row's currency, then of the reporting currency.
  static let rates = """
    SELECT currency, substr(purchased_date, 1, 7), SUM(1000 * paid_milli),
      SUM(paid_reporting_micros)
    FROM fct_revenue WHERE paid_reporting_micros IS NOT NULL AND paid_milli > 0
    GROUP BY 1, 2 ORDER BY 1, 2
    """

  /// The query for revenue minus refunds by day, product and storefront, newest day first.
  ///
  /// It also returns the number of chargeable rows, and the number of rows without an amount.
  func days(_ amount: Amount, by day: String, from first: CivilDay) -> String {
    """
    SELECT \(day), \(products.sql()), storefront, SUM(\(amount.kept)),
      SUM(COALESCE(paid_milli, 1) > 0), SUM(paid_milli IS NULL)
    FROM fct_revenue WHERE \(amount.condition) AND \(Self.condition(day, from: first))
    GROUP BY 1, 2, 3 ORDER BY 1 DESC
    """
  }

  /// The query for revenue minus refunds by day over all products and storefronts, oldest day
  /// first.
  ///
  /// It also returns the number of chargeable rows, and the number of rows without an amount.
  func dayTotals(_ amount: Amount, by day: String, from first: CivilDay) -> String {
    """
    SELECT \(day), SUM(\(amount.kept)), SUM(COALESCE(paid_milli, 1) > 0),
      SUM(paid_milli IS NULL)
    FROM fct_revenue WHERE \(amount.condition) AND \(Self.condition(day, from: first))
    GROUP BY 1 ORDER BY 1
    """
  }

  /// The condition for rows from a day on; a day of a zone begins at most a day before UTC's.
  private static func condition(_ day: String, from first: CivilDay) -> String {
    day == "purchased_date"
      ? "purchased_date >= '\(first.text)'"
      : "purchased_date >= '\(first.advanced(by: -1).text)' AND \(day) >= '\(first.text)'"
  }

  /// The query for subscriptions that are not in the recurring revenue in the reporting currency.
  ///
  /// Their amount or its exchange rate is unknown. For the last day of each month in `dim_date`,
  /// the query returns four values:
  ///
  /// - the number of subscriptions with an amount but without an exchange rate
  /// - the sum of the monthly lower bounds of subscriptions without an amount
  /// - the sum of the monthly upper bounds of subscriptions without an amount, or not seen
  /// - the number of subscriptions without an upper bound in the reporting currency
  var openRecurring: String {
    let length = "CAST(substr(r.covered_period, 2, length(r.covered_period) - 2) AS INTEGER)"
    let factor = """
      CASE substr(r.covered_period, -1) WHEN 'D' THEN 365 WHEN 'W' THEN 365 ELSE 1 END
        / (\(length) * CASE substr(r.covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END)
      """
    return """
      SELECT m.month, \(products.sql("r.product_id", bundle: "r.bundle_id")), r.storefront,
        count(r.paid_milli),
        SUM(COALESCE(r.paid_low_reporting_micros, 0) * \(factor)),
        SUM(COALESCE(r.paid_high_reporting_micros, 0) * \(factor)),
        SUM(r.paid_high_reporting_micros IS NULL)
      FROM fct_revenue AS r
      CROSS JOIN completeness_monthly AS m
        ON m.last_day >= r.purchased_date AND m.last_day < substr(r.access_ends_at, 1, 10)
      WHERE r.product_kind = 'auto_renewable_subscription' AND r.covered_period IS NOT NULL
        AND (r.paid_milli IS NULL OR r.paid_milli > 0 AND r.paid_reporting_micros IS NULL)
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT m.month, \(products.sql("r.product_id", bundle: "r.bundle_id")), r.storefront, 0, 0,
        SUM(COALESCE(r.mrr_high_reporting_micros, 0)), SUM(r.mrr_high_reporting_micros IS NULL)
      FROM subscription_not_seen AS r
      CROSS JOIN completeness_monthly AS m ON m.last_day >= r.first_date AND m.last_day < r.end_date
      GROUP BY 1, 2, 3
      """
  }

  /// The query for the number of ended subscriptions that nobody has seen since.
  ///
  /// It has a number for the end of each month; the last month ends on the last day of `dim_date`.
  var notSeen: String {
    """
    SELECT m.month, \(products.sql("r.product_id", bundle: "r.bundle_id")), r.storefront, count(1)
    FROM subscription_not_seen AS r
    CROSS JOIN completeness_monthly AS m ON m.last_day >= r.first_date AND m.last_day < r.end_date
    GROUP BY 1, 2, 3
    """
  }

  /// The query for the number of free trials that run at the end of each month.
  var onTrial: String {
    """
    SELECT m.month, \(products.sql("r.product_id", bundle: "r.bundle_id")), r.storefront, count(1)
    FROM fct_revenue AS r
    CROSS JOIN completeness_monthly AS m
      ON m.last_day >= r.purchased_date AND m.last_day < substr(r.access_ends_at, 1, 10)
    WHERE r.period_kind = 'trial' AND r.product_kind = 'auto_renewable_subscription'
    GROUP BY 1, 2, 3
    """
  }

  /// The query for the number of subscriptions that were paid for, running and set to cancel at the
  /// end of each month: the last renewal state before it shows auto-renewal off.
  var cancelling: String {
    """
    WITH state (chain, first_date, end_date, is_on) AS (
      SELECT original_transaction_id, substr(observed_at, 1, 10),
        LEAD(substr(observed_at, 1, 10)) OVER (
          PARTITION BY original_transaction_id ORDER BY observed_at),
        auto_renew_status
      FROM fct_renewal_state WHERE auto_renew_status IS NOT NULL
    )
    SELECT m.month, \(products.sql("r.product_id", bundle: "r.bundle_id")), r.storefront, count(1)
    FROM state AS s
    CROSS JOIN fct_revenue AS r ON r.original_transaction_id = s.chain
    CROSS JOIN completeness_monthly AS m
      ON m.last_day >= r.purchased_date AND m.last_day < substr(r.access_ends_at, 1, 10)
    WHERE s.is_on = 0 AND s.first_date <= m.last_day
      AND (s.end_date IS NULL OR s.end_date > m.last_day)
      AND r.product_kind = 'auto_renewable_subscription' AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
    GROUP BY 1, 2, 3
    """
  }

  /// The query for the number of customers by the month, product and storefront of their first
  /// purchase or trial, and of those among them who paid in that month.
  var newcomers: String {
    """
    WITH purchase AS (
      SELECT COALESCE(customer_key, original_transaction_id) AS customer, purchased_date, bundle_id,
        product_id, storefront, paid_milli,
        ROW_NUMBER() OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)
          ORDER BY purchased_at, purchase_key) AS place
      FROM fct_revenue
    ), customer AS (
      SELECT customer, MIN(substr(purchased_date, 1, 7)) AS month,
        MIN(CASE WHEN paid_milli > 0 THEN substr(purchased_date, 1, 7) END) AS first_paid
      FROM purchase GROUP BY customer
    )
    SELECT c.month, \(products.sql("p.product_id", bundle: "p.bundle_id")), p.storefront, count(1),
      SUM(COALESCE(c.first_paid = c.month, 0))
    FROM customer AS c JOIN purchase AS p ON p.customer = c.customer AND p.place = 1
    GROUP BY 1, 2, 3
    """
  }

  /// The query for the numbers of subscriptions at the start of each month and of churned ones.
  ///
  /// A churned subscription was active at the start of the month, but not at the end. Those whose
  /// end in the month nobody has seen are in neither number.
  var churn: String {
    """
    SELECT month, \(products.sql()), storefront, 
      SUM(subscriptions_at_start - not_seen_subscriptions), SUM(churned_subscriptions)
    FROM churn_monthly GROUP BY 1, 2, 3
    """
  }

  /// The query for the numbers of trials, of mature trials and of converted ones among these, by
  /// month of the trial's start.
  ///
  /// A trial is mature if the time in which it could convert is over, and somebody has looked
  /// since.
  var trials: String {
    """
    SELECT substr(started_date, 1, 7), \(products.sql("offer_product_id")), storefront, count(1),
      SUM(is_mature), SUM(is_mature AND status = 'converted' AND is_same_product = 1)
    FROM fct_conversion WHERE offer_kind = 'trial' GROUP BY 1, 2, 3
    """
  }

  /// The query for the numbers of paid and of refunded purchases, by month of purchase.
  var refunds: String {
    """
    SELECT substr(purchased_date, 1, 7), \(products.sql()), storefront, count(1),
      SUM(reversal_kind = 'refund')
    FROM fct_revenue
    WHERE paid_milli > 0 AND (product_kind <> 'consumable' OR signed_price_milli IS NOT NULL)
    GROUP BY 1, 2, 3
    """
  }
}
