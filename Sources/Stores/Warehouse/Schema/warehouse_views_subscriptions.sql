-- Offers and subscriptions, day by day. The rules for views stand in warehouse_views.sql.

CREATE VIEW conversion_daily AS
-- One row per day, kind of offer, app, product and storefront in which offers began: what became of
-- them.
SELECT
  c.started_date AS cohort_date, c.offer_kind, c.bundle_id, c.offer_product_id, c.storefront,
  count(1) AS offers,
  SUM(c.is_mature) AS mature_offers,
  SUM(c.status = 'converted' AND c.is_same_product = 1) AS converted_strict,
  SUM(c.status = 'converted' AND c.is_contiguous = 1) AS converted_contiguous,
  SUM(c.status = 'converted') AS converted_any,
  SUM(c.status = 'converted' AND c.is_mature = 1) AS mature_converted,
  SUM(c.status = 'converted' AND c.conversion_refunded_at IS NOT NULL) AS converted_then_refunded,
  SUM(c.status = 'pending') AS pending,
  SUM(c.status = 'billing_retry') AS billing_retry,
  SUM(c.status = 'lapsed') AS lapsed,
  SUM(c.status = 'pending' AND u.seen_through_at IS NOT NULL) AS not_seen,
  COALESCE(MAX(c.matures_at) <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
    AND 100 * SUM(c.is_mature = 0) <= count(1)
    AND c.started_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_conversion AS c
LEFT JOIN dim_subscription AS u ON u.original_transaction_id = c.original_transaction_id
GROUP BY c.started_date, c.offer_kind, c.bundle_id, c.offer_product_id, c.storefront;

CREATE VIEW trial_conversion AS
-- One row per day, app, product and storefront in which free trials began: what became of them.
SELECT
  cohort_date, bundle_id, offer_product_id, storefront, offers AS trials,
  mature_offers AS mature_trials, converted_strict, converted_contiguous, converted_any, mature_converted,
  converted_then_refunded, pending, billing_retry, lapsed, not_seen, is_complete
FROM conversion_daily
WHERE offer_kind = 'trial';

CREATE VIEW intro_conversion AS
-- One row per day, app, product and storefront in which paid introductory offers began: what became
-- of them.
SELECT
  cohort_date, bundle_id, offer_product_id, storefront, offers AS intros,
  mature_offers AS mature_intros, converted_strict, converted_contiguous, converted_any, mature_converted,
  converted_then_refunded, pending, billing_retry, lapsed, not_seen, is_complete
FROM conversion_daily
WHERE offer_kind = 'intro';

CREATE VIEW offer_performance AS
-- One row per offer, app, product, storefront and currency: how many began, what they brought and
-- between which bounds, what became of them.
WITH part (chain, offer_number, micros, low, high, is_high_estimated) AS (
  -- Each row of an offer, with the number of the offer in its chain.
  SELECT r.original_transaction_id,
    SUM(b.offer_purchase_key IS NOT NULL) OVER (PARTITION BY r.original_transaction_id
      ORDER BY r.purchased_at, r.expires_at, r.purchase_key),
    r.paid_reporting_micros, r.paid_low_reporting_micros, r.paid_high_reporting_micros,
    r.is_high_estimated
  FROM fct_revenue AS r
  LEFT JOIN fct_conversion AS b ON b.offer_purchase_key = r.purchase_key
  WHERE r.period_kind <> 'regular' AND r.period_kind <> 'one_time'
), own (chain, offer_number, micros, low, high, is_unbounded, is_high_estimated) AS (
  -- An offer has an amount in the reporting currency if all its rows have one.
  SELECT chain, offer_number, CASE WHEN count(micros) = count(1) THEN SUM(micros) END,
    COALESCE(SUM(low), 0), COALESCE(SUM(high), 0), count(high) < count(1), MAX(is_high_estimated)
  FROM part
  GROUP BY chain, offer_number
)
SELECT
  c.offer_kind, c.offer_id, MAX(r.offer_name) AS offer_name, c.bundle_id, c.offer_product_id,
    c.payment_mode,
  c.storefront, c.currency,
  count(1) AS offers,
  SUM(c.is_mature) AS mature_offers,
  SUM(c.status = 'converted') AS converted_any,
  SUM(c.status = 'converted' AND c.is_same_product = 1) AS converted_strict,
  SUM(c.status = 'converted' AND c.conversion_refunded_at IS NOT NULL) AS converted_then_refunded,
  SUM(c.status IN ('pending', 'billing_retry')) AS open_offers,
  SUM(c.status = 'lapsed') AS lapsed,
  COALESCE(SUM(c.offer_paid_milli), 0) AS offer_paid_milli,
  COALESCE(SUM(c.converted_paid_milli), 0) AS converted_paid_milli,
  count(1) - count(c.offer_paid_milli)
    + SUM(c.status = 'converted' AND c.converted_paid_milli IS NULL) AS unresolved_rows,
  SUM(c.status = 'converted' AND c.is_mature = 1) AS mature_converted,
  10000 * SUM(c.status = 'converted' AND c.is_mature = 1) / NULLIF(SUM(c.is_mature), 0)
    AS mature_converted_bp,
  SUM(c.status = 'pending' AND u.seen_through_at IS NOT NULL) AS not_seen,
  COALESCE(MAX(c.matures_at) <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
    AND 100 * SUM(c.is_mature = 0) <= count(1)
    AND MAX(c.started_date) <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE WHEN c.offer_paid_milli IS NOT NULL THEN w.micros END), 0) END
    AS offer_paid_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(w.low), 0) END AS offer_paid_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(w.high), 0) END AS offer_paid_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(v.paid_reporting_micros), 0) END AS converted_paid_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(v.paid_low_reporting_micros), 0) END AS converted_paid_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(v.paid_high_reporting_micros), 0) END AS converted_paid_high_reporting_micros,
  SUM(c.offer_paid_milli IS NOT NULL AND w.micros IS NULL)
    + SUM(c.converted_paid_milli IS NOT NULL AND v.paid_reporting_micros IS NULL)
    AS unconverted_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(COALESCE(w.is_unbounded, 1))
      + SUM(v.purchase_key IS NOT NULL AND v.paid_high_reporting_micros IS NULL) END
    AS unbounded_rows,
  SUM(COALESCE(w.is_high_estimated, 0) + COALESCE(v.is_high_estimated, 0)) AS estimated_high_rows
FROM fct_conversion AS c
JOIN fct_revenue AS r ON r.purchase_key = c.offer_purchase_key
LEFT JOIN dim_subscription AS u ON u.original_transaction_id = c.original_transaction_id
LEFT JOIN own AS w ON w.chain = c.original_transaction_id AND w.offer_number = c.offer_number
LEFT JOIN fct_revenue AS v ON v.purchase_key = c.converted_purchase_key
GROUP BY c.offer_kind, c.offer_id, c.bundle_id, c.offer_product_id, c.payment_mode,
  c.storefront, c.currency;

CREATE VIEW renewal_rate AS
-- One row per app, product, storefront and paid period number: how many went on to the next one.
WITH period (bundle_id, product_id, storefront, paid_number, is_over, is_renewed, is_unseen) AS (
  -- Whoever comes back after a lapse begins a new spell and has not renewed. Recoveries come within
  -- 60 days, so that a rate no longer moves once it is mature.
  SELECT r.bundle_id, r.product_id, r.storefront, r.paid_number,
    strftime('%Y-%m-%dT%H:%M:%SZ', r.expires_at, '+60 days')
      <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1),
    COALESCE(r.next_number = r.paid_number + 1, 0),
    COALESCE(r.next_number <> r.paid_number + 1, 1) AND u.purchase_key IS NOT NULL
  FROM (SELECT purchase_key, bundle_id, product_id, storefront, expires_at, paid_number,
      LEAD(paid_number) OVER (PARTITION BY original_transaction_id, product_id, spell_number
        ORDER BY paid_number) AS next_number
    FROM fct_revenue
    WHERE paid_number IS NOT NULL AND product_kind = 'auto_renewable_subscription') AS r
  LEFT JOIN subscription_not_seen AS u ON u.purchase_key = r.purchase_key
  WHERE r.expires_at IS NOT NULL
)
SELECT
  bundle_id, product_id, storefront, paid_number,
  SUM(is_over AND NOT is_unseen) AS matured_rows,
  SUM(is_over AND is_renewed) AS renewed_rows,
  10000 * SUM(is_over AND is_renewed) / NULLIF(SUM(is_over AND NOT is_unseen), 0) AS renewal_bp,
  MIN(is_over) AND 100 * SUM(is_unseen) <= count(1) AS is_complete,
  SUM(is_unseen) AS not_seen_rows
FROM period
GROUP BY bundle_id, product_id, storefront, paid_number;

CREATE VIEW active_subscriptions_daily AS
-- One row per day, app, product and storefront, from its first subscription on: subscriptions paid
-- for and running at the end of the day.
WITH change (date_day, bundle_id, product_id, storefront, paid, unresolved, unseen) AS (
  SELECT date_day, bundle_id, product_id, storefront, SUM(paid), SUM(unresolved), SUM(unseen)
  FROM (
    SELECT date_day, bundle_id, product_id, storefront, paid, unresolved, 0 AS unseen
    FROM recurring_change_daily
    UNION ALL
    SELECT first_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''), 0, 0, 1
    FROM subscription_not_seen
    UNION ALL
    SELECT end_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''), 0, 0, -1
    FROM subscription_not_seen
  ) AS one
  GROUP BY date_day, bundle_id, product_id, storefront
), place (bundle_id, product_id, storefront, first_date) AS (
  -- A trial whose end nobody has seen may be the only row of its place.
  SELECT bundle_id, product_id, storefront, MIN(date_day)
  FROM (
    SELECT date_day, bundle_id, product_id, storefront FROM recurring_change_daily WHERE begun > 0
    UNION ALL
    SELECT first_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, '')
    FROM subscription_not_seen
  ) AS one
  GROUP BY bundle_id, product_id, storefront
), level (date_day, bundle_id, product_id, storefront, paid, unresolved, unseen) AS (
  SELECT d.date_day, p.bundle_id, p.product_id, p.storefront,
    SUM(COALESCE(c.paid, 0)) OVER through_day,
    SUM(COALESCE(c.unresolved, 0)) OVER through_day,
    SUM(COALESCE(c.unseen, 0)) OVER through_day
  FROM place AS p
  JOIN dim_date AS d ON d.date_day >= p.first_date
  LEFT JOIN change AS c ON c.date_day = d.date_day AND c.bundle_id = p.bundle_id
    AND c.product_id = p.product_id AND c.storefront = p.storefront
  WINDOW through_day AS (PARTITION BY p.bundle_id, p.product_id, p.storefront ORDER BY d.date_day)
)
SELECT
  level.date_day, NULLIF(level.bundle_id, '') AS bundle_id, level.product_id,
  NULLIF(level.storefront, '') AS storefront, level.paid AS active_subscriptions,
  level.unresolved AS unresolved_subscriptions, COALESCE(seen.is_complete, 0) AS is_complete,
  level.unseen AS not_seen_subscriptions
FROM level
LEFT JOIN completeness_daily AS seen ON seen.date_day = level.date_day;

CREATE VIEW mrr_by_purchase AS
-- One row per auto-renewable purchase with an amount above 0: what it adds to monthly recurring
-- revenue at the end of each day from first_date on, until the day before end_date.
WITH priced (purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency,
  spell_number, first_date, end_date, unit, length, months, paid_milli, micros) AS (
  SELECT purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency,
    spell_number, purchased_date, substr(access_ends_at, 1, 10), substr(covered_period, -1),
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS BIGINT),
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS BIGINT)
      * CASE substr(covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END,
    paid_milli, paid_reporting_micros
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND paid_milli > 0
    AND covered_period IS NOT NULL AND purchased_date < substr(access_ends_at, 1, 10)
), part AS (
  SELECT purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency,
    spell_number, first_date, end_date, months,
    CASE unit WHEN 'Y' THEN 12 * length ELSE length END AS rc_length,
    paid_milli * CASE WHEN unit = 'D' OR unit = 'W' THEN 365000 ELSE 1000 END AS mrr,
    paid_milli * CASE unit WHEN 'D' THEN 30000 WHEN 'W' THEN 4000 ELSE 1000 END AS rc,
    micros * CASE WHEN unit = 'D' OR unit = 'W' THEN 365 ELSE 1 END AS reporting,
    micros * CASE unit WHEN 'D' THEN 30 WHEN 'W' THEN 4 ELSE 1 END AS rc_reporting
  FROM priced
)
-- DuckDB divides whole numbers into fractions, so that the remainder is taken off first.
SELECT
  purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency, spell_number,
  first_date, end_date,
  CAST((mrr - mrr % months) / months AS BIGINT) AS mrr_micros,
  CAST((rc - rc % rc_length) / rc_length AS BIGINT) AS mrr_rc_compatible_micros,
  CAST((reporting - reporting % months) / months AS BIGINT) AS mrr_reporting_micros,
  CAST((rc_reporting - rc_reporting % rc_length) / rc_length AS BIGINT)
    AS mrr_rc_compatible_reporting_micros
FROM part;

CREATE VIEW mrr_daily AS
-- One row per day, app, product, storefront and currency, from its first subscription on: monthly
-- recurring revenue at the end of the day. It leaves out running subscriptions without an amount,
-- which are counted, and lie between the bounds.
WITH change (date_day, bundle_id, product_id, storefront, currency, mrr, rc, rc_reporting,
  reporting, unconverted, low, high, unresolved, unbounded, unseen) AS (
  SELECT date_day, bundle_id, product_id, storefront, currency, SUM(mrr), SUM(rc),
    SUM(rc_reporting), SUM(reporting), SUM(unconverted), SUM(low), SUM(high), SUM(unresolved),
    SUM(unbounded), SUM(unseen)
  FROM (
    SELECT date_day, bundle_id, product_id, storefront, currency, mrr_micros AS mrr,
      mrr_rc_compatible_micros AS rc, mrr_rc_compatible_reporting_micros AS rc_reporting,
      mrr_reporting_micros AS reporting, unconverted, mrr_low_reporting_micros AS low,
      mrr_high_reporting_micros AS high, unresolved_recurring AS unresolved, unbounded,
      0 AS unseen
    FROM recurring_change_daily
    UNION ALL
    SELECT first_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''),
      COALESCE(currency, ''), 0, 0, 0, 0, 0, 0, COALESCE(mrr_high_reporting_micros, 0), 0,
      mrr_high_reporting_micros IS NULL, 1
    FROM subscription_not_seen
    UNION ALL
    SELECT end_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''),
      COALESCE(currency, ''), 0, 0, 0, 0, 0, 0, -COALESCE(mrr_high_reporting_micros, 0), 0,
      -(mrr_high_reporting_micros IS NULL), -1
    FROM subscription_not_seen
  ) AS one
  GROUP BY date_day, bundle_id, product_id, storefront, currency
), place (bundle_id, product_id, storefront, currency, first_date) AS (
  -- A trial whose end nobody has seen may be the only row of its place.
  SELECT bundle_id, product_id, storefront, currency, MIN(date_day)
  FROM (
    SELECT date_day, bundle_id, product_id, storefront, currency FROM recurring_change_daily
    WHERE begun_recurring > 0
    UNION ALL
    SELECT first_date, COALESCE(bundle_id, ''), product_id, COALESCE(storefront, ''),
      COALESCE(currency, '')
    FROM subscription_not_seen
  ) AS one
  GROUP BY bundle_id, product_id, storefront, currency
), level AS (
  SELECT d.date_day, NULLIF(p.bundle_id, '') AS bundle_id, p.product_id,
    NULLIF(p.storefront, '') AS storefront, NULLIF(p.currency, '') AS currency,
    SUM(COALESCE(c.mrr, 0)) OVER through_day AS mrr,
    SUM(COALESCE(c.rc, 0)) OVER through_day AS rc,
    SUM(COALESCE(c.rc_reporting, 0)) OVER through_day AS rc_reporting,
    SUM(COALESCE(c.reporting, 0)) OVER through_day AS reporting,
    SUM(COALESCE(c.unconverted, 0)) OVER through_day AS unconverted,
    SUM(COALESCE(c.low, 0)) OVER through_day AS low,
    SUM(COALESCE(c.high, 0)) OVER through_day AS high,
    SUM(COALESCE(c.unresolved, 0)) OVER through_day AS unresolved,
    SUM(COALESCE(c.unbounded, 0)) OVER through_day AS unbounded,
    SUM(COALESCE(c.unseen, 0)) OVER through_day AS unseen
  FROM place AS p
  JOIN dim_date AS d ON d.date_day >= p.first_date
  LEFT JOIN change AS c ON c.date_day = d.date_day AND c.bundle_id = p.bundle_id
    AND c.product_id = p.product_id AND c.storefront = p.storefront AND c.currency = p.currency
  WINDOW through_day AS (
    PARTITION BY p.bundle_id, p.product_id, p.storefront, p.currency ORDER BY d.date_day)
)
SELECT
  level.date_day, level.bundle_id, level.product_id, level.storefront, level.currency,
  level.mrr AS mrr_micros, level.rc AS mrr_rc_compatible_micros,
  COALESCE(seen.is_complete, 0) AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN level.reporting END AS mrr_reporting_micros,
  level.unconverted AS unconverted_subscriptions,
  level.unresolved AS unresolved_subscriptions,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN level.low END AS mrr_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN level.high END AS mrr_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN level.unbounded END AS unbounded_subscriptions,
  level.unseen AS not_seen_subscriptions,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN level.rc_reporting END AS mrr_rc_compatible_reporting_micros
FROM level
LEFT JOIN completeness_daily AS seen ON seen.date_day = level.date_day;
