-- Which days and months are complete: read by nearly all other figures. The rules for figures stand
-- in warehouse_views.sql.

CREATE VIEW subscription_not_seen AS
-- One row per subscription whose end nobody has looked at since: whether it was renewed is not
-- known. It counts as not seen from first_date on, until the day before end_date.
WITH newest (purchase_key, seen_through_at, first_date, end_date) AS (
  SELECT
    (SELECT r.purchase_key FROM fct_revenue AS r
      WHERE r.original_transaction_id = s.original_transaction_id
        AND r.product_kind = 'auto_renewable_subscription'
      ORDER BY r.access_ends_at DESC, r.purchased_at DESC, r.purchase_key DESC LIMIT 1),
    s.seen_through_at, substr(s.expires_at, 1, 10), substr(s.unseen_until, 1, 10)
  FROM dim_subscription AS s
  WHERE s.seen_through_at IS NOT NULL
)
SELECT
  r.original_transaction_id, r.purchase_key, r.bundle_id, r.product_id, r.storefront, r.currency,
  n.seen_through_at, n.first_date, n.end_date, r.paid_milli,
  -- A free period says nothing of what follows it.
  CASE WHEN r.paid_milli > 0 OR r.paid_milli IS NULL THEN
    r.paid_high_reporting_micros
    * CASE WHEN substr(r.covered_period, -1) = 'D' OR substr(r.covered_period, -1) = 'W' THEN 365
      ELSE 1 END
    / (CAST(substr(r.covered_period, 2, length(r.covered_period) - 2) AS INTEGER)
      * CASE substr(r.covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END)
    END AS mrr_high_reporting_micros
FROM newest AS n
JOIN fct_revenue AS r ON r.purchase_key = n.purchase_key;

CREATE VIEW recurring_change_daily AS
-- One row per day, app, product, storefront and currency on which a period of an auto-renewable
-- subscription begins or ends: what the subscriptions that run, and monthly recurring revenue,
-- gain and lose. Sums through a day are what it ends with.
WITH side (side) AS (
  VALUES (1), (-1)
), priced (first_date, end_date, bundle_id, product_id, storefront, currency, is_chargeable, is_recurring,
  is_open, milli, micros, low, high, numerator, denominator, rc_numerator, rc_denominator)
  AS MATERIALIZED (
  SELECT purchased_date, substr(access_ends_at, 1, 10), COALESCE(bundle_id, ''), product_id,
    COALESCE(storefront, ''), COALESCE(currency, ''), COALESCE(paid_milli, 1) > 0,
    COALESCE(paid_milli, 1) > 0 AND covered_period IS NOT NULL, paid_milli IS NULL,
    COALESCE(paid_milli, 0) * 1000, paid_reporting_micros,
    COALESCE(paid_low_reporting_micros, 0), paid_high_reporting_micros,
    CASE WHEN substr(covered_period, -1) = 'D' OR substr(covered_period, -1) = 'W' THEN 365
      ELSE 1 END,
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER)
      * CASE substr(covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END,
    CASE substr(covered_period, -1) WHEN 'D' THEN 30 WHEN 'W' THEN 4 ELSE 1 END,
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER)
      * CASE substr(covered_period, -1) WHEN 'Y' THEN 12 ELSE 1 END
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription'
    AND purchased_date < substr(access_ends_at, 1, 10)
)
SELECT
  CASE s.side WHEN 1 THEN first_date ELSE end_date END AS date_day, bundle_id, product_id,
  storefront, currency,
  count(1) AS changes,
  SUM(s.side) AS running,
  SUM(s.side * (is_chargeable AND NOT is_open)) AS paid,
  SUM(s.side * is_open) AS unresolved,
  SUM(is_chargeable AND s.side = 1) AS begun,
  SUM(is_recurring AND s.side = 1) AS begun_recurring,
  SUM(s.side * (is_recurring AND is_open)) AS unresolved_recurring,
  SUM(CASE WHEN is_recurring THEN s.side * (milli * numerator / denominator) ELSE 0 END)
    AS mrr_micros,
  SUM(CASE WHEN is_recurring THEN s.side * (milli * rc_numerator / rc_denominator) ELSE 0 END)
    AS mrr_rc_compatible_micros,
  COALESCE(SUM(CASE WHEN is_recurring THEN s.side * (micros * numerator / denominator) END), 0)
    AS mrr_reporting_micros,
  COALESCE(SUM(CASE WHEN is_recurring THEN s.side * (micros * rc_numerator / rc_denominator) END),
    0) AS mrr_rc_compatible_reporting_micros,
  SUM(s.side * (is_recurring AND NOT is_open AND micros IS NULL)) AS unconverted,
  SUM(CASE WHEN is_recurring THEN s.side * (low * numerator / denominator) ELSE 0 END)
    AS mrr_low_reporting_micros,
  COALESCE(SUM(CASE WHEN is_recurring THEN s.side * (high * numerator / denominator) END), 0)
    AS mrr_high_reporting_micros,
  SUM(s.side * (is_recurring AND high IS NULL)) AS unbounded
FROM priced CROSS JOIN side AS s
GROUP BY 1, 2, 3, 4, 5;

CREATE VIEW completeness_daily AS
-- One row per day of dim_date: whether the figures of the day are complete, and why not.
WITH change (date_day, running, unseen) AS (
  SELECT date_day, SUM(running), 0 FROM recurring_change_daily GROUP BY date_day
  UNION ALL
  SELECT substr(expires_at, 1, 10), 0, count(1) FROM dim_subscription
  WHERE seen_through_at IS NOT NULL GROUP BY substr(expires_at, 1, 10)
  UNION ALL
  SELECT substr(unseen_until, 1, 10), 0, -count(1) FROM dim_subscription
  WHERE seen_through_at IS NOT NULL GROUP BY substr(unseen_until, 1, 10)
), total (date_day, running, unseen) AS (
  SELECT date_day, SUM(running), SUM(unseen) FROM change GROUP BY date_day
), level (date_day, running, unseen) AS (
  SELECT d.date_day, SUM(COALESCE(t.running, 0)) OVER (ORDER BY d.date_day),
    SUM(COALESCE(t.unseen, 0)) OVER (ORDER BY d.date_day)
  FROM dim_date AS d LEFT JOIN total AS t ON t.date_day = d.date_day
)
SELECT date_day, running AS running_subscriptions, unseen AS not_seen_subscriptions,
  COALESCE(100 * unseen <= running + unseen AND date_day <= (
    SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0) AS is_complete
FROM level;

CREATE VIEW completeness_monthly AS
-- One row per month of dim_date: complete if it has ended and all its days are complete.
SELECT substr(date_day, 1, 7) AS month,
  strftime('%Y-%m', substr(MIN(date_day), 1, 7) || '-01', '+1 month') AS next_month,
  MAX(date_day) AS last_day,
  MIN(is_complete) AND MAX(date_day)
    = strftime('%Y-%m-%d', substr(MIN(date_day), 1, 7) || '-01', '+1 month', '-1 day')
    AS is_complete,
  MAX(date_day)
    = strftime('%Y-%m-%d', substr(MIN(date_day), 1, 7) || '-01', '+1 month', '-1 day')
    AS has_ended
FROM completeness_daily
GROUP BY substr(date_day, 1, 7);
