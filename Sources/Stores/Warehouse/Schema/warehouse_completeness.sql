-- Written anew by each publication, once facts, days and the run are written: which days and months
-- are complete. A day is complete if the exports cover it, and the ends that nobody has looked at
-- since are at most 1 % of the subscriptions that run or may run.
DELETE FROM subscription_not_seen;

INSERT INTO subscription_not_seen
WITH newest (purchase_key, original_transaction_id, bundle_id, product_id, storefront, currency,
  seen_through_at, first_date, end_date, covered_period, paid_milli, high, place) AS (
  SELECT r.purchase_key, r.original_transaction_id, r.bundle_id, r.product_id, r.storefront,
    r.currency, s.seen_through_at, substr(s.expires_at, 1, 10), substr(s.unseen_until, 1, 10),
    r.covered_period, r.paid_milli, r.paid_high_reporting_micros,
    ROW_NUMBER() OVER (PARTITION BY r.original_transaction_id
      ORDER BY r.access_ends_at DESC, r.purchased_at DESC, r.purchase_key DESC)
  FROM dim_subscription AS s
  JOIN fct_revenue AS r ON r.original_transaction_id = s.original_transaction_id
  WHERE s.seen_through_at IS NOT NULL AND r.product_kind = 'auto_renewable_subscription'
)
SELECT
  original_transaction_id, purchase_key, bundle_id, product_id, storefront, currency,
  seen_through_at, first_date, end_date, paid_milli,
  -- A free period says nothing of what follows it.
  CASE WHEN paid_milli > 0 OR paid_milli IS NULL THEN
    high * CASE WHEN substr(covered_period, -1) = 'D' OR substr(covered_period, -1) = 'W' THEN 365
      ELSE 1 END
    / (CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER)
      * CASE substr(covered_period, -1) WHEN 'W' THEN 84 WHEN 'M' THEN 1 ELSE 12 END)
    END AS mrr_high_reporting_micros
FROM newest
WHERE place = 1;

DELETE FROM completeness_daily;

INSERT INTO completeness_daily
WITH change (date_day, running, unseen) AS (
  SELECT purchased_date, count(1), 0 FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND purchased_date < substr(access_ends_at, 1, 10)
  GROUP BY purchased_date
  UNION ALL
  SELECT substr(access_ends_at, 1, 10), -count(1), 0 FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND purchased_date < substr(access_ends_at, 1, 10)
  GROUP BY substr(access_ends_at, 1, 10)
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
SELECT date_day, running, unseen,
  COALESCE(100 * unseen <= running + unseen AND date_day <= (
    SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
FROM level;

DELETE FROM completeness_monthly;

INSERT INTO completeness_monthly
SELECT substr(date_day, 1, 7), strftime('%Y-%m', substr(MIN(date_day), 1, 7) || '-01', '+1 month'),
  MAX(date_day),
  MIN(is_complete) AND MAX(date_day)
    = strftime('%Y-%m-%d', substr(MIN(date_day), 1, 7) || '-01', '+1 month', '-1 day')
FROM completeness_daily
GROUP BY substr(date_day, 1, 7);
