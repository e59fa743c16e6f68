-- Movements and cohorts of subscriptions and customers. The rules for views stand in
-- warehouse_views.sql.

CREATE VIEW revenue_by_kind_daily AS
-- One row per purchase day, app, product, storefront and currency: what was paid, by kind of
-- purchase, between which bounds. A kind without purchases is 0; one whose amounts are all unknown
-- is NULL.
WITH kind (date_day, bundle_id, product_id, storefront, currency, kind, paid_milli, is_chargeable,
  micros, no_micros, is_converted, low, high, is_unbounded, is_high_estimated) AS (
  SELECT purchased_date, bundle_id, product_id, storefront, currency,
    CASE
      WHEN product_kind <> 'auto_renewable_subscription' THEN 'one_time'
      WHEN paid_number = 1 THEN 'new'
      WHEN paid_number = MIN(paid_number) OVER (PARTITION BY original_transaction_id, spell_number)
      THEN 'reactivation'
      ELSE 'renewal' END,
    paid_milli, COALESCE(paid_milli, 1) > 0, paid_reporting_micros,
    CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
      THEN 0 END,
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
  CASE WHEN SUM(kind = 'new') = 0 THEN 0
    ELSE SUM(CASE WHEN kind = 'new' THEN paid_milli END) END AS new_milli,
  CASE WHEN SUM(kind = 'renewal') = 0 THEN 0
    ELSE SUM(CASE WHEN kind = 'renewal' THEN paid_milli END) END AS renewal_milli,
  CASE WHEN SUM(kind = 'reactivation') = 0 THEN 0
    ELSE SUM(CASE WHEN kind = 'reactivation' THEN paid_milli END) END AS reactivation_milli,
  CASE WHEN SUM(kind = 'one_time') = 0 THEN 0
    ELSE SUM(CASE WHEN kind = 'one_time' THEN paid_milli END) END AS one_time_milli,
  SUM(is_chargeable) AS chargeable_rows,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = t.date_day), 0)
    AS is_complete,
  CASE WHEN SUM(kind = 'new') = 0 THEN MAX(no_micros)
    ELSE SUM(CASE WHEN kind = 'new' THEN micros END) END AS new_reporting_micros,
  CASE WHEN SUM(kind = 'renewal') = 0 THEN MAX(no_micros)
    ELSE SUM(CASE WHEN kind = 'renewal' THEN micros END) END AS renewal_reporting_micros,
  CASE WHEN SUM(kind = 'reactivation') = 0 THEN MAX(no_micros)
    ELSE SUM(CASE WHEN kind = 'reactivation' THEN micros END) END AS reactivation_reporting_micros,
  CASE WHEN SUM(kind = 'one_time') = 0 THEN MAX(no_micros)
    ELSE SUM(CASE WHEN kind = 'one_time' THEN micros END) END AS one_time_reporting_micros,
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
FROM kind AS t
GROUP BY date_day, bundle_id, product_id, storefront, currency;

CREATE VIEW arppu_monthly AS
-- One row per month and currency: what was paid for each customer who paid anything, and between
-- which bounds the money of the month lies.
SELECT
  substr(purchased_date, 1, 7) AS month, currency,
  count(DISTINCT CASE WHEN paid_milli > 0 THEN COALESCE(customer_key, original_transaction_id) END)
    AS paying_customers,
  SUM(paid_milli) AS gross_milli,
  SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END))
    AS net_milli,
  SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END))
    / NULLIF(count(DISTINCT CASE WHEN paid_milli > 0
      THEN COALESCE(customer_key, original_transaction_id) END), 0) AS arppu_milli,
  SUM(COALESCE(paid_milli, 1) > 0) AS chargeable_rows,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE(MAX(seen.is_complete), 0) AS is_complete,
  count(DISTINCT CASE WHEN paid_milli > 0 OR paid_milli IS NULL
    THEN COALESCE(customer_key, original_transaction_id) END) AS possible_paying_customers,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(paid_reporting_micros) END AS gross_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_low_reporting_micros), 0) END AS gross_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_high_reporting_micros), 0) END AS gross_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(CASE
      WHEN paid_reporting_micros IS NULL THEN NULL
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE paid_reporting_micros END
      WHEN paid_milli > 0
      THEN paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli
      ELSE 0 END)
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
LEFT JOIN completeness_monthly AS seen ON seen.month = substr(purchased_date, 1, 7)
GROUP BY substr(purchased_date, 1, 7), currency;

CREATE VIEW churn_monthly AS
-- One row per month, app, product and storefront: of the subscriptions paid for and running when
-- the month began, those that no longer run at its end. Whose end nobody has looked at since is
-- neither churned nor in the rate.
WITH live (month, next_month, chain, bundle_id, product_id, storefront, purchased_at, purchase_key)
  AS MATERIALIZED (
  -- SQLite reads the rows first, and looks up their few months. The concatenation lets it sort them
  -- once: the index of chains would look up every row.
  SELECT m.month, m.next_month, r.original_transaction_id || '', r.bundle_id, r.product_id,
    r.storefront, r.purchased_at, r.purchase_key
  FROM fct_revenue AS r
  CROSS JOIN completeness_monthly AS m
  WHERE m.last_day >= r.purchased_date AND m.last_day < substr(r.access_ends_at, 1, 10)
    AND r.product_kind = 'auto_renewable_subscription'
    AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
), running (month, next_month, chain, bundle_id, product_id, storefront, later_month) AS (
  SELECT month, next_month, chain, bundle_id, product_id, storefront,
    LEAD(month) OVER (PARTITION BY chain ORDER BY month, purchased_at, purchase_key)
  FROM live
), counted (month, chain, bundle_id, product_id, storefront, is_kept) AS (
  -- Of several rows of a month, the newest purchase.
  SELECT next_month, chain, bundle_id, product_id, storefront, COALESCE(later_month = next_month, 0)
  FROM running
  WHERE later_month IS NULL OR later_month <> month
)
SELECT
  b.month, b.bundle_id, b.product_id, b.storefront,
  count(1) AS subscriptions_at_start,
  SUM(NOT b.is_kept AND u.purchase_key IS NULL) AS churned_subscriptions,
  10000 * SUM(NOT b.is_kept AND u.purchase_key IS NULL)
    / NULLIF(SUM(b.is_kept OR u.purchase_key IS NULL), 0) AS churn_bp,
  COALESCE((SELECT seen.is_complete FROM completeness_monthly AS seen
    WHERE seen.month = b.month), 0) AS is_complete,
  SUM(NOT b.is_kept AND u.purchase_key IS NOT NULL) AS not_seen_subscriptions
FROM counted AS b
JOIN completeness_monthly AS m ON m.month = b.month
LEFT JOIN subscription_not_seen AS u ON u.original_transaction_id = b.chain
  AND substr(u.first_date, 1, 7) = b.month
GROUP BY b.month, b.bundle_id, b.product_id, b.storefront;

CREATE VIEW mrr_movement_monthly AS
-- One row per month, app, product, storefront and currency: why monthly recurring revenue is
-- another at the end of the month than at its beginning; the movements sum to the change. A
-- subscription that runs for an unknown amount is neither new nor churned: unresolved.
WITH priced (chain, bundle_id, product_id, storefront, currency, spell_number, first_date, end_date,
  milli, micros, is_open, low, high, numerator, denominator) AS (
  SELECT original_transaction_id, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''),
    COALESCE(currency, ''), spell_number, purchased_date, substr(access_ends_at, 1, 10),
    COALESCE(paid_milli, 0), paid_reporting_micros, paid_milli IS NULL,
    paid_low_reporting_micros, paid_high_reporting_micros,
    CASE WHEN substr(covered_period, -1) = 'D' OR substr(covered_period, -1) = 'W' THEN 365
      ELSE 1 END,
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER)
      * CASE substr(covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND (paid_milli > 0 OR paid_milli IS NULL)
    AND covered_period IS NOT NULL AND purchased_date < substr(access_ends_at, 1, 10)
), dated AS (
  SELECT chain, bundle_id, product_id, storefront, currency, first_date, end_date,
    milli * 1000 * numerator / denominator AS mrr,
    COALESCE(micros * numerator / denominator, 0) AS reporting, is_open,
    micros IS NULL AS is_unrated,
    CASE WHEN micros IS NULL THEN COALESCE(low * numerator / denominator, 0) ELSE 0 END AS low,
    CASE WHEN micros IS NULL THEN high * numerator / denominator ELSE 0 END AS high,
    spell_number
  FROM priced
), side (is_start) AS (
  -- What a month ends with, and what the next one begins with.
  VALUES (0), (1)
), cell (chain, month, bundle_id, product_id, storefront, currency, spell_number,
  at_start, at_end, reporting_at_start, reporting_at_end, runs_at_start, runs_at_end, open, unrated,
  open_at_end, unrated_at_end, low_at_end, high_at_end, unbounded_at_end) AS (
  SELECT p.chain, CASE WHEN s.is_start THEN m.next_month ELSE m.month END, p.bundle_id,
    p.product_id, p.storefront, p.currency, MAX(p.spell_number),
    SUM(p.mrr * s.is_start), SUM(p.mrr * (1 - s.is_start)),
    SUM(p.reporting * s.is_start), SUM(p.reporting * (1 - s.is_start)),
    SUM(s.is_start), SUM(1 - s.is_start), SUM(p.is_open), SUM(p.is_unrated),
    SUM(p.is_open * (1 - s.is_start)), SUM(p.is_unrated * (1 - s.is_start)),
    SUM(p.low * (1 - s.is_start)), SUM(COALESCE(p.high, 0) * (1 - s.is_start)),
    SUM((p.high IS NULL) * (1 - s.is_start))
  FROM dated AS p
  CROSS JOIN completeness_monthly AS m
  CROSS JOIN side AS s
  WHERE m.last_day >= p.first_date AND m.last_day < p.end_date
    AND (NOT s.is_start OR m.next_month <= (SELECT MAX(month) FROM completeness_monthly))
  GROUP BY p.chain, CASE WHEN s.is_start THEN m.next_month ELSE m.month END, p.bundle_id,
    p.product_id, p.storefront, p.currency
), divided (place) AS (
  -- The few subscriptions that have several lines in a month.
  SELECT chain || month FROM cell GROUP BY chain, month HAVING count(1) > 1
), whole AS (
  SELECT c.*, runs_at_start AS chain_runs_at_start, runs_at_end AS chain_runs_at_end,
    open AS chain_open, unrated AS chain_unrated, at_start AS currency_at_start,
    at_end AS currency_at_end, reporting_at_end AS currency_reporting_at_end, 1 AS place
  FROM cell AS c
  WHERE chain || month NOT IN (SELECT place FROM divided)
  UNION ALL
  SELECT c.*,
    SUM(runs_at_start) OVER (PARTITION BY chain, month),
    SUM(runs_at_end) OVER (PARTITION BY chain, month),
    SUM(open) OVER (PARTITION BY chain, month),
    SUM(unrated) OVER (PARTITION BY chain, month),
    SUM(at_start) OVER (PARTITION BY chain, month, currency),
    SUM(at_end) OVER (PARTITION BY chain, month, currency),
    SUM(reporting_at_end) OVER (PARTITION BY chain, month, currency),
    ROW_NUMBER() OVER (PARTITION BY chain, month, currency
      ORDER BY at_end DESC, bundle_id, product_id, storefront)
  FROM cell AS c
  WHERE chain || month IN (SELECT place FROM divided)
), movement AS (
  -- A subscription that goes on in a currency gets its change of price in one line, that of the
  -- product it has at the end, and at one rate, that of the end.
  SELECT w.*,
    CASE
      WHEN chain_open > 0 THEN 'unresolved'
      WHEN chain_runs_at_start = 0 AND (SELECT substr(MIN(f.purchased_date), 1, 7)
        FROM fct_revenue AS f
        WHERE f.original_transaction_id = w.chain AND f.product_kind = 'auto_renewable_subscription'
          AND (f.paid_milli > 0 OR f.paid_milli IS NULL) AND f.covered_period IS NOT NULL
          AND f.purchased_date < substr(f.access_ends_at, 1, 10)) = w.month
      THEN 'new'
      WHEN chain_runs_at_start = 0 AND (SELECT substr(MIN(f.purchased_date), 1, 7)
        FROM fct_revenue AS f
        WHERE f.original_transaction_id = w.chain AND f.spell_number = w.spell_number
          AND f.product_kind = 'auto_renewable_subscription'
          AND (f.paid_milli > 0 OR f.paid_milli IS NULL) AND f.covered_period IS NOT NULL
          AND f.purchased_date < substr(f.access_ends_at, 1, 10)) = w.month
      THEN 'reactivated'
      WHEN chain_runs_at_start = 0 THEN 'recovered'
      WHEN chain_runs_at_end = 0 AND u.purchase_key IS NOT NULL THEN 'not_seen'
      WHEN chain_runs_at_end = 0 THEN 'churned'
      WHEN currency_at_end > currency_at_start THEN 'expansion'
      ELSE 'contraction' END AS kind,
    CASE WHEN chain_open > 0 OR currency_at_start = 0 OR currency_at_end = 0
      THEN at_end - at_start
      WHEN place = 1 THEN currency_at_end - currency_at_start ELSE 0 END AS change,
    CASE WHEN chain_unrated = 0 AND currency_at_start > 0 AND currency_at_end > 0
      THEN 1.0 * currency_reporting_at_end / currency_at_end END AS rate
  FROM whole AS w
  LEFT JOIN subscription_not_seen AS u ON u.original_transaction_id = w.chain
    AND substr(u.first_date, 1, 7) = w.month
), converted AS (
  -- Without a rate on either side, the whole change in the reporting currency is unresolved.
  SELECT m.*, at_end - at_start - change AS product_change,
    CASE WHEN chain_unrated > 0 THEN 'unresolved' ELSE kind END AS reporting_kind,
    CASE WHEN rate IS NULL THEN reporting_at_end - reporting_at_start
      ELSE CAST(change * rate AS INTEGER) END AS reporting_change,
    CASE WHEN rate IS NULL THEN 0 ELSE CAST((at_end - at_start - change) * rate AS INTEGER) END
      AS reporting_product_change
  FROM movement AS m
), moved AS (
  -- Each kind is named once a row: SQLite would name it again in each sum.
  SELECT month, bundle_id, product_id, storefront, currency, kind, reporting_kind,
    SUM(at_start) AS at_start, SUM(at_end) AS at_end, SUM(change) AS change,
    SUM(product_change) AS product_change, SUM(reporting_at_start) AS reporting_at_start,
    SUM(reporting_at_end) AS reporting_at_end, SUM(reporting_change) AS reporting_change,
    SUM(reporting_product_change) AS reporting_product_change, SUM(open_at_end) AS open_at_end,
    SUM(unrated_at_end) AS unrated_at_end, SUM(low_at_end) AS low_at_end,
    SUM(high_at_end) AS high_at_end, SUM(unbounded_at_end) AS unbounded_at_end
  FROM converted
  GROUP BY month, bundle_id, product_id, storefront, currency, kind, reporting_kind
)
SELECT
  month, NULLIF(bundle_id, '') AS bundle_id, product_id, NULLIF(storefront, '') AS storefront,
  NULLIF(currency, '') AS currency,
  SUM(at_start) AS start_micros,
  SUM((kind = 'new') * change) AS new_micros,
  SUM((kind = 'reactivated') * change) AS reactivated_micros,
  SUM((kind = 'recovered') * change) AS recovered_micros,
  SUM((kind = 'expansion') * change) AS expansion_micros,
  SUM((kind = 'contraction') * change) AS contraction_micros,
  SUM((kind = 'churned') * change) AS churned_micros,
  SUM(product_change) AS product_change_micros,
  SUM(at_end) AS end_micros,
  COALESCE((SELECT seen.is_complete FROM completeness_monthly AS seen
    WHERE seen.month = t.month), 0) AS is_complete,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(reporting_at_start) END AS start_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'new') * reporting_change) END AS new_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'reactivated') * reporting_change) END AS reactivated_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'recovered') * reporting_change) END AS recovered_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'expansion') * reporting_change) END AS expansion_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'contraction') * reporting_change) END AS contraction_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'churned') * reporting_change) END AS churned_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(reporting_product_change) END AS product_change_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(reporting_at_end - reporting_at_start - reporting_change
      - reporting_product_change) END AS exchange_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(reporting_at_end) END AS end_reporting_micros,
  SUM((kind = 'unresolved') * change) AS unresolved_micros,
  SUM((kind = 'not_seen') * change) AS not_seen_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'unresolved') * reporting_change) END AS unresolved_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM((reporting_kind = 'not_seen') * reporting_change) END AS not_seen_reporting_micros,
  SUM(open_at_end) AS unresolved_subscriptions,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(unrated_at_end) END AS unrated_subscriptions,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(low_at_end) END AS unresolved_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN CASE WHEN SUM(unbounded_at_end) = 0 THEN SUM(high_at_end) END END AS unresolved_high_reporting_micros
FROM moved AS t
GROUP BY month, bundle_id, product_id, storefront, currency;

CREATE VIEW retention_cohort AS
-- One row per month of the first paid period, app, product, storefront and number of a paid period:
-- how many subscriptions reached it, of those for whom it could have begun. It says nothing of the
-- future, nor of ends that nobody has looked at since.
WITH run (as_of) AS (
  SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1
), period (chain, bundle_id, product_id, storefront, purchased_date, expires_at, length, unit,
  spell_number, first_spell, period_number, is_last) AS (
  SELECT original_transaction_id, COALESCE(bundle_id, ''), product_id, storefront, purchased_date,
    expires_at, CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER),
    substr(covered_period, -1), spell_number,
    MIN(spell_number) OVER (PARTITION BY original_transaction_id, product_id),
    ROW_NUMBER() OVER (PARTITION BY original_transaction_id, product_id, spell_number
      ORDER BY paid_number),
    ROW_NUMBER() OVER (PARTITION BY original_transaction_id, product_id, spell_number
      ORDER BY expires_at DESC, paid_number DESC) = 1
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND paid_number IS NOT NULL
    AND expires_at IS NOT NULL
), begun (chain, bundle_id, product_id, cohort_month, storefront, periods) AS (
  -- Whoever comes back after a lapse begins a new spell and is not retained.
  SELECT chain, bundle_id, product_id,
    MIN(CASE WHEN period_number = 1 THEN substr(purchased_date, 1, 7) END),
    COALESCE(MIN(CASE WHEN period_number = 1 THEN storefront END), ''), MAX(period_number)
  FROM period
  WHERE spell_number = first_spell
  GROUP BY chain, bundle_id, product_id
), subscription (cohort_month, bundle_id, product_id, storefront, periods, possible, is_over,
  is_unseen) AS (
  -- Of a subscription that ended, the periods after its last one could have begun on the days on
  -- which they were due.
  SELECT b.cohort_month, b.bundle_id, b.product_id, b.storefront, b.periods,
    b.periods + CASE
      WHEN l.expires_at > n.as_of THEN 0
      WHEN l.unit = 'M' OR l.unit = 'Y' THEN 1 + (
        12 * (substr(n.as_of, 1, 4) - substr(l.expires_at, 1, 4))
        + substr(n.as_of, 6, 2) - substr(l.expires_at, 6, 2)
        - (substr(n.as_of, 9) < substr(l.expires_at, 9)))
        / (l.length * CASE l.unit WHEN 'Y' THEN 12 ELSE 1 END)
      ELSE 1 + (strftime('%s', n.as_of) - strftime('%s', l.expires_at))
        / (86400 * COALESCE(l.length, 30) * CASE l.unit WHEN 'W' THEN 7 ELSE 1 END) END,
    strftime('%Y-%m-%dT%H:%M:%SZ', l.expires_at, '+60 days') <= n.as_of,
    u.purchase_key IS NOT NULL
  FROM begun AS b
  JOIN period AS l ON l.chain = b.chain AND l.bundle_id = b.bundle_id
    AND l.product_id = b.product_id AND l.spell_number = l.first_spell AND l.is_last
  JOIN run AS n ON 1 = 1
  LEFT JOIN subscription_not_seen AS u ON u.original_transaction_id = b.chain
    AND u.product_id = b.product_id AND u.first_date = substr(l.expires_at, 1, 10)
), reach (cohort_month, bundle_id, product_id, storefront, periods, possible, is_over, is_unseen,
  subscriptions) AS (
  SELECT cohort_month, bundle_id, product_id, storefront, periods, possible, is_over, is_unseen,
    count(1)
  FROM subscription
  GROUP BY cohort_month, bundle_id, product_id, storefront, periods, possible, is_over, is_unseen
), number (bundle_id, product_id, period_number) AS (
  SELECT DISTINCT bundle_id, product_id, period_number FROM period
), cell (cohort_month, bundle_id, product_id, storefront, period_number, subscriptions, retained,
  could_reach, not_seen, is_decided) AS (
  SELECT r.cohort_month, r.bundle_id, r.product_id, r.storefront, n.period_number,
    SUM(r.subscriptions),
    SUM((r.periods >= n.period_number) * r.subscriptions),
    SUM((r.periods >= n.period_number OR r.possible >= n.period_number AND NOT r.is_unseen)
      * r.subscriptions),
    SUM((r.periods < n.period_number AND r.is_unseen) * r.subscriptions),
    MIN(r.periods >= n.period_number OR r.is_over OR r.is_unseen)
  FROM reach AS r
  JOIN number AS n ON n.bundle_id = r.bundle_id AND n.product_id = r.product_id
  GROUP BY r.cohort_month, r.bundle_id, r.product_id, r.storefront, n.period_number
)
SELECT
  cohort_month, NULLIF(bundle_id, '') AS bundle_id, product_id,
  NULLIF(storefront, '') AS storefront, period_number, subscriptions, retained,
  COALESCE(is_decided AND could_reach + not_seen = subscriptions
    AND 100 * not_seen <= subscriptions AND (SELECT seen.is_complete
      FROM completeness_monthly AS seen WHERE seen.month = cohort_month), 0) AS is_complete,
  could_reach, not_seen
FROM cell
WHERE could_reach > 0;

CREATE VIEW ltv_cohort AS
-- One row per month of a customer's first purchase, its app, product and storefront, currency, and
-- month since: what the customers of the cohort have paid by the end of that month. A refund counts
-- from its own month on.
WITH beginning (customer, cohort_month, bundle_id, product_id, storefront, place) AS (
  SELECT COALESCE(customer_key, original_transaction_id), substr(purchased_date, 1, 7),
    COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''),
    ROW_NUMBER() OVER (PARTITION BY COALESCE(customer_key, original_transaction_id)
      ORDER BY purchased_at, purchase_key)
  FROM fct_revenue
), history (customer, currency, first_paid_month, first_possible_month) AS (
  -- The home currency is the first that is known.
  SELECT COALESCE(customer_key, original_transaction_id),
    COALESCE(substr(MIN(CASE WHEN currency IS NOT NULL THEN purchased_at || currency END), 21), ''),
    substr(MIN(CASE WHEN paid_milli > 0 THEN purchased_date END), 1, 7),
    substr(MIN(CASE WHEN paid_milli > 0 OR paid_milli IS NULL THEN purchased_date END), 1, 7)
  FROM fct_revenue
  GROUP BY COALESCE(customer_key, original_transaction_id)
), customer (customer, cohort_month, bundle_id, product_id, storefront, currency, first_paid_month,
  first_possible_month) AS (
  SELECT f.customer, f.cohort_month, f.bundle_id, f.product_id, f.storefront, h.currency,
    h.first_paid_month, h.first_possible_month
  FROM history AS h JOIN beginning AS f ON f.customer = h.customer AND f.place = 1
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
), side (is_refund) AS (
  -- What a refunded row of unknown amount brought is 0 from its refund on, whatever was paid for it.
  VALUES (0), (1)
), purchase (customer, currency, month, refund_month, paid_milli, refund_milli, micros,
  refund_micros, low_micros, high_micros, is_unbounded, is_whole) AS (
  SELECT COALESCE(customer_key, original_transaction_id), currency, substr(purchased_date, 1, 7),
    CASE WHEN reversal_kind = 'refund' OR refunded_milli > 0
      THEN substr(COALESCE(CASE reversal_kind WHEN 'refund' THEN reversed_at END,
        (SELECT MAX(e.entry_date) FROM fct_revenue_entry AS e
          WHERE e.purchase_key = r.purchase_key AND e.entry_kind = 'refund'),
        purchased_date), 1, 7) END,
    paid_milli,
    COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END),
    COALESCE(paid_reporting_micros, 0),
    CASE
      WHEN refunded_milli IS NULL
      THEN CASE reversal_kind WHEN 'refund' THEN COALESCE(paid_reporting_micros, 0) ELSE 0 END
      WHEN paid_milli > 0 THEN COALESCE(paid_reporting_micros * refunded_milli / paid_milli, 0)
      ELSE 0 END,
    CASE WHEN paid_milli IS NULL THEN COALESCE(paid_low_reporting_micros, 0) ELSE 0 END,
    CASE WHEN paid_milli IS NULL THEN COALESCE(paid_high_reporting_micros, 0) ELSE 0 END,
    paid_high_reporting_micros IS NULL, reversal_kind = 'refund'
  FROM fct_revenue AS r
), paid (cohort_month, bundle_id, product_id, storefront, currency, month, net_milli, net_micros,
  low_micros,
  high_micros, unbounded, unresolved) AS (
  SELECT c.cohort_month, c.bundle_id, c.product_id, c.storefront, COALESCE(r.currency, c.currency),
    CASE WHEN s.is_refund THEN r.refund_month ELSE r.month END,
    COALESCE(SUM(CASE WHEN s.is_refund THEN -refund_milli ELSE paid_milli END), 0),
    SUM(CASE WHEN s.is_refund THEN -refund_micros ELSE micros END),
    SUM(CASE WHEN s.is_refund THEN -low_micros ELSE low_micros END),
    SUM(CASE WHEN s.is_refund THEN -high_micros ELSE high_micros END),
    SUM(CASE WHEN s.is_refund THEN -(is_unbounded AND is_whole) ELSE is_unbounded END),
    SUM(NOT s.is_refund) - SUM(NOT s.is_refund AND paid_milli IS NOT NULL)
  FROM purchase AS r
  JOIN customer AS c ON c.customer = r.customer
  CROSS JOIN side AS s
  WHERE NOT s.is_refund OR r.refund_month IS NOT NULL
  GROUP BY c.cohort_month, c.bundle_id, c.product_id, c.storefront,
    COALESCE(r.currency, c.currency), CASE WHEN s.is_refund THEN r.refund_month ELSE r.month END
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
  COALESCE((SELECT seen.is_complete FROM completeness_monthly AS seen
    WHERE seen.month = m.month), 0) AS is_complete,
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
