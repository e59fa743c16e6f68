-- The views of the warehouse over the tables of a folder of Parquet, for DuckDB and for Spark SQL:
-- the same names, columns and rows as in warehouse.db, where Docs/analysts tells what they mean.
-- Days are DATE here, and months text.
--
-- First make each table known under its name. DuckDB, for every folder of the facts:
--   CREATE VIEW fct_revenue AS SELECT * FROM read_parquet('/mnt/facts/fct_revenue/**/*.parquet');
-- Spark: spark.read.parquet("/mnt/facts/fct_revenue").createOrReplaceTempView("fct_revenue")
-- Then run this file: `.read views.sql`, or each statement by spark.sql().
--
-- Both engines divide whole numbers to fractions, by signs of their own to whole ones: so
-- CAST((a - a % b) / b AS BIGINT) is the whole quotient here. Views that begin with an underscore
-- serve others.

SET TIME ZONE 'UTC';

CREATE OR REPLACE TEMPORARY VIEW _last_run AS
SELECT
  as_of, complete_through_date, reporting_currency,
  -- The first month that is not wholly covered.
  substr(CAST(CAST(complete_through_date + INTERVAL 1 DAY AS DATE) AS STRING), 1, 7) AS open_month
FROM audit_run
WHERE run_id = (SELECT MAX(run_id) FROM audit_run);

CREATE OR REPLACE TEMPORARY VIEW _purchase AS
-- fct_revenue with what is left of each amount after a refund.
SELECT
  r.*,
  substr(CAST(purchased_date AS STRING), 1, 7) AS month,
  CAST(access_ends_at AS DATE) AS end_date,
  CASE WHEN reversal_kind = 'refund'
    THEN paid_milli - COALESCE(refunded_milli, paid_milli) ELSE paid_milli END AS net_milli,
  CASE WHEN reversal_kind <> 'refund' THEN paid_reporting_micros
    WHEN paid_milli > 0 AND refunded_milli IS NOT NULL
    THEN paid_reporting_micros - CAST(
      (paid_reporting_micros * refunded_milli
        - paid_reporting_micros * refunded_milli % NULLIF(paid_milli, 0))
      / NULLIF(paid_milli, 0) AS BIGINT)
    ELSE 0 END AS net_reporting_micros,
  CASE WHEN proceeds_estimate_micros IS NULL OR reversal_kind <> 'refund'
    THEN proceeds_estimate_micros
    WHEN paid_milli > 0 AND refunded_milli IS NOT NULL
    THEN proceeds_estimate_micros - CAST(
      (proceeds_estimate_micros * refunded_milli
        - proceeds_estimate_micros * refunded_milli % NULLIF(paid_milli, 0))
      / NULLIF(paid_milli, 0) AS BIGINT)
    ELSE 0 END AS net_proceeds_micros
FROM fct_revenue AS r;

CREATE OR REPLACE TEMPORARY VIEW _month_end AS
SELECT
  month, MAX(date_day) AS date_day,
  substr(CAST(CAST(CAST(concat(month, '-01') AS DATE) + INTERVAL 1 MONTH AS DATE) AS STRING), 1, 7)
    AS next_month
FROM dim_date
GROUP BY month;

CREATE OR REPLACE TEMPORARY VIEW revenue AS
WITH price (purchase_key, voters, place) AS (
  SELECT r.purchase_key, p.voters,
    ROW_NUMBER() OVER (PARTITION BY r.purchase_key ORDER BY p.valid_from DESC, p.voters DESC)
  FROM fct_revenue AS r
  JOIN dim_product_price AS p
    ON p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
    AND p.currency = r.currency
    AND p.storefront IN ('', COALESCE(r.storefront, ''))
    AND p.price_kind = CASE r.period_kind
      WHEN 'intro' THEN 'intro' WHEN 'promo' THEN 'offer' WHEN 'offer_code' THEN 'offer'
      ELSE 'regular' END
    AND p.offer_id = CASE WHEN r.period_kind IN ('promo', 'offer_code')
      THEN COALESCE(r.offer_id, '') ELSE '' END
    AND p.valid_from <= r.purchased_at AND p.price_milli * r.quantity = r.paid_milli
)
SELECT
  r.purchase_key, bundle_id, transaction_id, original_transaction_id, web_order_line_item_id,
  subscription_group_id, product_id, product_kind, customer_key, purchased_at, purchased_date,
  expires_at, access_ends_at, covered_period, period_kind, payment_mode, offer_id,
  offer_name, is_trial_period, is_in_intro_offer_period, spell_number, renewal_number, paid_number,
  quantity, currency, storefront, storefront_source, list_price_milli, paid_milli, paid_low_milli,
  paid_high_milli, signed_price_milli, price_status, price_rule, evidence_id, basis_purchase_key,
  paid_reporting_micros, fx_rate_date, proceeds_estimate_micros, commission_bp, tax_bp,
  reversal_kind, reversed_at, reversal_reason, refunded_milli, is_billing_recovery, first_run_id,
  changed_run_id, source_file_id, source_line,
  CAST(list_price_milli AS DOUBLE) / 1000 AS list_price,
  CAST(paid_milli AS DOUBLE) / 1000 AS paid,
  CAST(paid_low_milli AS DOUBLE) / 1000 AS paid_low,
  CAST(paid_high_milli AS DOUBLE) / 1000 AS paid_high,
  CASE WHEN paid_reporting_micros IS NOT NULL
    THEN (SELECT reporting_currency FROM _last_run) END AS reporting_currency,
  CAST(paid_reporting_micros AS DOUBLE) / 1000000 AS paid_reporting,
  CAST(proceeds_estimate_micros AS DOUBLE) / 1000000 AS proceeds_estimate,
  p.voters
FROM fct_revenue AS r
LEFT JOIN price AS p ON p.purchase_key = r.purchase_key AND p.place = 1;

CREATE OR REPLACE TEMPORARY VIEW revenue_daily AS
SELECT
  d.*,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete,
  (SELECT reporting_currency FROM _last_run) AS reporting_currency
FROM (
  SELECT
    purchased_date AS date_day, product_id, currency,
    COALESCE(SUM(paid_milli), 0) AS gross_milli,
    SUM(paid_low_milli) AS gross_low_milli,
    CASE WHEN count(paid_high_milli) = count(1) THEN SUM(paid_high_milli) END AS gross_high_milli,
    COALESCE(SUM(net_milli), 0) AS net_cohort_milli,
    count(1) - count(paid_milli) AS unresolved_rows,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(SUM(paid_reporting_micros), 0) END AS gross_reporting_micros,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(SUM(net_reporting_micros), 0) END AS net_cohort_reporting_micros,
    count(paid_milli) - count(paid_reporting_micros) AS unconverted_rows,
    SUM(net_proceeds_micros) AS net_proceeds_estimate_micros,
    count(paid_milli) - count(proceeds_estimate_micros) AS unestimated_rows
  FROM _purchase
  GROUP BY purchased_date, product_id, currency
) AS d;

CREATE OR REPLACE TEMPORARY VIEW net_revenue_ledger_daily AS
SELECT
  d.*,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete,
  (SELECT reporting_currency FROM _last_run) AS reporting_currency
FROM (
  SELECT
    e.entry_date AS date_day, r.product_id, e.currency,
    SUM(CASE WHEN e.entry_kind = 'charge' THEN e.amount_milli ELSE 0 END) AS charges_milli,
    SUM(CASE WHEN e.entry_kind = 'refund' THEN e.amount_milli ELSE 0 END) AS refunds_milli,
    SUM(e.amount_milli) AS net_ledger_milli,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(SUM(CASE WHEN e.entry_kind = 'charge' THEN e.amount_reporting_micros END), 0)
      END AS charges_reporting_micros,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(SUM(CASE WHEN e.entry_kind = 'refund' THEN e.amount_reporting_micros END), 0)
      END AS refunds_reporting_micros,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(SUM(e.amount_reporting_micros), 0) END AS net_ledger_reporting_micros,
    count(1) - count(e.amount_reporting_micros) AS unconverted_entries
  FROM fct_revenue_entry AS e
  JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
  WHERE e.entry_kind IN ('charge', 'refund')
  GROUP BY e.entry_date, r.product_id, e.currency
) AS d;

CREATE OR REPLACE TEMPORARY VIEW price_coverage_daily AS
SELECT
  d.*,
  CAST((10000 * known_rows - (10000 * known_rows) % NULLIF(chargeable_rows, 0))
    / NULLIF(chargeable_rows, 0) AS BIGINT) AS coverage_bp,
  CAST((10000 * exact_rows - (10000 * exact_rows) % NULLIF(chargeable_rows, 0))
    / NULLIF(chargeable_rows, 0) AS BIGINT) AS exact_bp,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete
FROM (
  SELECT
    purchased_date AS date_day, product_id,
    SUM(CASE WHEN price_status <> 'zero_by_rule' THEN 1 ELSE 0 END) AS chargeable_rows,
    SUM(CASE WHEN price_status <> 'zero_by_rule' AND paid_milli IS NOT NULL THEN 1 ELSE 0 END)
      AS known_rows,
    SUM(CASE WHEN price_status = 'exact' THEN 1 ELSE 0 END) AS exact_rows
  FROM fct_revenue
  GROUP BY purchased_date, product_id
) AS d;

CREATE OR REPLACE TEMPORARY VIEW refund_rate AS
SELECT
  d.*,
  CAST((10000 * refunded_rows - (10000 * refunded_rows) % paid_rows)
    / paid_rows AS BIGINT) AS refund_bp,
  CASE WHEN cohort_date <= (SELECT complete_through_date FROM _last_run)
    AND cohort_date + INTERVAL 90 DAYS <= (SELECT CAST(as_of AS DATE) FROM _last_run)
    THEN 1 ELSE 0 END AS is_complete
FROM (
  SELECT
    purchased_date AS cohort_date, product_id, count(1) AS paid_rows,
    SUM(CASE WHEN reversal_kind = 'refund' THEN 1 ELSE 0 END) AS refunded_rows
  FROM fct_revenue
  WHERE paid_milli > 0
  GROUP BY purchased_date, product_id
) AS d;

CREATE OR REPLACE TEMPORARY VIEW discount_depth AS
WITH length (purchase_key, product_id, covered, own) AS (
  -- Lengths in twelfths of a day, a month being a twelfth of 365 days.
  SELECT r.purchase_key, r.product_id,
    CAST(substr(r.covered_period, 2, length(r.covered_period) - 2) AS BIGINT)
      * CASE substr(r.covered_period, -1) WHEN 'D' THEN 24 WHEN 'W' THEN 168 WHEN 'M' THEN 730
        ELSE 8760 END,
    CAST(substr(p.subscription_period, 2, length(p.subscription_period) - 2) AS BIGINT)
      * CASE substr(p.subscription_period, -1) WHEN 'D' THEN 12 WHEN 'W' THEN 84
        WHEN 'M' THEN 365 ELSE 4380 END
  FROM fct_revenue AS r
  JOIN dim_product AS p
    ON p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
  WHERE r.payment_mode = 'pay_up_front' AND r.covered_period IS NOT NULL
    AND p.subscription_period IS NOT NULL
), priced (date_day, product_id, currency, period_kind, list_milli, paid_milli) AS (
  SELECT r.purchased_date, r.product_id, r.currency, r.period_kind,
    r.list_price_milli * r.quantity * GREATEST(1, COALESCE(
      CAST(((l.covered + l.own) - (l.covered + l.own) % NULLIF(2 * l.own, 0))
        / NULLIF(2 * l.own, 0) AS BIGINT), 1)),
    r.paid_milli
  FROM fct_revenue AS r
  JOIN dim_product AS p
    ON p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
  LEFT JOIN length AS l ON l.purchase_key = r.purchase_key
  WHERE r.paid_milli > 0 AND r.list_price_milli IS NOT NULL
), summed AS (
  SELECT date_day, product_id, currency, period_kind, count(1) AS paid_rows,
    SUM(list_milli) AS list_milli, SUM(paid_milli) AS paid_milli
  FROM priced
  GROUP BY date_day, product_id, currency, period_kind
)
SELECT
  s.*,
  10000 -
    CAST((10000 * paid_milli - (10000 * paid_milli) % NULLIF(list_milli, 0))
      / NULLIF(list_milli, 0) AS BIGINT) AS discount_bp,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete
FROM summed AS s;

CREATE OR REPLACE TEMPORARY VIEW price_outlier AS
SELECT
  evidence_id, product_id, customer_key, transaction_id, purchase_key, storefront, currency,
  price_milli, reference_milli,
  CAST((10000 * price_milli - (10000 * price_milli) % NULLIF(reference_milli, 0))
    / NULLIF(reference_milli, 0) AS BIGINT) AS ratio_bp, verdict,
  reported_at, source_file_id, source_line
FROM price_evidence
WHERE verdict NOT IN ('believed', 'no_reference');

CREATE OR REPLACE TEMPORARY VIEW backtest_by_rule AS
SELECT
  d.*,
    CAST((10000 * right_rows - (10000 * right_rows) % NULLIF(right_rows + wrong_rows, 0))
      / NULLIF(right_rows + wrong_rows, 0) AS BIGINT) AS right_bp
FROM (
  SELECT
    b.rule, b.status, r.currency,
    count(1) AS rows,
    SUM(CASE WHEN b.verdict = 'right' THEN 1 ELSE 0 END) AS right_rows,
    SUM(CASE WHEN b.verdict = 'wrong' THEN 1 ELSE 0 END) AS wrong_rows,
    SUM(CASE WHEN b.verdict = 'bounds_hold' THEN 1 ELSE 0 END) AS bounds_hold_rows,
    SUM(CASE WHEN b.verdict = 'bounds_miss' THEN 1 ELSE 0 END) AS bounds_miss_rows,
    SUM(b.signed_milli) AS signed_milli,
    COALESCE(SUM(b.rule_milli), 0) AS rule_milli,
    COALESCE(SUM(abs(b.rule_milli - b.signed_milli)), 0) AS error_milli
  FROM audit_backtest AS b
  JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
  GROUP BY b.rule, b.status, r.currency
) AS d;

CREATE OR REPLACE TEMPORARY VIEW _offer AS
SELECT
  c.*,
  CASE WHEN status = 'converted' AND is_same_product = 1 THEN 1 ELSE 0 END AS is_strict,
  CASE WHEN status = 'converted' AND is_contiguous = 1 THEN 1 ELSE 0 END AS is_direct,
  CASE WHEN status = 'converted' THEN 1 ELSE 0 END AS is_converted,
  CASE WHEN status = 'converted' AND conversion_refunded_at IS NOT NULL THEN 1 ELSE 0 END
    AS is_refunded,
  CASE WHEN status = 'pending' THEN 1 ELSE 0 END AS is_pending,
  CASE WHEN status = 'billing_retry' THEN 1 ELSE 0 END AS is_retried,
  CASE WHEN status = 'lapsed' THEN 1 ELSE 0 END AS is_lapsed
FROM fct_conversion AS c;

CREATE OR REPLACE TEMPORARY VIEW _offer_cohort AS
SELECT
  d.*,
  CASE WHEN is_mature = 1 AND cohort_date <= (SELECT complete_through_date FROM _last_run)
    THEN 1 ELSE 0 END AS is_complete
FROM (
  SELECT
    offer_kind, started_date AS cohort_date, offer_product_id, storefront, count(1) AS offers,
    SUM(is_mature) AS mature_offers, SUM(is_strict) AS converted_strict,
    SUM(is_direct) AS converted_contiguous, SUM(is_converted) AS converted_any,
    SUM(is_refunded) AS converted_then_refunded, SUM(is_pending) AS pending,
    SUM(is_retried) AS billing_retry, SUM(is_lapsed) AS lapsed, MIN(is_mature) AS is_mature
  FROM _offer
  GROUP BY offer_kind, started_date, offer_product_id, storefront
) AS d;

CREATE OR REPLACE TEMPORARY VIEW trial_conversion AS
SELECT
  cohort_date, offer_product_id, storefront, offers AS trials, mature_offers AS mature_trials,
  converted_strict, converted_contiguous, converted_any, converted_then_refunded, pending,
  billing_retry, lapsed, is_complete
FROM _offer_cohort
WHERE offer_kind = 'trial';

CREATE OR REPLACE TEMPORARY VIEW intro_conversion AS
SELECT
  cohort_date, offer_product_id, storefront, offers AS intros, mature_offers AS mature_intros,
  converted_strict, converted_contiguous, converted_any, converted_then_refunded, pending,
  billing_retry, lapsed, is_complete
FROM _offer_cohort
WHERE offer_kind = 'intro';

CREATE OR REPLACE TEMPORARY VIEW offer_performance AS
SELECT
  offer_kind, offer_id, offer_name, offer_product_id, payment_mode, storefront, currency, offers,
  mature_offers, converted_any, converted_strict, converted_then_refunded, open_offers, lapsed,
  offer_paid_milli, converted_paid_milli, unresolved_rows,
  CASE WHEN is_mature = 1 AND last_date <= (SELECT complete_through_date FROM _last_run)
    THEN 1 ELSE 0 END AS is_complete
FROM (
  SELECT
    c.offer_kind, c.offer_id, MAX(r.offer_name) AS offer_name, c.offer_product_id, c.payment_mode,
    c.storefront, c.currency, count(1) AS offers, SUM(c.is_mature) AS mature_offers,
    SUM(c.is_converted) AS converted_any, SUM(c.is_strict) AS converted_strict,
    SUM(c.is_refunded) AS converted_then_refunded,
    SUM(c.is_pending + c.is_retried) AS open_offers, SUM(c.is_lapsed) AS lapsed,
    COALESCE(SUM(c.offer_paid_milli), 0) AS offer_paid_milli,
    COALESCE(SUM(c.converted_paid_milli), 0) AS converted_paid_milli,
    count(1) - count(c.offer_paid_milli)
      + SUM(CASE WHEN c.is_converted = 1 AND c.converted_paid_milli IS NULL THEN 1 ELSE 0 END)
      AS unresolved_rows,
    MIN(c.is_mature) AS is_mature, MAX(c.started_date) AS last_date
  FROM _offer AS c
  JOIN fct_revenue AS r ON r.purchase_key = c.offer_purchase_key
  GROUP BY c.offer_kind, c.offer_id, c.offer_product_id, c.payment_mode, c.storefront, c.currency
) AS d;

CREATE OR REPLACE TEMPORARY VIEW renewal_rate AS
WITH period (product_id, storefront, paid_number, is_mature, is_renewed) AS (
  -- Whoever comes back after more than 60 days begins a new spell and has not renewed.
  SELECT r.product_id, r.storefront, r.paid_number,
    CASE WHEN r.expires_at + INTERVAL 60 DAYS <= (SELECT as_of FROM _last_run)
      THEN 1 ELSE 0 END,
    CASE WHEN n.purchase_key IS NOT NULL THEN 1 ELSE 0 END
  FROM fct_revenue AS r
  LEFT JOIN fct_revenue AS n ON n.original_transaction_id = r.original_transaction_id
    AND n.paid_number = r.paid_number + 1 AND n.product_id = r.product_id
    AND n.spell_number = r.spell_number
  WHERE r.product_kind = 'auto_renewable_subscription' AND r.paid_number IS NOT NULL
    AND r.expires_at IS NOT NULL
), summed AS (
  SELECT product_id, storefront, paid_number, SUM(is_mature) AS matured_rows,
    SUM(is_mature * is_renewed) AS renewed_rows, MIN(is_mature) AS is_complete
  FROM period
  GROUP BY product_id, storefront, paid_number
)
SELECT
  product_id, storefront, paid_number, matured_rows, renewed_rows,
  CAST((10000 * renewed_rows - (10000 * renewed_rows) % NULLIF(matured_rows, 0))
    / NULLIF(matured_rows, 0) AS BIGINT) AS renewal_bp, is_complete
FROM summed;

CREATE OR REPLACE TEMPORARY VIEW active_subscriptions_daily AS
WITH running (first_date, end_date, product_id, storefront, paid, unresolved) AS (
  SELECT purchased_date, end_date, product_id, COALESCE(storefront, ''),
    CASE WHEN paid_milli IS NULL THEN 0 ELSE 1 END, CASE WHEN paid_milli IS NULL THEN 1 ELSE 0 END
  FROM _purchase
  WHERE product_kind = 'auto_renewable_subscription' AND (paid_milli > 0 OR paid_milli IS NULL)
    AND purchased_date < end_date
), begun (date_day, product_id, storefront, paid, unresolved) AS (
  SELECT first_date, product_id, storefront, SUM(paid), SUM(unresolved) FROM running
  GROUP BY first_date, product_id, storefront
), ended (date_day, product_id, storefront, paid, unresolved) AS (
  SELECT end_date, product_id, storefront, SUM(paid), SUM(unresolved) FROM running
  GROUP BY end_date, product_id, storefront
), place (product_id, storefront, first_date) AS (
  SELECT product_id, storefront, MIN(first_date) FROM running GROUP BY product_id, storefront
)
SELECT
  d.date_day, p.product_id, NULLIF(p.storefront, '') AS storefront,
  SUM(COALESCE(b.paid, 0) - COALESCE(e.paid, 0))
    OVER (PARTITION BY p.product_id, p.storefront ORDER BY d.date_day) AS active_subscriptions,
  SUM(COALESCE(b.unresolved, 0) - COALESCE(e.unresolved, 0))
    OVER (PARTITION BY p.product_id, p.storefront ORDER BY d.date_day)
    AS unresolved_subscriptions,
  CASE WHEN d.date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete
FROM place AS p
JOIN dim_date AS d ON d.date_day >= p.first_date
LEFT JOIN begun AS b
  ON b.date_day = d.date_day AND b.product_id = p.product_id AND b.storefront = p.storefront
LEFT JOIN ended AS e
  ON e.date_day = d.date_day AND e.product_id = p.product_id AND e.storefront = p.storefront;

CREATE OR REPLACE TEMPORARY VIEW mrr_by_purchase AS
WITH priced AS (
  SELECT purchase_key, original_transaction_id, product_id, storefront, currency,
    purchased_date AS first_date, end_date,
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS BIGINT) AS length,
    substr(covered_period, -1) AS unit, paid_milli, paid_reporting_micros AS micros
  FROM _purchase
  WHERE product_kind = 'auto_renewable_subscription' AND paid_milli > 0
    AND covered_period IS NOT NULL AND purchased_date < end_date
)
SELECT
  purchase_key, original_transaction_id, product_id, storefront, currency, first_date, end_date,
  CASE unit
    WHEN 'D' THEN
      CAST((paid_milli * 365000 - (paid_milli * 365000) % (12 * length)) / (12 * length) AS BIGINT)
    WHEN 'W' THEN
      CAST((paid_milli * 365000 - (paid_milli * 365000) % (84 * length)) / (84 * length) AS BIGINT)
    WHEN 'M' THEN CAST((paid_milli * 1000 - (paid_milli * 1000) % length) / length AS BIGINT)
    ELSE CAST((paid_milli * 1000 - (paid_milli * 1000) % (12 * length)) / (12 * length) AS BIGINT)
  END AS mrr_micros,
  CASE unit
    WHEN 'D' THEN CAST((paid_milli * 30000 - (paid_milli * 30000) % length) / length AS BIGINT)
    WHEN 'W' THEN CAST((paid_milli * 4000 - (paid_milli * 4000) % length) / length AS BIGINT)
    WHEN 'M' THEN CAST((paid_milli * 1000 - (paid_milli * 1000) % length) / length AS BIGINT)
    ELSE CAST((paid_milli * 1000 - (paid_milli * 1000) % (12 * length)) / (12 * length) AS BIGINT)
  END AS mrr_rc_compatible_micros,
  CASE unit
    WHEN 'D' THEN CAST((micros * 365 - (micros * 365) % (12 * length)) / (12 * length) AS BIGINT)
    WHEN 'W' THEN CAST((micros * 365 - (micros * 365) % (84 * length)) / (84 * length) AS BIGINT)
    WHEN 'M' THEN CAST((micros - micros % length) / length AS BIGINT)
    ELSE CAST((micros - micros % (12 * length)) / (12 * length) AS BIGINT)
  END AS mrr_reporting_micros
FROM priced;

CREATE OR REPLACE TEMPORARY VIEW mrr_daily AS
WITH monthly (first_date, end_date, product_id, storefront, currency, mrr, rc, reporting,
  unconverted) AS (
  SELECT first_date, end_date, product_id, COALESCE(storefront, ''), currency, mrr_micros,
    mrr_rc_compatible_micros, COALESCE(mrr_reporting_micros, 0),
    CASE WHEN mrr_reporting_micros IS NULL THEN 1 ELSE 0 END
  FROM mrr_by_purchase
), begun (date_day, product_id, storefront, currency, mrr, rc, reporting, unconverted) AS (
  SELECT first_date, product_id, storefront, currency, SUM(mrr), SUM(rc), SUM(reporting),
    SUM(unconverted)
  FROM monthly GROUP BY first_date, product_id, storefront, currency
), ended (date_day, product_id, storefront, currency, mrr, rc, reporting, unconverted) AS (
  SELECT end_date, product_id, storefront, currency, SUM(mrr), SUM(rc), SUM(reporting),
    SUM(unconverted)
  FROM monthly GROUP BY end_date, product_id, storefront, currency
), place (product_id, storefront, currency, first_date) AS (
  SELECT product_id, storefront, currency, MIN(first_date)
  FROM monthly GROUP BY product_id, storefront, currency
), change (date_day, product_id, storefront, currency, mrr, rc, reporting, unconverted) AS (
  SELECT d.date_day, p.product_id, p.storefront, p.currency,
    COALESCE(b.mrr, 0) - COALESCE(e.mrr, 0), COALESCE(b.rc, 0) - COALESCE(e.rc, 0),
    COALESCE(b.reporting, 0) - COALESCE(e.reporting, 0),
    COALESCE(b.unconverted, 0) - COALESCE(e.unconverted, 0)
  FROM place AS p
  JOIN dim_date AS d ON d.date_day >= p.first_date
  LEFT JOIN begun AS b ON b.date_day = d.date_day AND b.product_id = p.product_id
    AND b.storefront = p.storefront AND b.currency = p.currency
  LEFT JOIN ended AS e ON e.date_day = d.date_day AND e.product_id = p.product_id
    AND e.storefront = p.storefront AND e.currency = p.currency
)
SELECT
  date_day, product_id, NULLIF(storefront, '') AS storefront, currency,
  SUM(mrr) OVER (PARTITION BY product_id, storefront, currency ORDER BY date_day) AS mrr_micros,
  SUM(rc) OVER (PARTITION BY product_id, storefront, currency ORDER BY date_day)
    AS mrr_rc_compatible_micros,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete,
  (SELECT reporting_currency FROM _last_run) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
    THEN SUM(reporting) OVER (PARTITION BY product_id, storefront, currency ORDER BY date_day) END
    AS mrr_reporting_micros,
  SUM(unconverted) OVER (PARTITION BY product_id, storefront, currency ORDER BY date_day)
    AS unconverted_subscriptions
FROM change;

CREATE OR REPLACE TEMPORARY VIEW revenue_by_kind_daily AS
WITH kind (date_day, product_id, storefront, currency, kind, paid_milli, micros, is_converted) AS (
  SELECT purchased_date, product_id, storefront, currency,
    CASE
      WHEN product_kind <> 'auto_renewable_subscription' THEN 'one_time'
      WHEN paid_number = 1 THEN 'new'
      WHEN paid_number = MIN(paid_number) OVER (PARTITION BY original_transaction_id, spell_number)
      THEN 'reactivation'
      ELSE 'renewal' END,
    paid_milli,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN COALESCE(paid_reporting_micros, 0) END,
    CASE WHEN paid_reporting_micros IS NOT NULL THEN 1 ELSE 0 END
  FROM fct_revenue
), summed AS (
  SELECT
    date_day, product_id, storefront, currency,
    COALESCE(SUM(CASE WHEN kind = 'new' THEN paid_milli END), 0) AS new_milli,
    COALESCE(SUM(CASE WHEN kind = 'renewal' THEN paid_milli END), 0) AS renewal_milli,
    COALESCE(SUM(CASE WHEN kind = 'reactivation' THEN paid_milli END), 0) AS reactivation_milli,
    COALESCE(SUM(CASE WHEN kind = 'one_time' THEN paid_milli END), 0) AS one_time_milli,
    count(1) - count(paid_milli) AS unresolved_rows,
    SUM(CASE WHEN kind = 'new' THEN micros ELSE 0 * micros END) AS new_reporting_micros,
    SUM(CASE WHEN kind = 'renewal' THEN micros ELSE 0 * micros END) AS renewal_reporting_micros,
    SUM(CASE WHEN kind = 'reactivation' THEN micros ELSE 0 * micros END)
      AS reactivation_reporting_micros,
    SUM(CASE WHEN kind = 'one_time' THEN micros ELSE 0 * micros END) AS one_time_reporting_micros,
    count(paid_milli) - SUM(is_converted) AS unconverted_rows
  FROM kind
  GROUP BY date_day, product_id, storefront, currency
)
SELECT
  s.*,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete
FROM summed AS s;

CREATE OR REPLACE TEMPORARY VIEW arppu_monthly AS
SELECT
  s.*,
    CAST((net_milli - net_milli % NULLIF(paying_customers, 0))
      / NULLIF(paying_customers, 0) AS BIGINT) AS arppu_milli,
  CASE WHEN month < (SELECT open_month FROM _last_run) THEN 1 ELSE 0 END AS is_complete
FROM (
  SELECT
    month, currency,
    count(DISTINCT CASE WHEN paid_milli > 0
      THEN COALESCE(customer_key, original_transaction_id) END) AS paying_customers,
    COALESCE(SUM(paid_milli), 0) AS gross_milli,
    COALESCE(SUM(net_milli), 0) AS net_milli,
    count(1) - count(paid_milli) AS unresolved_rows
  FROM _purchase
  GROUP BY month, currency
) AS s;

CREATE OR REPLACE TEMPORARY VIEW churn_monthly AS
WITH running (month, next_month, chain, product_id, storefront, place) AS (
  SELECT m.month, m.next_month, r.original_transaction_id, r.product_id, r.storefront,
    ROW_NUMBER() OVER (PARTITION BY m.month, r.original_transaction_id
      ORDER BY r.purchased_at DESC, r.purchase_key DESC)
  FROM _purchase AS r
  JOIN _month_end AS m ON m.date_day >= r.purchased_date AND m.date_day < r.end_date
  WHERE r.product_kind = 'auto_renewable_subscription'
    AND (r.paid_milli > 0 OR r.paid_milli IS NULL)
), kept (month, chain) AS (
  SELECT month, chain FROM running WHERE place = 1
), summed AS (
  SELECT b.next_month AS month, b.product_id, b.storefront, count(1) AS subscriptions_at_start,
    count(1) - count(k.chain) AS churned_subscriptions
  FROM running AS b
  JOIN _month_end AS m ON m.month = b.next_month
  LEFT JOIN kept AS k ON k.month = b.next_month AND k.chain = b.chain
  WHERE b.place = 1
  GROUP BY b.next_month, b.product_id, b.storefront
)
SELECT
  s.*,
    CAST((10000 * churned_subscriptions - (10000 * churned_subscriptions) % subscriptions_at_start)
      / subscriptions_at_start AS BIGINT) AS churn_bp,
  CASE WHEN month < (SELECT open_month FROM _last_run) THEN 1 ELSE 0 END AS is_complete
FROM summed AS s;

CREATE OR REPLACE TEMPORARY VIEW mrr_movement_monthly AS
WITH share AS (
  SELECT original_transaction_id, product_id, COALESCE(storefront, '') AS storefront, currency,
    first_date, end_date, mrr_micros, mrr_reporting_micros,
    MIN(first_date) OVER (PARTITION BY original_transaction_id) AS chain_first_date
  FROM mrr_by_purchase
), level AS (
  SELECT p.original_transaction_id AS chain, m.month, m.next_month, p.product_id, p.storefront,
    p.currency, substr(CAST(MIN(p.chain_first_date) AS STRING), 1, 7) AS first_month,
    SUM(p.mrr_micros) AS mrr,
    CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
      THEN SUM(COALESCE(p.mrr_reporting_micros, 0)) END AS reporting
  FROM share AS p
  JOIN _month_end AS m ON m.date_day >= p.first_date AND m.date_day < p.end_date
  GROUP BY p.original_transaction_id, m.month, m.next_month, p.product_id, p.storefront, p.currency
), side AS (
  -- A level is what its own month ends with, and what the next one begins with.
  SELECT chain, month, product_id, storefront, currency, first_month, 0 * mrr AS at_start,
    mrr AS at_end, 0 * reporting AS reporting_at_start, reporting AS reporting_at_end
  FROM level
  UNION ALL
  SELECT chain, next_month, product_id, storefront, currency, first_month, mrr, 0 * mrr, reporting,
    0 * reporting
  FROM level
  WHERE next_month <= (SELECT MAX(month) FROM _month_end)
), cell AS (
  SELECT chain, month, product_id, storefront, currency, MIN(first_month) AS first_month,
    SUM(at_start) AS at_start, SUM(at_end) AS at_end,
    SUM(reporting_at_start) AS reporting_at_start, SUM(reporting_at_end) AS reporting_at_end
  FROM side
  GROUP BY chain, month, product_id, storefront, currency
), movement AS (
  SELECT month, product_id, storefront, currency,
    CASE
      WHEN SUM(at_start) OVER (PARTITION BY chain, month) = 0
      THEN CASE WHEN first_month = month THEN 'new' ELSE 'reactivated' END
      WHEN SUM(at_end) OVER (PARTITION BY chain, month) = 0 THEN 'churned'
      WHEN SUM(at_end - at_start) OVER (PARTITION BY chain, month, currency) > 0 THEN 'expansion'
      ELSE 'contraction' END AS kind,
    at_start, at_end, at_end - at_start AS change,
    reporting_at_start, reporting_at_end, reporting_at_end - reporting_at_start AS reporting
  FROM cell
)
SELECT
  month, product_id, NULLIF(storefront, '') AS storefront, currency,
  SUM(at_start) AS start_micros,
  SUM(CASE WHEN kind = 'new' THEN change ELSE 0 END) AS new_micros,
  SUM(CASE WHEN kind = 'reactivated' THEN change ELSE 0 END) AS reactivated_micros,
  SUM(CASE WHEN kind = 'expansion' THEN change ELSE 0 END) AS expansion_micros,
  SUM(CASE WHEN kind = 'contraction' THEN change ELSE 0 END) AS contraction_micros,
  SUM(CASE WHEN kind = 'churned' THEN change ELSE 0 END) AS churned_micros,
  SUM(at_end) AS end_micros,
  CASE WHEN month < (SELECT MAX(open_month) FROM _last_run) THEN 1 ELSE 0 END AS is_complete,
  SUM(reporting_at_start) AS start_reporting_micros,
  SUM(CASE WHEN kind = 'new' THEN reporting ELSE 0 * reporting END) AS new_reporting_micros,
  SUM(CASE WHEN kind = 'reactivated' THEN reporting ELSE 0 * reporting END)
    AS reactivated_reporting_micros,
  SUM(CASE WHEN kind = 'expansion' THEN reporting ELSE 0 * reporting END)
    AS expansion_reporting_micros,
  SUM(CASE WHEN kind = 'contraction' THEN reporting ELSE 0 * reporting END)
    AS contraction_reporting_micros,
  SUM(CASE WHEN kind = 'churned' THEN reporting ELSE 0 * reporting END)
    AS churned_reporting_micros,
  SUM(reporting_at_end) AS end_reporting_micros
FROM movement
GROUP BY month, product_id, storefront, currency;

CREATE OR REPLACE TEMPORARY VIEW subscription_movement_daily AS
WITH period AS (
  SELECT purchase_key, original_transaction_id AS chain, product_id, storefront, purchased_at,
    access_ends_at, end_date, reversal_kind, CAST(reversed_at AS DATE) AS reversed_date,
    is_billing_recovery, spell_number,
    LAG(product_id) OVER (PARTITION BY original_transaction_id
      ORDER BY purchased_at, expires_at NULLS FIRST, purchase_key) AS former_product,
    LAG(spell_number) OVER (PARTITION BY original_transaction_id
      ORDER BY purchased_at, expires_at NULLS FIRST, purchase_key) AS former_spell,
    LAG(reversal_kind) OVER (PARTITION BY original_transaction_id
      ORDER BY purchased_at, expires_at NULLS FIRST, purchase_key) AS former_reversal,
    LEAD(purchased_at) OVER (PARTITION BY original_transaction_id
      ORDER BY purchased_at, expires_at NULLS FIRST, purchase_key) AS next_at
  FROM _purchase
  WHERE product_kind = 'auto_renewable_subscription'
), renewing AS (
  SELECT original_transaction_id AS chain, observed_at, auto_renew_status AS is_on,
    COALESCE(LAG(auto_renew_status)
      OVER (PARTITION BY original_transaction_id ORDER BY observed_at), 1) AS was_on,
    COALESCE(expiration_intent, '') AS expiration_intent
  FROM fct_renewal_state
  WHERE auto_renew_status IS NOT NULL
), cancellation AS (
  -- Apple's 2 and 4 are no decisions of the customer: a failed payment, a product that is gone.
  SELECT chain, observed_at FROM renewing
  WHERE is_on = 0 AND was_on = 1 AND expiration_intent NOT IN ('2', '4')
), bought AS (
  SELECT DISTINCT converted_purchase_key AS purchase_key FROM fct_conversion
  WHERE offer_kind = 'trial' AND status = 'converted'
), tried AS (
  SELECT DISTINCT offer_purchase_key AS purchase_key FROM fct_conversion WHERE offer_kind = 'trial'
), event (date_day, product_id, storefront, event, is_trial) AS (
  SELECT CAST(p.purchased_at AS DATE), p.product_id, p.storefront,
    CASE
      WHEN p.former_product IS NULL THEN 'started'
      WHEN p.former_spell <> p.spell_number THEN 'reactivated'
      WHEN b.purchase_key IS NOT NULL THEN 'converted'
      WHEN p.former_reversal = 'upgrade' THEN 'upgraded'
      WHEN p.former_product <> p.product_id THEN 'downgraded'
      WHEN p.is_billing_recovery = 1 THEN 'recovered'
      ELSE 'renewed' END,
    CASE WHEN t.purchase_key IS NOT NULL THEN 1 ELSE 0 END
  FROM period AS p
  LEFT JOIN bought AS b ON b.purchase_key = p.purchase_key
  LEFT JOIN tried AS t ON t.purchase_key = p.purchase_key
  UNION ALL
  SELECT end_date, product_id, storefront, 'expired', 0 FROM period
  WHERE reversal_kind <> 'refund' AND access_ends_at <= (SELECT as_of FROM _last_run)
    AND (next_at IS NULL OR CAST(next_at AS DATE) > end_date)
  UNION ALL
  SELECT reversed_date, product_id, storefront, 'refunded', 0 FROM period
  WHERE reversal_kind = 'refund'
  UNION ALL
  SELECT CAST(c.observed_at AS DATE), p.product_id, p.storefront, 'cancelled', 0
  FROM period AS p
  JOIN cancellation AS c ON c.chain = p.chain
    AND c.observed_at >= p.purchased_at AND (p.next_at IS NULL OR c.observed_at < p.next_at)
), summed AS (
  SELECT
    date_day, product_id, storefront,
    SUM(CASE WHEN event = 'started' THEN 1 ELSE 0 END) AS started,
    SUM(is_trial) AS trial_started,
    SUM(CASE WHEN event = 'converted' THEN 1 ELSE 0 END) AS converted,
    SUM(CASE WHEN event = 'renewed' THEN 1 ELSE 0 END) AS renewed,
    SUM(CASE WHEN event = 'recovered' THEN 1 ELSE 0 END) AS recovered,
    SUM(CASE WHEN event = 'reactivated' THEN 1 ELSE 0 END) AS reactivated,
    SUM(CASE WHEN event = 'upgraded' THEN 1 ELSE 0 END) AS upgraded,
    SUM(CASE WHEN event = 'downgraded' THEN 1 ELSE 0 END) AS downgraded,
    SUM(CASE WHEN event = 'cancelled' THEN 1 ELSE 0 END) AS cancelled,
    SUM(CASE WHEN event = 'expired' THEN 1 ELSE 0 END) AS expired,
    SUM(CASE WHEN event = 'refunded' THEN 1 ELSE 0 END) AS refunded
  FROM event
  GROUP BY date_day, product_id, storefront
)
SELECT
  s.*,
  CASE WHEN date_day <= (SELECT complete_through_date FROM _last_run) THEN 1 ELSE 0 END
    AS is_complete
FROM summed AS s;

CREATE OR REPLACE TEMPORARY VIEW retention_cohort AS
WITH period AS (
  SELECT original_transaction_id AS chain, product_id, storefront, month, expires_at, spell_number,
    MIN(spell_number) OVER (PARTITION BY original_transaction_id, product_id) AS first_spell,
    ROW_NUMBER() OVER (PARTITION BY original_transaction_id, product_id, spell_number
      ORDER BY paid_number) AS period_number
  FROM _purchase
  WHERE product_kind = 'auto_renewable_subscription' AND paid_number IS NOT NULL
    AND expires_at IS NOT NULL
), subscription AS (
  -- Whoever comes back after more than 60 days begins a new spell and is not retained.
  SELECT MIN(CASE WHEN period_number = 1 THEN month END) AS cohort_month, product_id,
    COALESCE(MIN(CASE WHEN period_number = 1 THEN storefront END), '') AS storefront,
    MAX(period_number) AS periods, MAX(expires_at) + INTERVAL 60 DAYS AS over_at
  FROM period
  WHERE spell_number = first_spell
  GROUP BY chain, product_id
), reach AS (
  SELECT cohort_month, product_id, storefront, periods,
    CASE WHEN over_at <= (SELECT as_of FROM _last_run) THEN 1 ELSE 0 END AS is_over
  FROM subscription
), number AS (
  SELECT DISTINCT product_id, period_number FROM period
), cell AS (
  SELECT r.cohort_month, r.product_id, r.storefront, n.period_number, count(1) AS subscriptions,
    SUM(CASE WHEN r.periods >= n.period_number THEN 1 ELSE 0 END) AS retained,
    MIN(CASE WHEN r.periods >= n.period_number OR r.is_over = 1 THEN 1 ELSE 0 END) AS is_decided,
    MAX(CASE WHEN r.periods >= n.period_number OR r.is_over = 1 THEN 1 ELSE 0 END) AS has_decided
  FROM reach AS r
  JOIN number AS n ON n.product_id = r.product_id
  GROUP BY r.cohort_month, r.product_id, r.storefront, n.period_number
), due AS (
  -- A period is told of once it is decided for anybody of the cohort, then in all storefronts, so
  -- that they can be added up.
  SELECT c.*, MAX(has_decided) OVER (PARTITION BY cohort_month, product_id, period_number) AS is_due
  FROM cell AS c
)
SELECT
  cohort_month, product_id, NULLIF(storefront, '') AS storefront, period_number, subscriptions,
  retained,
  CASE WHEN is_decided = 1 AND cohort_month < (SELECT open_month FROM _last_run)
    THEN 1 ELSE 0 END AS is_complete
FROM due
WHERE is_due = 1;

CREATE OR REPLACE TEMPORARY VIEW ltv_cohort AS
WITH named AS (
  SELECT p.*, COALESCE(customer_key, original_transaction_id) AS customer FROM _purchase AS p
), purchase AS (
  SELECT customer,
    MIN(month) OVER (PARTITION BY customer) AS cohort_month,
    FIRST_VALUE(product_id) OVER (PARTITION BY customer ORDER BY purchased_at, purchase_key)
      AS product_id,
    COALESCE(FIRST_VALUE(storefront)
      OVER (PARTITION BY customer ORDER BY purchased_at, purchase_key), '') AS storefront,
    COALESCE(FIRST_VALUE(currency) OVER (PARTITION BY customer
      ORDER BY CASE WHEN currency IS NULL THEN 1 ELSE 0 END, purchased_at, purchase_key), '')
      AS home_currency,
    currency, month, paid_milli, net_milli, COALESCE(net_reporting_micros, 0) AS net_micros
  FROM named
), customer AS (
  SELECT cohort_month, product_id, storefront, home_currency AS currency,
    MIN(CASE WHEN paid_milli > 0 THEN month END) AS first_paid_month
  FROM purchase
  GROUP BY customer, cohort_month, product_id, storefront, home_currency
), size AS (
  SELECT cohort_month, product_id, storefront, currency, count(1) AS customers
  FROM customer GROUP BY cohort_month, product_id, storefront, currency
), payer AS (
  SELECT cohort_month, product_id, storefront, currency, first_paid_month AS month,
    count(1) AS customers
  FROM customer WHERE first_paid_month IS NOT NULL
  GROUP BY cohort_month, product_id, storefront, currency, first_paid_month
), paid AS (
  SELECT cohort_month, product_id, storefront, COALESCE(currency, home_currency) AS currency,
    month, COALESCE(SUM(net_milli), 0) AS net_milli, SUM(net_micros) AS net_micros,
    count(1) - count(paid_milli) AS unresolved
  FROM purchase
  GROUP BY cohort_month, product_id, storefront, COALESCE(currency, home_currency), month
), line AS (
  SELECT DISTINCT cohort_month, product_id, storefront, currency FROM paid
)
SELECT
  l.cohort_month, l.product_id, NULLIF(l.storefront, '') AS storefront,
  NULLIF(l.currency, '') AS currency,
  12 * (CAST(substr(m.month, 1, 4) AS INTEGER) - CAST(substr(l.cohort_month, 1, 4) AS INTEGER))
    + CAST(substr(m.month, 6, 2) AS INTEGER) - CAST(substr(l.cohort_month, 6, 2) AS INTEGER)
    AS months_since,
  COALESCE(s.customers, 0) AS customers,
  SUM(COALESCE(y.customers, 0)) OVER (PARTITION BY l.cohort_month, l.product_id, l.storefront,
    l.currency ORDER BY m.month) AS paying_customers,
  SUM(COALESCE(p.net_milli, 0)) OVER (PARTITION BY l.cohort_month, l.product_id, l.storefront,
    l.currency ORDER BY m.month) AS net_milli,
  COALESCE(p.net_milli, 0) AS net_in_month_milli,
  SUM(COALESCE(p.unresolved, 0)) OVER (PARTITION BY l.cohort_month, l.product_id, l.storefront,
    l.currency ORDER BY m.month) AS unresolved_rows,
  CASE WHEN m.month < (SELECT open_month FROM _last_run) THEN 1 ELSE 0 END AS is_complete,
  CASE WHEN (SELECT reporting_currency FROM _last_run) IS NOT NULL
    THEN SUM(COALESCE(p.net_micros, 0)) OVER (PARTITION BY l.cohort_month, l.product_id,
      l.storefront, l.currency ORDER BY m.month) END AS net_reporting_micros
FROM line AS l
JOIN _month_end AS m ON m.month >= l.cohort_month
LEFT JOIN size AS s ON s.cohort_month = l.cohort_month AND s.product_id = l.product_id
  AND s.storefront = l.storefront AND s.currency = l.currency
LEFT JOIN payer AS y ON y.cohort_month = l.cohort_month AND y.product_id = l.product_id
  AND y.storefront = l.storefront AND y.currency = l.currency AND y.month = m.month
LEFT JOIN paid AS p ON p.cohort_month = l.cohort_month AND p.product_id = l.product_id
  AND p.storefront = l.storefront AND p.currency = l.currency AND p.month = m.month;

CREATE OR REPLACE TEMPORARY VIEW reconciliation_monthly AS
SELECT
  month, product_id, storefront, currency,
  SUM(apple_units) AS apple_units,
  SUM(our_units) AS our_units,
  SUM(apple_milli) AS apple_milli,
  SUM(our_milli) AS our_milli,
  SUM(apple_milli - our_milli) AS difference_milli,
  SUM(CASE WHEN cause = 'day_boundary' THEN apple_milli - our_milli ELSE 0 END)
    AS day_boundary_milli,
  SUM(CASE WHEN cause = 'refund' THEN apple_milli - our_milli ELSE 0 END) AS refund_milli,
  SUM(CASE WHEN cause = 'proration' THEN apple_milli - our_milli ELSE 0 END) AS proration_milli,
  SUM(CASE WHEN cause = 'price' THEN apple_milli - our_milli ELSE 0 END) AS price_milli,
  SUM(CASE WHEN cause = 'receipt_missing' THEN apple_milli - our_milli ELSE 0 END)
    AS receipt_missing_milli,
  SUM(CASE WHEN cause = 'not_charged' THEN apple_milli - our_milli ELSE 0 END)
    AS not_charged_milli,
  SUM(CASE WHEN cause = 'unexplained' THEN apple_milli - our_milli ELSE 0 END)
    AS unexplained_milli
FROM audit_reconciliation
GROUP BY month, product_id, storefront, currency;

CREATE OR REPLACE TEMPORARY VIEW reconciliation_by_cause AS
SELECT
  month, currency, cause,
  SUM(apple_units) AS apple_units,
  SUM(our_units) AS our_units,
  SUM(apple_milli) AS apple_milli,
  SUM(our_milli) AS our_milli,
  SUM(apple_milli - our_milli) AS difference_milli
FROM audit_reconciliation
GROUP BY month, currency, cause;
