-- What analysts read first. Money stays in integers; days that the exports do not wholly cover yet,
-- and cohorts that can still change, carry is_complete 0.
-- DuckDB reads each view again and hands it to SQLite in its own words, so that none may hold UNION
-- (which comes back in brackets), a JOIN without ON, or date() with a modifier.

CREATE VIEW revenue AS
-- fct_revenue with decimal text beside the integers.
SELECT
  purchase_key, bundle_id, transaction_id, original_transaction_id, web_order_line_item_id,
  subscription_group_id, product_id, product_kind, customer_key, purchased_at, purchased_date,
  expires_at, access_ends_at, covered_period, period_kind, payment_mode, offer_id,
  offer_name, is_trial_period, is_in_intro_offer_period, spell_number, renewal_number, paid_number,
  quantity, currency, storefront, storefront_source, list_price_milli, paid_milli, paid_low_milli,
  paid_high_milli, signed_price_milli, price_status, price_rule, evidence_id, basis_purchase_key,
  paid_reporting_micros, fx_rate_date, proceeds_estimate_micros, commission_bp, tax_bp,
  reversal_kind, reversed_at, reversal_reason, refunded_milli, is_billing_recovery, first_run_id,
  changed_run_id, source_file_id, source_line,
  (list_price_milli / 1000) || '.' || substr('00' || (list_price_milli % 1000), -3) AS list_price,
  (paid_milli / 1000) || '.' || substr('00' || (paid_milli % 1000), -3) AS paid,
  (paid_low_milli / 1000) || '.' || substr('00' || (paid_low_milli % 1000), -3) AS paid_low,
  (paid_high_milli / 1000) || '.' || substr('00' || (paid_high_milli % 1000), -3) AS paid_high,
  CASE WHEN paid_reporting_micros IS NOT NULL
    THEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) END AS reporting_currency,
  (paid_reporting_micros / 1000000) || '.' || substr('00000' || (paid_reporting_micros % 1000000), -6)
    AS paid_reporting,
  (proceeds_estimate_micros / 1000000) || '.'
    || substr('00000' || (proceeds_estimate_micros % 1000000), -6) AS proceeds_estimate,
  (SELECT p.voters FROM dim_product_price AS p
    WHERE p.product_id = r.product_id AND p.currency = r.currency
      AND p.storefront IN ('', COALESCE(r.storefront, ''))
      AND p.price_kind = CASE r.period_kind
        WHEN 'intro' THEN 'intro' WHEN 'promo' THEN 'offer' WHEN 'offer_code' THEN 'offer'
        ELSE 'regular' END
      AND p.offer_id = CASE WHEN r.period_kind IN ('promo', 'offer_code')
        THEN COALESCE(r.offer_id, '') ELSE '' END
      AND p.valid_from <= r.purchased_at AND p.price_milli * r.quantity = r.paid_milli
    ORDER BY p.valid_from DESC, p.voters DESC LIMIT 1) AS voters
FROM fct_revenue AS r;

CREATE VIEW revenue_daily AS
-- One row per purchase day, product and currency: what was paid, between which bounds.
SELECT
  purchased_date AS date_day, product_id, currency,
  COALESCE(SUM(paid_milli), 0) AS gross_milli,
  SUM(paid_low_milli) AS gross_low_milli,
  CASE WHEN count(paid_high_milli) = count(1) THEN SUM(paid_high_milli) END AS gross_high_milli,
  COALESCE(SUM(CASE WHEN reversal_kind = 'refund'
    THEN paid_milli - COALESCE(refunded_milli, paid_milli) ELSE paid_milli END), 0)
    AS net_cohort_milli,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE(purchased_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(paid_reporting_micros), 0) END AS gross_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE WHEN reversal_kind <> 'refund' THEN paid_reporting_micros
      WHEN paid_milli > 0 AND refunded_milli IS NOT NULL
      THEN paid_reporting_micros - paid_reporting_micros * refunded_milli / paid_milli
      ELSE 0 END), 0)
    END AS net_cohort_reporting_micros,
  count(paid_milli) - count(paid_reporting_micros) AS unconverted_rows,
  SUM(CASE WHEN proceeds_estimate_micros IS NULL THEN NULL
    WHEN reversal_kind <> 'refund' THEN proceeds_estimate_micros
    WHEN paid_milli > 0 AND refunded_milli IS NOT NULL
    THEN proceeds_estimate_micros - proceeds_estimate_micros * refunded_milli / paid_milli
    ELSE 0 END)
    AS net_proceeds_estimate_micros,
  count(paid_milli) - count(proceeds_estimate_micros) AS unestimated_rows
FROM fct_revenue
GROUP BY purchased_date, product_id, currency;

CREATE VIEW net_revenue_ledger_daily AS
-- One row per day on which money moved, product and currency; estimates left out.
SELECT
  e.entry_date AS date_day, r.product_id, e.currency,
  SUM(CASE WHEN e.entry_kind = 'charge' THEN e.amount_milli ELSE 0 END) AS charges_milli,
  SUM(CASE WHEN e.entry_kind = 'refund' THEN e.amount_milli ELSE 0 END) AS refunds_milli,
  SUM(e.amount_milli) AS net_ledger_milli,
  COALESCE(e.entry_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE WHEN e.entry_kind = 'charge' THEN e.amount_reporting_micros END), 0)
    END AS charges_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(CASE WHEN e.entry_kind = 'refund' THEN e.amount_reporting_micros END), 0)
    END AS refunds_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(e.amount_reporting_micros), 0) END AS net_ledger_reporting_micros,
  count(1) - count(e.amount_reporting_micros) AS unconverted_entries
FROM fct_revenue_entry AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE e.entry_kind IN ('charge', 'refund')
GROUP BY e.entry_date, r.product_id, e.currency;

CREATE VIEW price_coverage_daily AS
-- One row per purchase day and product: the share of chargeable rows whose amount is known.
SELECT
  purchased_date AS date_day, product_id,
  SUM(price_status <> 'zero_by_rule') AS chargeable_rows,
  SUM(price_status <> 'zero_by_rule' AND paid_milli IS NOT NULL) AS known_rows,
  SUM(price_status = 'exact') AS exact_rows,
  10000 * SUM(price_status <> 'zero_by_rule' AND paid_milli IS NOT NULL)
    / NULLIF(SUM(price_status <> 'zero_by_rule'), 0) AS coverage_bp,
  10000 * SUM(price_status = 'exact')
    / NULLIF(SUM(price_status <> 'zero_by_rule'), 0) AS exact_bp,
  COALESCE(purchased_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_revenue
GROUP BY purchased_date, product_id;

CREATE VIEW trial_conversion AS
-- One row per day and product on which free trials began: what became of them.
SELECT
  started_date AS cohort_date, offer_product_id,
  count(1) AS trials,
  SUM(is_mature) AS mature_trials,
  SUM(status = 'converted' AND is_same_product = 1) AS converted_strict,
  SUM(status = 'converted' AND is_contiguous = 1) AS converted_contiguous,
  SUM(status = 'converted') AS converted_any,
  SUM(status = 'converted' AND conversion_refunded_at IS NOT NULL) AS converted_then_refunded,
  SUM(status = 'pending') AS pending,
  SUM(status = 'billing_retry') AS billing_retry,
  SUM(status = 'lapsed') AS lapsed,
  COALESCE(MIN(is_mature) = 1 AND started_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_conversion
WHERE offer_kind = 'trial'
GROUP BY started_date, offer_product_id;

CREATE VIEW intro_conversion AS
-- One row per day and product on which paid introductory offers began: what became of them.
SELECT
  started_date AS cohort_date, offer_product_id,
  count(1) AS intros,
  SUM(is_mature) AS mature_intros,
  SUM(status = 'converted' AND is_same_product = 1) AS converted_strict,
  SUM(status = 'converted' AND is_contiguous = 1) AS converted_contiguous,
  SUM(status = 'converted') AS converted_any,
  SUM(status = 'converted' AND conversion_refunded_at IS NOT NULL) AS converted_then_refunded,
  SUM(status = 'pending') AS pending,
  SUM(status = 'billing_retry') AS billing_retry,
  SUM(status = 'lapsed') AS lapsed,
  COALESCE(MIN(is_mature) = 1 AND started_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_conversion
WHERE offer_kind = 'intro'
GROUP BY started_date, offer_product_id;

CREATE VIEW offer_performance AS
-- One row per offer: how many began, what they brought, what became of them.
SELECT
  c.offer_kind, c.offer_id, MAX(r.offer_name) AS offer_name, c.offer_product_id, c.payment_mode,
  c.currency,
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
  COALESCE(MIN(c.is_mature) = 1 AND MAX(c.started_date) <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_conversion AS c
JOIN fct_revenue AS r ON r.purchase_key = c.offer_purchase_key
GROUP BY c.offer_kind, c.offer_id, c.offer_product_id, c.payment_mode, c.currency;

CREATE VIEW refund_rate AS
-- One row per purchase day and product: refunded among paid rows; upgrades are no refunds.
SELECT
  purchased_date AS cohort_date, product_id,
  count(1) AS paid_rows,
  SUM(reversal_kind = 'refund') AS refunded_rows,
  10000 * SUM(reversal_kind = 'refund') / count(1) AS refund_bp,
  COALESCE(purchased_date <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1)
    AND strftime('%Y-%m-%d', purchased_date, '+90 days') <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_revenue
WHERE paid_milli > 0
GROUP BY purchased_date, product_id;

CREATE VIEW discount_depth AS
-- One row per purchase day, product, currency and kind of row: how far below the list price.
WITH priced (date_day, product_id, currency, period_kind, list_milli, paid_milli) AS (
  -- A row paid up front covers several of the product's periods, each at the list price. Lengths
  -- are compared in twelfths of a day, a month being a twelfth of 365 days, and rounded.
  SELECT r.purchased_date, r.product_id, r.currency, r.period_kind,
    r.list_price_milli * r.quantity * CASE
      WHEN r.payment_mode = 'pay_up_front' AND r.covered_period IS NOT NULL
        AND p.subscription_period IS NOT NULL
      THEN MAX(1, (
        CAST(substr(r.covered_period, 2) AS INTEGER) * CASE substr(r.covered_period, -1)
          WHEN 'D' THEN 24 WHEN 'W' THEN 168 WHEN 'M' THEN 730 ELSE 8760 END
        + CAST(substr(p.subscription_period, 2) AS INTEGER) * CASE substr(p.subscription_period, -1)
          WHEN 'D' THEN 12 WHEN 'W' THEN 84 WHEN 'M' THEN 365 ELSE 4380 END)
        / (CAST(substr(p.subscription_period, 2) AS INTEGER) * CASE substr(p.subscription_period, -1)
          WHEN 'D' THEN 24 WHEN 'W' THEN 168 WHEN 'M' THEN 730 ELSE 8760 END))
      ELSE 1 END,
    r.paid_milli
  FROM fct_revenue AS r
  JOIN dim_product AS p ON p.product_id = r.product_id
  WHERE r.paid_milli > 0 AND r.list_price_milli IS NOT NULL
)
SELECT
  date_day, product_id, currency, period_kind,
  count(1) AS paid_rows,
  SUM(list_milli) AS list_milli,
  SUM(paid_milli) AS paid_milli,
  10000 - 10000 * SUM(paid_milli) / NULLIF(SUM(list_milli), 0) AS discount_bp,
  COALESCE(date_day <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM priced
GROUP BY date_day, product_id, currency, period_kind;

CREATE VIEW price_outlier AS
-- One row per price report that was not believed, beside what it was compared with.
SELECT
  evidence_id, product_id, customer_key, transaction_id, purchase_key, storefront, currency,
  price_milli, reference_milli, 10000 * price_milli / NULLIF(reference_milli, 0) AS ratio_bp, verdict,
  reported_at, source_file_id, source_line
FROM price_evidence
WHERE verdict NOT IN ('believed', 'no_reference');

CREATE VIEW renewal_rate AS
-- One row per product and paid period number: how many went on to the next one.
WITH period (product_id, paid_number, is_mature, is_renewed) AS (
  -- Whoever comes back after more than 60 days begins a new spell and has not renewed, so that a
  -- rate no longer moves once it is mature.
  SELECT r.product_id, r.paid_number,
    strftime('%Y-%m-%dT%H:%M:%SZ', r.expires_at, '+60 days')
      <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1),
    n.purchase_key IS NOT NULL
  FROM fct_revenue AS r
  LEFT JOIN fct_revenue AS n ON n.original_transaction_id = r.original_transaction_id
    AND n.paid_number = r.paid_number + 1 AND n.product_id = r.product_id
    AND n.spell_number = r.spell_number
  WHERE r.product_kind = 'auto_renewable_subscription' AND r.paid_number IS NOT NULL
    AND r.expires_at IS NOT NULL
)
SELECT
  product_id, paid_number,
  SUM(is_mature) AS matured_rows,
  SUM(is_mature AND is_renewed) AS renewed_rows,
  10000 * SUM(is_mature AND is_renewed) / NULLIF(SUM(is_mature), 0) AS renewal_bp,
  MIN(is_mature) AS is_complete
FROM period
GROUP BY product_id, paid_number;

CREATE VIEW active_subscriptions_daily AS
-- One row per day and product: subscriptions paid for and running at the end of the day.
WITH running (first_date, end_date, product_id, paid, unresolved) AS (
  SELECT purchased_date, substr(access_ends_at, 1, 10), product_id, paid_milli IS NOT NULL,
    paid_milli IS NULL
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND (paid_milli > 0 OR paid_milli IS NULL)
    AND purchased_date < substr(access_ends_at, 1, 10)
), begun (date_day, product_id, paid, unresolved) AS (
  SELECT first_date, product_id, SUM(paid), SUM(unresolved) FROM running
  GROUP BY first_date, product_id
), ended (date_day, product_id, paid, unresolved) AS (
  SELECT end_date, product_id, SUM(paid), SUM(unresolved) FROM running
  GROUP BY end_date, product_id
), subscription (product_id) AS (
  SELECT DISTINCT product_id FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription'
)
SELECT
  d.date_day, s.product_id,
  SUM(COALESCE(begun.paid, 0) - COALESCE(ended.paid, 0))
    OVER (PARTITION BY s.product_id ORDER BY d.date_day) AS active_subscriptions,
  SUM(COALESCE(begun.unresolved, 0) - COALESCE(ended.unresolved, 0))
    OVER (PARTITION BY s.product_id ORDER BY d.date_day) AS unresolved_subscriptions,
  COALESCE(d.date_day <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM dim_date AS d
CROSS JOIN subscription AS s
LEFT JOIN begun ON begun.date_day = d.date_day AND begun.product_id = s.product_id
LEFT JOIN ended ON ended.date_day = d.date_day AND ended.product_id = s.product_id;

CREATE VIEW mrr_daily AS
-- One row per day and currency: monthly recurring revenue at the end of the day.
WITH priced (first_date, end_date, currency, length, unit, paid_milli, micros) AS (
  SELECT purchased_date, substr(access_ends_at, 1, 10), currency,
    CAST(substr(covered_period, 2, length(covered_period) - 2) AS INTEGER),
    substr(covered_period, -1), paid_milli, paid_reporting_micros
  FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND paid_milli > 0
    AND covered_period IS NOT NULL AND purchased_date < substr(access_ends_at, 1, 10)
), monthly (first_date, end_date, currency, mrr, rc, reporting, unconverted) AS (
  SELECT first_date, end_date, currency,
    CASE unit
      WHEN 'D' THEN paid_milli * 365000 / (12 * length)
      WHEN 'W' THEN paid_milli * 365000 / (84 * length)
      WHEN 'M' THEN paid_milli * 1000 / length
      ELSE paid_milli * 1000 / (12 * length)
    END,
    CASE unit
      WHEN 'D' THEN paid_milli * 30000 / length
      WHEN 'W' THEN paid_milli * 4000 / length
      WHEN 'M' THEN paid_milli * 1000 / length
      ELSE paid_milli * 1000 / (12 * length)
    END,
    COALESCE(CASE unit
      WHEN 'D' THEN micros * 365 / (12 * length)
      WHEN 'W' THEN micros * 365 / (84 * length)
      WHEN 'M' THEN micros / length
      ELSE micros / (12 * length)
    END, 0),
    micros IS NULL
  FROM priced
), begun (date_day, currency, mrr, rc, reporting, unconverted) AS (
  SELECT first_date, currency, SUM(mrr), SUM(rc), SUM(reporting), SUM(unconverted)
  FROM monthly GROUP BY first_date, currency
), ended (date_day, currency, mrr, rc, reporting, unconverted) AS (
  SELECT end_date, currency, SUM(mrr), SUM(rc), SUM(reporting), SUM(unconverted)
  FROM monthly GROUP BY end_date, currency
), level (date_day, currency, mrr, rc, reporting, unconverted) AS (
  SELECT d.date_day, c.currency,
    SUM(COALESCE(begun.mrr, 0) - COALESCE(ended.mrr, 0))
      OVER (PARTITION BY c.currency ORDER BY d.date_day),
    SUM(COALESCE(begun.rc, 0) - COALESCE(ended.rc, 0))
      OVER (PARTITION BY c.currency ORDER BY d.date_day),
    SUM(COALESCE(begun.reporting, 0) - COALESCE(ended.reporting, 0))
      OVER (PARTITION BY c.currency ORDER BY d.date_day),
    SUM(COALESCE(begun.unconverted, 0) - COALESCE(ended.unconverted, 0))
      OVER (PARTITION BY c.currency ORDER BY d.date_day)
  FROM dim_date AS d
  CROSS JOIN (SELECT DISTINCT currency FROM monthly) AS c
  LEFT JOIN begun ON begun.date_day = d.date_day AND begun.currency = c.currency
  LEFT JOIN ended ON ended.date_day = d.date_day AND ended.currency = c.currency
)
SELECT
  level.date_day, level.currency, level.mrr AS mrr_micros,
  level.rc AS mrr_rc_compatible_micros,
  COALESCE(level.date_day <= (SELECT complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL THEN level.reporting END
    AS mrr_reporting_micros,
  level.unconverted AS unconverted_subscriptions
FROM level;

CREATE VIEW backtest_by_rule AS
-- One row per rule, status and currency: how the rules do where Apple signed the price.
SELECT
  b.rule, b.status, r.currency,
  count(1) AS rows,
  SUM(b.verdict = 'right') AS right_rows,
  SUM(b.verdict = 'wrong') AS wrong_rows,
  SUM(b.verdict = 'bounds_hold') AS bounds_hold_rows,
  SUM(b.verdict = 'bounds_miss') AS bounds_miss_rows,
  CASE WHEN SUM(b.verdict IN ('right', 'wrong')) > 0 THEN
    10000 * SUM(b.verdict = 'right') / SUM(b.verdict IN ('right', 'wrong')) END AS right_bp,
  SUM(b.signed_milli) AS signed_milli,
  COALESCE(SUM(b.rule_milli), 0) AS rule_milli,
  COALESCE(SUM(abs(b.rule_milli - b.signed_milli)), 0) AS error_milli
FROM audit_backtest AS b JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
GROUP BY b.rule, b.status, r.currency;
