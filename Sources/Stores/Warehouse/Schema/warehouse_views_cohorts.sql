-- Movements and cohorts of subscriptions and customers. The rules for views stand in
-- warehouse_views.sql.

CREATE VIEW revenue_by_kind_daily AS
-- One row per purchase day, app, product, storefront and currency: what was paid, by kind of
-- purchase, between which bounds.
WITH kind (date_day, bundle_id, product_id, storefront, currency, kind, paid_milli, is_chargeable,
  micros, is_converted, low, high, is_unbounded, is_high_estimated) AS (
  SELECT purchased_date, bundle_id, product_id, storefront, currency,
    CASE
      WHEN product_kind <> 'auto_renewable_subscription' THEN 'one_time'
      WHEN paid_number = 1 THEN 'new'
      WHEN paid_number = MIN(paid_number) OVER (PARTITION BY original_transaction_id, spell_number)
      THEN 'reactivation'
      ELSE 'renewal' END,
    paid_milli, price_status <> 'zero_by_rule',
    CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
      THEN COALESCE(paid_reporting_micros, 0) END,
    paid_reporting_micros IS NOT NULL,
    CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
      THEN COALESCE(paid_low_reporting_micros, 0) END,
    CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
      THEN COALESCE(paid_high_reporting_micros, 0) END,
    paid_high_reporting_micros IS NULL, is_high_estimated
  FROM fct_revenue
)
SELECT
  date_day, bundle_id, product_id, storefront, currency,
  COALESCE(SUM(CASE WHEN kind = 'new' THEN paid_milli END), 0) AS new_milli,
  COALESCE(SUM(CASE WHEN kind = 'renewal' THEN paid_milli END), 0) AS renewal_milli,
  COALESCE(SUM(CASE WHEN kind = 'reactivation' THEN paid_milli END), 0) AS reactivation_milli,
  COALESCE(SUM(CASE WHEN kind = 'one_time' THEN paid_milli END), 0) AS one_time_milli,
  SUM(is_chargeable) AS chargeable_rows,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE(date_day <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete,
  SUM((kind = 'new') * micros) AS new_reporting_micros,
  SUM((kind = 'renewal') * micros) AS renewal_reporting_micros,
  SUM((kind = 'reactivation') * micros) AS reactivation_reporting_micros,
  SUM((kind = 'one_time') * micros) AS one_time_reporting_micros,
  count(paid_milli) - SUM(is_converted) AS unconverted_rows,
  SUM((kind = 'new') * low) AS new_low_reporting_micros,
  SUM((kind = 'new') * high) AS new_high_reporting_micros,
  SUM((kind = 'renewal') * low) AS renewal_low_reporting_micros,
  SUM((kind = 'renewal') * high) AS renewal_high_reporting_micros,
  SUM((kind = 'reactivation') * low) AS reactivation_low_reporting_micros,
  SUM((kind = 'reactivation') * high) AS reactivation_high_reporting_micros,
  SUM((kind = 'one_time') * low) AS one_time_low_reporting_micros,
  SUM((kind = 'one_time') * high) AS one_time_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(is_unbounded) END AS unbounded_rows,
  SUM(is_high_estimated) AS estimated_high_rows
FROM kind
GROUP BY date_day, bundle_id, product_id, storefront, currency;

CREATE VIEW arppu_monthly AS
-- One row per month and currency: what was paid for each customer who paid anything, and between
-- which bounds the money of the month lies.
SELECT
  substr(purchased_date, 1, 7) AS month, currency,
  count(DISTINCT CASE WHEN paid_milli > 0 THEN COALESCE(customer_key, original_transaction_id) END)
    AS paying_customers,
  COALESCE(SUM(paid_milli), 0) AS gross_milli,
  COALESCE(SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END)), 0)
    AS net_milli,
  COALESCE(SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END)), 0)
    / NULLIF(count(DISTINCT CASE WHEN paid_milli > 0
      THEN COALESCE(customer_key, original_transaction_id) END), 0) AS arppu_milli,
  SUM(price_status <> 'zero_by_rule') AS chargeable_rows,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE(substr(purchased_date, 1, 7) < strftime('%Y-%m', (SELECT complete_through_date
    FROM audit_run ORDER BY run_id DESC LIMIT 1), '+1 day'), 0) AS is_complete,
  count(DISTINCT CASE WHEN paid_milli > 0 OR paid_milli IS NULL
    THEN COALESCE(customer_key, original_transaction_id) END) AS possible_paying_customers,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_reporting_micros), 0) END AS gross_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_low_reporting_micros), 0) END AS gross_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_high_reporting_micros), 0) END AS gross_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE paid_reporting_micros END
      WHEN paid_milli > 0
      THEN paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli
      ELSE 0 END), 0)
    END AS net_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE paid_low_reporting_micros END
      WHEN paid_milli > 0
      THEN paid_low_reporting_micros - paid_low_reporting_micros * refunded_milli / paid_milli
      ELSE 0 END), 0)
    END AS net_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE paid_high_reporting_micros END
      WHEN paid_milli > 0
      THEN paid_high_reporting_micros - paid_high_reporting_micros * refunded_milli / paid_milli
      ELSE 0 END), 0)
    END AS net_high_reporting_micros,
  count(paid_milli) - count(paid_reporting_micros) AS unconverted_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN count(1) - count(paid_high_reporting_micros) END AS unbounded_rows,
  SUM(is_high_estimated) AS estimated_high_rows
FROM fct_revenue
GROUP BY substr(purchased_date, 1, 7), currency;

CREATE VIEW churn_monthly AS
-- One row per month, app, product and storefront: of the subscriptions paid for and running when
-- the month began, those that no longer run at its end.
WITH month_end (month, next_month, date_day) AS (
  SELECT month, strftime('%Y-%m', month || '-01', '+1 month'), MAX(date_day)
  FROM dim_date GROUP BY month
), running (month, next_month, chain, bundle_id, product_id, storefront, place) AS (
  SELECT m.month, m.next_month, r.original_transaction_id, r.bundle_id, r.product_id, r.storefront,
    ROW_NUMBER() OVER (PARTITION BY m.month, r.original_transaction_id
      ORDER BY r.purchased_at DESC, r.purchase_key DESC)
  FROM fct_revenue AS r
  JOIN month_end AS m
    ON m.date_day >= r.purchased_date AND m.date_day < substr(r.access_ends_at, 1, 10)
  WHERE r.product_kind = 'auto_renewable_subscription'
    AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
), kept (month, chain) AS (
  SELECT month, chain FROM running WHERE place = 1
)
SELECT
  b.next_month AS month, b.bundle_id, b.product_id, b.storefront,
  count(1) AS subscriptions_at_start,
  count(1) - count(k.chain) AS churned_subscriptions,
  10000 * (count(1) - count(k.chain)) / count(1) AS churn_bp,
  COALESCE(b.next_month < strftime('%Y-%m', (SELECT complete_through_date
    FROM audit_run ORDER BY run_id DESC LIMIT 1), '+1 day'), 0) AS is_complete
FROM running AS b
JOIN month_end AS m ON m.month = b.next_month
LEFT JOIN kept AS k ON k.month = b.next_month AND k.chain = b.chain
WHERE b.place = 1
GROUP BY b.next_month, b.bundle_id, b.product_id, b.storefront;

CREATE VIEW mrr_movement_monthly AS
-- One row per month, app, product, storefront and currency: why monthly recurring revenue is
-- another at the end of the month than at its beginning; the movements sum to the change.
WITH month_end (month, next_month, date_day) AS (
  SELECT month, strftime('%Y-%m', month || '-01', '+1 month'), MAX(date_day)
  FROM dim_date GROUP BY month
), level (chain, month, next_month, bundle_id, product_id, storefront, currency, first_month,
  spell_month, mrr, reporting) AS (
  SELECT p.original_transaction_id, m.month, m.next_month,
    COALESCE(p.bundle_id, '') AS bundle_id, p.product_id, COALESCE(p.storefront, ''), p.currency,
    substr(MIN(p.chain_first_date), 1, 7),
    substr(MIN(p.spell_first_date), 1, 7),
    SUM(p.mrr_micros), CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1)
      IS NOT NULL THEN SUM(COALESCE(p.mrr_reporting_micros, 0)) END
  FROM (SELECT original_transaction_id, bundle_id, product_id, storefront, currency, first_date,
    end_date,
      mrr_micros, mrr_reporting_micros,
      MIN(first_date) OVER (PARTITION BY original_transaction_id) AS chain_first_date,
      MIN(first_date) OVER (PARTITION BY original_transaction_id, spell_number) AS spell_first_date
    FROM mrr_by_purchase) AS p
  JOIN month_end AS m ON m.date_day >= p.first_date AND m.date_day < p.end_date
  GROUP BY p.original_transaction_id, m.month, m.next_month, COALESCE(p.bundle_id, ''),
    p.product_id, COALESCE(p.storefront, ''), p.currency
), side (is_start) AS (
  -- A level is what its own month ends with, and what the next one begins with.
  VALUES (0), (1)
), cell (chain, month, bundle_id, product_id, storefront, currency, first_month, spell_month,
  at_start, at_end, reporting_at_start, reporting_at_end) AS (
  SELECT l.chain, CASE WHEN s.is_start THEN l.next_month ELSE l.month END, l.bundle_id,
    l.product_id,
    l.storefront, l.currency, MIN(l.first_month), MAX(l.spell_month),
    SUM(l.mrr * s.is_start), SUM(l.mrr * (1 - s.is_start)),
    SUM(l.reporting * s.is_start), SUM(l.reporting * (1 - s.is_start))
  FROM level AS l
  CROSS JOIN side AS s
  WHERE NOT s.is_start OR l.next_month <= (SELECT MAX(month) FROM month_end)
  GROUP BY l.chain, CASE WHEN s.is_start THEN l.next_month ELSE l.month END, l.bundle_id,
    l.product_id,
    l.storefront, l.currency
), whole (month, bundle_id, product_id, storefront, currency, first_month, spell_month, at_start,
  at_end,
  reporting_at_start, reporting_at_end, chain_at_start, chain_at_end, currency_at_start,
  currency_at_end, currency_reporting_at_end, place) AS (
  SELECT month, bundle_id, product_id, storefront, currency, first_month, spell_month, at_start,
    at_end,
    reporting_at_start, reporting_at_end,
    SUM(at_start) OVER (PARTITION BY chain, month), SUM(at_end) OVER (PARTITION BY chain, month),
    SUM(at_start) OVER (PARTITION BY chain, month, currency),
    SUM(at_end) OVER (PARTITION BY chain, month, currency),
    SUM(reporting_at_end) OVER (PARTITION BY chain, month, currency),
    ROW_NUMBER() OVER (PARTITION BY chain, month, currency
      ORDER BY at_end DESC, bundle_id, product_id, storefront)
  FROM cell
), movement (month, bundle_id, product_id, storefront, currency, kind, at_start, at_end,
  reporting_at_start, reporting_at_end, change, rate) AS (
  -- A subscription that goes on in a currency gets its change of price in one line, that of the
  -- product it has at the end, and at one rate, that of the end.
  SELECT month, bundle_id, product_id, storefront, currency,
    CASE
      WHEN chain_at_start = 0 AND first_month = month THEN 'new'
      WHEN chain_at_start = 0 AND spell_month = month THEN 'reactivated'
      WHEN chain_at_start = 0 THEN 'recovered'
      WHEN chain_at_end = 0 THEN 'churned'
      WHEN currency_at_end > currency_at_start THEN 'expansion'
      ELSE 'contraction' END,
    at_start, at_end, reporting_at_start, reporting_at_end,
    CASE WHEN currency_at_start = 0 OR currency_at_end = 0 THEN at_end - at_start
      WHEN place = 1 THEN currency_at_end - currency_at_start ELSE 0 END,
    CASE WHEN currency_at_start > 0 AND currency_at_end > 0
      THEN 1.0 * currency_reporting_at_end / currency_at_end END
  FROM whole
), converted (month, bundle_id, product_id, storefront, currency, kind, at_start, at_end,
  reporting_at_start, reporting_at_end, change, product_change, reporting_change,
  reporting_product_change) AS (
  SELECT month, bundle_id, product_id, storefront, currency, kind, at_start, at_end,
    reporting_at_start,
    reporting_at_end, change, at_end - at_start - change,
    CASE WHEN rate IS NULL THEN reporting_at_end - reporting_at_start
      ELSE CAST(change * rate AS INTEGER) END,
    CASE WHEN rate IS NULL THEN 0 ELSE CAST((at_end - at_start - change) * rate AS INTEGER) END
  FROM movement
)
SELECT
  month, NULLIF(bundle_id, '') AS bundle_id, product_id, NULLIF(storefront, '') AS storefront,
    currency,
  SUM(at_start) AS start_micros,
  SUM((kind = 'new') * change) AS new_micros,
  SUM((kind = 'reactivated') * change) AS reactivated_micros,
  SUM((kind = 'recovered') * change) AS recovered_micros,
  SUM((kind = 'expansion') * change) AS expansion_micros,
  SUM((kind = 'contraction') * change) AS contraction_micros,
  SUM((kind = 'churned') * change) AS churned_micros,
  SUM(product_change) AS product_change_micros,
  SUM(at_end) AS end_micros,
  COALESCE(month < strftime('%Y-%m', (SELECT complete_through_date
    FROM audit_run ORDER BY run_id DESC LIMIT 1), '+1 day'), 0) AS is_complete,
  SUM(reporting_at_start) AS start_reporting_micros,
  SUM((kind = 'new') * reporting_change) AS new_reporting_micros,
  SUM((kind = 'reactivated') * reporting_change) AS reactivated_reporting_micros,
  SUM((kind = 'recovered') * reporting_change) AS recovered_reporting_micros,
  SUM((kind = 'expansion') * reporting_change) AS expansion_reporting_micros,
  SUM((kind = 'contraction') * reporting_change) AS contraction_reporting_micros,
  SUM((kind = 'churned') * reporting_change) AS churned_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(reporting_product_change) END AS product_change_reporting_micros,
  SUM(reporting_at_end - reporting_at_start - reporting_change - reporting_product_change)
    AS exchange_reporting_micros,
  SUM(reporting_at_end) AS end_reporting_micros
FROM converted
GROUP BY month, bundle_id, product_id, storefront, currency;

CREATE VIEW retention_cohort AS
-- One row per month of the first paid period, app, product, storefront and number of a paid period:
-- how many subscriptions reached it.
WITH period (chain, bundle_id, product_id, storefront, purchased_date, expires_at, spell_number,
  first_spell,
  period_number) AS (
  SELECT original_transaction_id, COALESCE(bundle_id, ''), product_id, storefront, purchased_date,
    expires_at, spell_number,
    MIN(spell_number) OVER (PARTITION BY original_transaction_id, product_id),
    ROW_NUMBER() OVER (PARTITION BY original_transaction_id, product_id, spell_number
      ORDER BY paid_number)
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND paid_number IS NOT NULL
    AND expires_at IS NOT NULL
), subscription (cohort_month, bundle_id, product_id, storefront, periods, is_over) AS (
  -- Whoever comes back after a lapse begins a new spell and is not retained.
  SELECT MIN(CASE WHEN period_number = 1 THEN substr(purchased_date, 1, 7) END), bundle_id,
    product_id,
    COALESCE(MIN(CASE WHEN period_number = 1 THEN storefront END), ''), MAX(period_number),
    strftime('%Y-%m-%dT%H:%M:%SZ', MAX(expires_at), '+60 days')
      <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
  FROM period
  WHERE spell_number = first_spell
  GROUP BY chain, bundle_id, product_id
), reach (cohort_month, bundle_id, product_id, storefront, periods, is_over, subscriptions) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, periods, is_over, count(1)
  FROM subscription
  GROUP BY cohort_month, bundle_id, product_id, storefront, periods, is_over
), number (bundle_id, product_id, period_number) AS (
  SELECT DISTINCT bundle_id, product_id, period_number FROM period
), cell (cohort_month, bundle_id, product_id, storefront, period_number, subscriptions, retained,
  is_decided,
  is_due) AS (
  -- A period is told of once it is decided for anybody of the cohort, then in all storefronts, so
  -- that they can be added up.
  SELECT r.cohort_month, r.bundle_id, r.product_id, r.storefront, n.period_number,
    SUM(r.subscriptions),
    SUM(CASE WHEN r.periods >= n.period_number THEN r.subscriptions ELSE 0 END),
    MIN(r.periods >= n.period_number OR r.is_over),
    MAX(MAX(r.periods >= n.period_number OR r.is_over))
      OVER (PARTITION BY r.cohort_month, r.bundle_id, r.product_id, n.period_number)
  FROM reach AS r
  JOIN number AS n ON n.bundle_id = r.bundle_id AND n.product_id = r.product_id
  GROUP BY r.cohort_month, r.bundle_id, r.product_id, r.storefront, n.period_number
)
SELECT
  cohort_month, NULLIF(bundle_id, '') AS bundle_id, product_id,
  NULLIF(storefront, '') AS storefront, period_number, subscriptions, retained,
  COALESCE(is_decided AND cohort_month < strftime('%Y-%m', (SELECT complete_through_date
    FROM audit_run ORDER BY run_id DESC LIMIT 1), '+1 day'), 0) AS is_complete
FROM cell
WHERE is_due = 1;

CREATE VIEW ltv_cohort AS
-- One row per month of a customer's first purchase, its app, product and storefront, currency, and
-- month since: what the customers of the cohort have paid by the end of that month.
WITH purchase (customer, cohort_month, bundle_id, product_id, storefront, home_currency, currency,
  month,
  paid_milli, net_milli, net_micros, low_micros, high_micros, is_unbounded) AS (
  SELECT COALESCE(customer_key, original_transaction_id),
    substr(MIN(purchased_date) OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)), 1, 7),
    COALESCE(FIRST_VALUE(bundle_id) OVER (PARTITION BY COALESCE(customer_key,
      original_transaction_id)
      ORDER BY purchased_at, purchase_key), ''),
    FIRST_VALUE(product_id) OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)
      ORDER BY purchased_at, purchase_key),
    COALESCE(FIRST_VALUE(storefront) OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)
      ORDER BY purchased_at, purchase_key), ''),
    COALESCE(FIRST_VALUE(currency) OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)
      ORDER BY currency IS NULL, purchased_at, purchase_key), ''),
    currency, substr(purchased_date, 1, 7), paid_milli,
    paid_milli
      - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END),
    CASE
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE COALESCE(paid_reporting_micros, 0) END
      WHEN paid_milli > 0
      THEN COALESCE(paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli, 0)
      ELSE 0 END,
    -- What a refunded row of unknown amount brought is 0, whatever was paid for it.
    CASE WHEN paid_milli IS NULL AND reversal_kind <> 'refund'
      THEN COALESCE(paid_low_reporting_micros, 0) ELSE 0 END,
    CASE WHEN paid_milli IS NULL AND reversal_kind <> 'refund'
      THEN COALESCE(paid_high_reporting_micros, 0) ELSE 0 END,
    reversal_kind <> 'refund' AND paid_high_reporting_micros IS NULL
  FROM fct_revenue
), customer (cohort_month, bundle_id, product_id, storefront, currency, first_paid_month,
  first_possible_month) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, home_currency,
    MIN(CASE WHEN paid_milli > 0 THEN month END),
    MIN(CASE WHEN paid_milli > 0 OR paid_milli IS NULL THEN month END)
  FROM purchase
  GROUP BY customer, cohort_month, bundle_id, product_id, storefront, home_currency
), size (cohort_month, bundle_id, product_id, storefront, currency, customers) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, currency, count(1)
  FROM customer GROUP BY cohort_month, bundle_id, product_id, storefront, currency
), payer (cohort_month, bundle_id, product_id, storefront, currency, month, customers) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, currency, first_paid_month, count(1)
  FROM customer WHERE first_paid_month IS NOT NULL
  GROUP BY cohort_month, bundle_id, product_id, storefront, currency, first_paid_month
), possible (cohort_month, bundle_id, product_id, storefront, currency, month, customers) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, currency, first_possible_month, count(1)
  FROM customer WHERE first_possible_month IS NOT NULL
  GROUP BY cohort_month, bundle_id, product_id, storefront, currency, first_possible_month
), paid (cohort_month, bundle_id, product_id, storefront, currency, month, net_milli, net_micros,
  low_micros,
  high_micros, unbounded, unresolved) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, COALESCE(currency, home_currency), month,
    COALESCE(SUM(net_milli), 0), COALESCE(SUM(net_micros), 0), SUM(low_micros), SUM(high_micros),
    SUM(is_unbounded), count(1) - count(paid_milli)
  FROM purchase
  GROUP BY cohort_month, bundle_id, product_id, storefront, COALESCE(currency, home_currency), month
), line (cohort_month, bundle_id, product_id, storefront, currency) AS (
  SELECT DISTINCT cohort_month, bundle_id, product_id, storefront, currency FROM paid
), month (month) AS (
  SELECT DISTINCT month FROM dim_date
)
SELECT
  l.cohort_month, NULLIF(l.bundle_id, '') AS bundle_id, l.product_id, NULLIF(l.storefront,
    '') AS storefront,
  NULLIF(l.currency, '') AS currency,
  12 * (substr(m.month, 1, 4) - substr(l.cohort_month, 1, 4))
    + substr(m.month, 6, 2) - substr(l.cohort_month, 6, 2) AS months_since,
  COALESCE(s.customers, 0) AS customers,
  SUM(COALESCE(y.customers, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id, l.product_id,
    l.storefront,
    l.currency ORDER BY m.month) AS paying_customers,
  SUM(COALESCE(b.customers, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id, l.product_id,
    l.storefront,
    l.currency ORDER BY m.month) AS possible_paying_customers,
  SUM(COALESCE(p.net_milli, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id, l.product_id,
    l.storefront,
    l.currency ORDER BY m.month) AS net_milli,
  COALESCE(p.net_milli, 0) AS net_in_month_milli,
  SUM(COALESCE(p.unresolved, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id, l.product_id,
    l.storefront,
    l.currency ORDER BY m.month) AS unresolved_rows,
  COALESCE(m.month < strftime('%Y-%m', (SELECT complete_through_date
    FROM audit_run ORDER BY run_id DESC LIMIT 1), '+1 day'), 0) AS is_complete,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(COALESCE(p.net_micros, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id,
      l.product_id,
      l.storefront, l.currency ORDER BY m.month) END AS net_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(COALESCE(p.net_micros + p.low_micros, 0)) OVER (PARTITION BY l.cohort_month,
      l.bundle_id, l.product_id, l.storefront, l.currency
        ORDER BY m.month) END AS net_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(COALESCE(p.net_micros + p.high_micros, 0)) OVER (PARTITION BY l.cohort_month,
      l.bundle_id, l.product_id, l.storefront, l.currency
        ORDER BY m.month) END AS net_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(COALESCE(p.unbounded, 0)) OVER (PARTITION BY l.cohort_month, l.bundle_id, l.product_id,
      l.storefront, l.currency ORDER BY m.month) END AS unbounded_rows
FROM line AS l
JOIN month AS m ON m.month >= l.cohort_month
LEFT JOIN size AS s ON s.cohort_month = l.cohort_month AND s.bundle_id = l.bundle_id
  AND s.product_id = l.product_id
  AND s.storefront = l.storefront AND s.currency = l.currency
LEFT JOIN payer AS y ON y.cohort_month = l.cohort_month AND y.bundle_id = l.bundle_id
  AND y.product_id = l.product_id
  AND y.storefront = l.storefront AND y.currency = l.currency AND y.month = m.month
LEFT JOIN possible AS b ON b.cohort_month = l.cohort_month AND b.bundle_id = l.bundle_id
  AND b.product_id = l.product_id
  AND b.storefront = l.storefront AND b.currency = l.currency AND b.month = m.month
LEFT JOIN paid AS p ON p.cohort_month = l.cohort_month AND p.bundle_id = l.bundle_id
  AND p.product_id = l.product_id
  AND p.storefront = l.storefront AND p.currency = l.currency AND p.month = m.month;
