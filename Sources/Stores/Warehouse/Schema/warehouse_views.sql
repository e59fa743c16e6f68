-- What analysts read first. Money stays in integers; days that the exports do not wholly cover yet,
-- and cohorts that can still change, carry is_complete 0.
-- Their columns get the types of their units in warehouse_meta.sql, so that every reader knows them.

CREATE VIEW revenue AS
-- fct_revenue with decimal numbers beside the integers, which are the truth.
SELECT
  purchase_key, bundle_id, transaction_id, original_transaction_id, web_order_line_item_id,
  subscription_group_id, product_id, product_kind, customer_key, purchased_at, purchased_date,
  expires_at, access_ends_at, first_seen_at, covered_period, billing_plan, commitment_ends_at,
  period_kind, payment_mode, offer_id, offer_name, is_trial_period, is_in_intro_offer_period, spell_number, renewal_number, paid_number,
  quantity, currency, storefront, storefront_source, list_price_milli, paid_milli, paid_low_milli,
  paid_high_milli, signed_price_milli, price_status, price_rule, evidence_id, basis_purchase_key,
  paid_reporting_micros, fx_rate_date, paid_low_reporting_micros, paid_high_reporting_micros,
  is_high_estimated, proceeds_estimate_micros, commission_bp, tax_bp,
  proceeds_milli, proceeds_currency, proceeds_basis,
  reversal_kind, reversed_at, reversal_reason, refunded_milli, is_billing_recovery, first_run_id,
  changed_run_id, source_file_id, source_line,
  list_price_milli / 1000.0 AS list_price,
  paid_milli / 1000.0 AS paid,
  paid_low_milli / 1000.0 AS paid_low,
  paid_high_milli / 1000.0 AS paid_high,
  CASE WHEN paid_reporting_micros IS NOT NULL
    THEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) END AS reporting_currency,
  paid_reporting_micros / 1000000.0 AS paid_reporting,
  paid_low_reporting_micros / 1000000.0 AS paid_low_reporting,
  paid_high_reporting_micros / 1000000.0 AS paid_high_reporting,
  proceeds_estimate_micros / 1000000.0 AS proceeds_estimate,
  (SELECT p.voters FROM dim_product_price AS p
    WHERE p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
      AND p.currency = r.currency
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
-- One row per purchase day, app, product, storefront and currency: what was paid, between which
-- bounds. In the reporting currency a bound adds up the rows that have it; the others are counted.
SELECT
  purchased_date AS date_day, bundle_id, product_id, storefront, currency,
  SUM(paid_milli) AS gross_milli,
  SUM(paid_low_milli) AS gross_low_milli,
  CASE WHEN count(paid_high_milli) = count(1) THEN SUM(paid_high_milli) END AS gross_high_milli,
  SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END))
    AS net_cohort_milli,
  SUM(COALESCE(paid_milli, 1) > 0) AS chargeable_rows,
  count(1) - count(paid_milli) AS unresolved_rows,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = purchased_date), 0)
    AS is_complete,
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
    END AS net_cohort_reporting_micros,
  count(paid_milli) - count(paid_reporting_micros) AS unconverted_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN count(1) - count(paid_high_reporting_micros) END AS unbounded_rows,
  SUM(is_high_estimated) AS estimated_high_rows,
  SUM(CASE WHEN proceeds_estimate_micros IS NULL THEN NULL
    WHEN refunded_milli IS NULL
    THEN CASE reversal_kind WHEN 'refund' THEN 0 ELSE proceeds_estimate_micros END
    WHEN paid_milli > 0
    THEN proceeds_estimate_micros - proceeds_estimate_micros * refunded_milli / paid_milli
    ELSE 0 END)
    AS net_proceeds_estimate_micros,
  count(paid_milli) - count(proceeds_estimate_micros) AS unestimated_rows
FROM fct_revenue
GROUP BY purchased_date, bundle_id, product_id, storefront, currency;

CREATE VIEW revenue_monthly AS
-- One row per purchase month, app, product and currency: what was paid, between which bounds, and
-- how much of the proceeds is Apple's own figure.
SELECT
  substr(purchased_date, 1, 7) AS month, bundle_id, product_id, currency,
  SUM(paid_milli) AS gross_milli,
  SUM(paid_milli
    - COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END))
    AS net_cohort_milli,
  count(1) - count(paid_milli) AS unresolved_rows,
  SUM(CASE WHEN proceeds_basis = 'apple_report' THEN paid_milli END)
    AS apple_proceeds_gross_milli,
  SUM(CASE WHEN proceeds_basis = 'estimate' THEN paid_milli END)
    AS estimated_proceeds_gross_milli,
  CASE WHEN count(proceeds_basis) > 0
    THEN 10000 * COALESCE(SUM(CASE WHEN proceeds_basis = 'apple_report' THEN paid_milli END), 0)
      / NULLIF(SUM(paid_milli), 0) END AS apple_proceeds_bp,
  COALESCE(MAX(seen.is_complete), 0) AS is_complete,
  SUM(COALESCE(paid_milli, 1) > 0) AS chargeable_rows,
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
    END AS net_cohort_reporting_micros,
  count(paid_milli) - count(paid_reporting_micros) AS unconverted_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN count(1) - count(paid_high_reporting_micros) END AS unbounded_rows,
  SUM(is_high_estimated) AS estimated_high_rows
FROM fct_revenue
LEFT JOIN completeness_monthly AS seen ON seen.month = substr(purchased_date, 1, 7)
GROUP BY substr(purchased_date, 1, 7), bundle_id, product_id, currency;

CREATE VIEW net_revenue_ledger_daily AS
-- One row per day on which money moved, app, product and currency; estimates left out. Charges and
-- refunds of rows without an amount are counted on their days, with their bounds; a sum is NULL where
-- all its rows are such.
WITH kind (kind) AS (
  VALUES ('entry'), ('open_charge'), ('open_refund')
), movement (date_day, bundle_id, product_id, currency, kind, is_charge, milli, micros, low,
  high) AS (
  SELECT
    CASE k.kind WHEN 'entry' THEN e.entry_date WHEN 'open_charge' THEN r.purchased_date
      ELSE substr(r.reversed_at, 1, 10) END,
    r.bundle_id, r.product_id, CASE k.kind WHEN 'entry' THEN e.currency ELSE r.currency END, k.kind,
    COALESCE(e.entry_kind, '') = 'charge' OR k.kind = 'open_charge', e.amount_milli,
    e.amount_reporting_micros,
    CASE k.kind WHEN 'entry' THEN e.amount_reporting_micros
      WHEN 'open_charge' THEN r.paid_low_reporting_micros ELSE -r.paid_high_reporting_micros END,
    CASE k.kind WHEN 'entry' THEN e.amount_reporting_micros
      WHEN 'open_charge' THEN r.paid_high_reporting_micros ELSE -r.paid_low_reporting_micros END
  FROM fct_revenue AS r
  CROSS JOIN kind AS k
  LEFT JOIN fct_revenue_entry AS e ON e.purchase_key = r.purchase_key AND k.kind = 'entry'
    AND (e.entry_kind = 'charge' OR e.entry_kind = 'refund')
  WHERE e.entry_key IS NOT NULL
    OR k.kind = 'open_charge' AND r.paid_milli IS NULL
    OR k.kind = 'open_refund' AND r.paid_milli IS NULL AND r.reversal_kind = 'refund'
)
SELECT
  date_day, bundle_id, product_id, currency,
  CASE WHEN SUM(is_charge) = 0 THEN 0 ELSE SUM(CASE WHEN is_charge THEN milli END) END
    AS charges_milli,
  CASE WHEN SUM(is_charge) = count(1) THEN 0 ELSE SUM(CASE WHEN NOT is_charge THEN milli END) END
    AS refunds_milli,
  SUM(milli) AS net_ledger_milli,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = t.date_day), 0)
    AS is_complete,
  (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) AS reporting_currency,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN CASE WHEN SUM(is_charge) = 0 THEN 0 ELSE SUM(CASE WHEN is_charge THEN micros END) END
    END AS charges_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN CASE WHEN SUM(is_charge) = count(1) THEN 0
      ELSE SUM(CASE WHEN NOT is_charge THEN micros END) END
    END AS refunds_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(micros) END AS net_ledger_reporting_micros,
  count(milli) - count(micros) AS unconverted_entries,
  SUM(is_charge) AS chargeable_rows,
  SUM(kind <> 'entry') AS unresolved_rows,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(low), 0) END AS net_low_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN COALESCE(SUM(high), 0) END AS net_high_reporting_micros,
  CASE WHEN (SELECT reporting_currency FROM audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
    THEN SUM(low IS NULL OR high IS NULL) END AS unbounded_rows
FROM movement AS t
GROUP BY date_day, bundle_id, product_id, currency;

CREATE VIEW price_coverage_daily AS
-- One row per purchase day, app, product and storefront: the share of chargeable rows whose amount
-- is known.
SELECT
  purchased_date AS date_day, bundle_id, product_id, storefront,
  SUM(COALESCE(paid_milli, 1) > 0) AS chargeable_rows,
  SUM(COALESCE(paid_milli, 0) > 0) AS known_rows,
  SUM(price_status = 'exact' AND paid_milli > 0) AS exact_rows,
  10000 * SUM(COALESCE(paid_milli, 0) > 0)
    / NULLIF(SUM(COALESCE(paid_milli, 1) > 0), 0) AS coverage_bp,
  10000 * SUM(price_status = 'exact' AND paid_milli > 0)
    / NULLIF(SUM(COALESCE(paid_milli, 1) > 0), 0) AS exact_bp,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = purchased_date), 0)
    AS is_complete
FROM fct_revenue
GROUP BY purchased_date, bundle_id, product_id, storefront;

CREATE VIEW refund_rate AS
-- One row per purchase day, app and product: refunded among paid rows; upgrades are no refunds.
-- A receipt forgets a consumable that was finished, and its refund with it. The refunds are known
-- where every row is signed, or where Apple's Sales reports of the 90 days from the purchase on
-- name no more refunds of the product than the facts have.
WITH run (as_of, complete_through) AS (
  SELECT as_of, complete_through_date FROM audit_run ORDER BY run_id DESC LIMIT 1
), sold (date_day) AS (
  SELECT DISTINCT event_date FROM apple_report_line WHERE report = 'sales'
), fetched (date_day) AS (
  SELECT DISTINCT report_date FROM audit_apple_report WHERE report = 'sales'
), day (date_day, missing, is_missing) AS (
  SELECT d.date_day,
    SUM(s.date_day IS NULL AND f.date_day IS NULL) OVER (ORDER BY d.date_day),
    s.date_day IS NULL AND f.date_day IS NULL
  FROM dim_date AS d
  LEFT JOIN sold AS s ON s.date_day = d.date_day
  LEFT JOIN fetched AS f ON f.date_day = d.date_day
), forgetful (date_day, end_day, product_id) AS (
  SELECT DISTINCT r.purchased_date,
    CASE WHEN strftime('%Y-%m-%d', r.purchased_date, '+90 days') < n.complete_through
      THEN strftime('%Y-%m-%d', r.purchased_date, '+90 days') ELSE n.complete_through END,
    r.product_id
  FROM fct_revenue AS r
  JOIN run AS n ON 1 = 1
  WHERE r.paid_milli > 0 AND r.product_kind = 'consumable' AND r.signed_price_milli IS NULL
), back (date_day, product_id, apple_units) AS (
  SELECT event_date, product_id, SUM(abs(units)) FROM apple_report_line
  WHERE report = 'sales' AND is_refund = 1 AND product_id IS NOT NULL
  GROUP BY event_date, product_id
), ours (date_day, product_id, units) AS (
  SELECT substr(reversed_at, 1, 10), product_id, SUM(quantity) FROM fct_revenue
  WHERE product_kind = 'consumable' AND reversal_kind = 'refund'
  GROUP BY substr(reversed_at, 1, 10), product_id
), apple_total (date_day, product_id, units) AS (
  SELECT g.date_day, g.product_id, COALESCE(SUM(b.apple_units), 0) FROM forgetful AS g
  LEFT JOIN back AS b ON b.product_id = g.product_id AND b.date_day >= g.date_day
    AND b.date_day <= g.end_day
  GROUP BY g.date_day, g.product_id
), our_total (date_day, product_id, units) AS (
  SELECT g.date_day, g.product_id, COALESCE(SUM(o.units), 0) FROM forgetful AS g
  LEFT JOIN ours AS o ON o.product_id = g.product_id AND o.date_day >= g.date_day
    AND o.date_day <= g.end_day
  GROUP BY g.date_day, g.product_id
), hidden (date_day, product_id) AS (
  SELECT g.date_day, g.product_id
  FROM forgetful AS g
  LEFT JOIN day AS b ON b.date_day = g.date_day
  LEFT JOIN day AS e ON e.date_day = g.end_day
  JOIN apple_total AS a ON a.date_day = g.date_day AND a.product_id = g.product_id
  JOIN our_total AS o ON o.date_day = g.date_day AND o.product_id = g.product_id
  WHERE g.end_day < g.date_day OR e.missing IS NULL OR b.missing IS NULL
    OR e.missing > b.missing - b.is_missing
    OR a.units > o.units
)
SELECT
  r.purchased_date AS cohort_date, r.bundle_id, r.product_id,
  count(1) AS paid_rows,
  CASE WHEN MAX(h.product_id) IS NULL THEN SUM(r.reversal_kind = 'refund') END AS refunded_rows,
  CASE WHEN MAX(h.product_id) IS NULL
    THEN 10000 * SUM(r.reversal_kind = 'refund') / count(1) END AS refund_bp,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = r.purchased_date)
    AND strftime('%Y-%m-%d', r.purchased_date, '+90 days') <= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1), 0)
    AS is_complete
FROM fct_revenue AS r
LEFT JOIN hidden AS h ON h.date_day = r.purchased_date AND h.product_id = r.product_id
WHERE r.paid_milli > 0
GROUP BY r.purchased_date, r.bundle_id, r.product_id;

CREATE VIEW discount_depth AS
-- One row per purchase day, app, product, currency and kind of row: how far below the list price.
WITH priced (date_day, bundle_id, product_id, currency, period_kind, list_milli, paid_milli) AS (
  -- A row paid up front covers several of the product's periods, each at the list price. Lengths
  -- are compared in twelfths of a day, a month being a twelfth of 365 days, and rounded.
  SELECT r.purchased_date, r.bundle_id, r.product_id, r.currency, r.period_kind,
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
  JOIN dim_product AS p
    ON p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id
  WHERE r.paid_milli > 0 AND r.list_price_milli IS NOT NULL
)
SELECT
  date_day, bundle_id, product_id, currency, period_kind,
  count(1) AS paid_rows,
  SUM(list_milli) AS list_milli,
  SUM(paid_milli) AS paid_milli,
  10000 - 10000 * SUM(paid_milli) / NULLIF(SUM(list_milli), 0) AS discount_bp,
  COALESCE((SELECT seen.is_complete FROM completeness_daily AS seen
    WHERE seen.date_day = t.date_day), 0)
    AS is_complete
FROM priced AS t
GROUP BY date_day, bundle_id, product_id, currency, period_kind;

CREATE VIEW price_outlier AS
-- One row per price report that was not believed, beside what it was compared with.
SELECT
  evidence_id, bundle_id, product_id, customer_key, transaction_id, purchase_key, storefront, currency,
  price_milli, reference_milli,
  CAST((10000 * price_milli - 10000 * price_milli % NULLIF(reference_milli, 0))
    / NULLIF(reference_milli, 0) AS BIGINT) AS ratio_bp, verdict,
  reported_at, source_file_id, source_line, evidence_kind
FROM price_evidence
WHERE verdict NOT IN ('believed', 'no_reference', 'charged');

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

CREATE VIEW service_comparison_by_cause AS
-- One row per month of purchase, service, currency and cause: what a hosted service books beside
-- the facts. A purchase that the two book in different currencies is in the lines of both.
WITH side (is_ours) AS (
  VALUES (0), (1)
), line (purchase_key, service, currency, cause, purchases, service_milli, our_milli) AS (
  SELECT c.purchase_key, c.service,
    CASE WHEN s.is_ours THEN c.currency ELSE COALESCE(c.service_currency, c.currency) END, c.cause,
    1 - s.is_ours, CASE WHEN s.is_ours THEN 0 ELSE COALESCE(c.service_paid_milli, 0) END,
    CASE WHEN c.cause = 'currency' AND NOT s.is_ours THEN 0 ELSE c.paid_milli END
  FROM service_comparison AS c
  CROSS JOIN side AS s
  WHERE NOT s.is_ours OR c.cause = 'currency'
)
SELECT
  substr(r.purchased_date, 1, 7) AS month, l.service, l.currency, l.cause,
  SUM(l.purchases) AS purchases, SUM(l.service_milli) AS service_milli,
  SUM(l.our_milli) AS our_milli, SUM(l.service_milli - l.our_milli) AS difference_milli
FROM line AS l
JOIN fct_revenue AS r ON r.purchase_key = l.purchase_key
GROUP BY substr(r.purchased_date, 1, 7), l.service, l.currency, l.cause;

CREATE VIEW reconciliation_monthly AS
-- One row per month, product, storefront and currency: Apple's reports beside the facts, without
-- the products of other apps.
SELECT
  month, product_id, storefront, currency,
  SUM(apple_units) AS apple_units,
  SUM(our_units) AS our_units,
  SUM(apple_milli) AS apple_milli,
  SUM(our_milli) AS our_milli,
  SUM(apple_milli - our_milli) AS difference_milli,
  SUM((apple_milli - our_milli) * (cause = 'day_boundary')) AS day_boundary_milli,
  SUM((apple_milli - our_milli) * (cause = 'refund')) AS refund_milli,
  SUM((apple_milli - our_milli) * (cause = 'proration')) AS proration_milli,
  SUM((apple_milli - our_milli) * (cause = 'price')) AS price_milli,
  SUM((apple_milli - our_milli) * (cause = 'receipt_missing')) AS receipt_missing_milli,
  SUM((apple_milli - our_milli) * (cause = 'not_charged')) AS not_charged_milli,
  SUM((apple_milli - our_milli) * (cause = 'recovered_late')) AS recovered_late_milli,
  SUM((apple_milli - our_milli) * (cause = 'no_report')) AS no_report_milli,
  SUM((apple_milli - our_milli) * (cause = 'unmapped')) AS unmapped_milli,
  SUM((apple_milli - our_milli) * (cause = 'settlement')) AS settlement_milli,
  SUM((apple_milli - our_milli) * (cause = 'unexplained')) AS unexplained_milli,
  SUM((apple_milli - our_milli) * (cause = 'doubted')) AS doubted_milli
FROM audit_reconciliation
WHERE cause <> 'other_products'
GROUP BY month, product_id, storefront, currency;

CREATE VIEW reconciliation_by_cause AS
-- One row per month, currency and cause: why Apple's reports and the facts differ.
SELECT
  month, currency, cause,
  SUM(apple_units) AS apple_units,
  SUM(our_units) AS our_units,
  SUM(apple_milli) AS apple_milli,
  SUM(our_milli) AS our_milli,
  SUM(apple_milli - our_milli) AS difference_milli
FROM audit_reconciliation
GROUP BY month, currency, cause;

CREATE VIEW dim_customer AS
-- One row per customer who ever bought something or began a trial, and whom the exports name.
WITH purchase (customer_key, purchased_at, bundle_id, product_id, storefront, currency, period_kind,
  paid_milli, place) AS (
  SELECT customer_key, purchased_at, bundle_id, product_id, storefront, currency, period_kind,
    paid_milli,
    ROW_NUMBER() OVER (PARTITION BY customer_key ORDER BY purchased_at, purchase_key)
  FROM fct_revenue
  WHERE customer_key IS NOT NULL
)
SELECT
  customer_key,
  MIN(purchased_at) AS first_purchased_at,
  MAX(CASE WHEN place = 1 THEN bundle_id END) AS first_bundle_id,
  MAX(CASE WHEN place = 1 THEN product_id END) AS first_product_id,
  MAX(CASE WHEN place = 1 THEN storefront END) AS storefront,
  MAX(CASE WHEN place = 1 THEN currency END) AS currency,
  MIN(CASE WHEN period_kind = 'trial' THEN purchased_at END) AS first_trial_at,
  MIN(CASE WHEN paid_milli > 0 THEN purchased_at END) AS first_paid_at,
  CAST(SUM(CASE WHEN paid_milli IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS unresolved_rows,
  count(1) AS purchases
FROM purchase
GROUP BY customer_key;

CREATE VIEW reconciliation_upgrades AS
-- One row per month, product, storefront and currency in which Apple gave a part back: its amounts
-- beside the estimates of upgrade credits.
-- A part has no unit, or a unit at less than the price: none was sold at its price, and one at a
-- higher price. Sales is used on days without a Subscriber report.
WITH fetched (report_date) AS (
  SELECT DISTINCT report_date FROM audit_apple_report WHERE report = 'subscriber'
), refund AS (
  SELECT l.source_file_id, l.source_line, l.event_date, l.purchase_date, l.product_id, l.storefront,
    l.currency, l.units, l.unit_price_milli, l.amount_milli
  FROM apple_report_line AS l
  LEFT JOIN fetched AS f ON f.report_date = l.event_date
  WHERE l.is_refund = 1 AND l.amount_milli <> 0 AND l.product_id IS NOT NULL
    AND l.currency IS NOT NULL AND (l.report = 'subscriber'
      OR l.report = 'sales' AND l.is_renewal IS NOT NULL AND f.report_date IS NULL)
), sold AS (
  SELECT DISTINCT event_date, product_id, storefront, currency, unit_price_milli
  FROM apple_report_line
  WHERE is_refund = 0 AND units > 0 AND (report = 'subscriber' OR report = 'sales')
), part AS (
  SELECT r.event_date, r.product_id, r.storefront, r.currency, r.amount_milli
  FROM refund AS r
  LEFT JOIN sold AS s ON s.product_id = r.product_id AND s.storefront = r.storefront
    AND s.currency = r.currency AND r.units < 0
    AND (s.event_date = r.purchase_date
      OR r.purchase_date IS NULL AND s.event_date <= r.event_date)
  GROUP BY r.source_file_id, r.source_line, r.event_date, r.product_id, r.storefront, r.currency,
    r.units, r.unit_price_milli, r.amount_milli
  HAVING r.units = 0 OR MAX(s.unit_price_milli) > r.unit_price_milli
    AND SUM(s.unit_price_milli = r.unit_price_milli) = 0
), apple (month, product_id, storefront, currency, refunds, apple_milli) AS (
  SELECT substr(event_date, 1, 7), product_id, storefront, currency, count(1), -SUM(amount_milli)
  FROM part GROUP BY substr(event_date, 1, 7), product_id, storefront, currency
), ours (month, product_id, storefront, currency, credits, estimate_milli) AS (
  SELECT substr(e.entry_date, 1, 7), r.product_id, r.storefront, e.currency, count(1),
    -SUM(e.amount_milli)
  FROM fct_revenue_entry AS e JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
  WHERE e.entry_kind = 'upgrade_credit_estimate'
  GROUP BY substr(e.entry_date, 1, 7), r.product_id, r.storefront, e.currency
)
SELECT
  a.month, a.product_id, a.storefront, a.currency, a.refunds AS apple_refunds,
  COALESCE(o.credits, 0) AS our_credits, a.apple_milli,
  COALESCE(o.estimate_milli, 0) AS estimate_milli,
  a.apple_milli - COALESCE(o.estimate_milli, 0) AS difference_milli
FROM apple AS a
LEFT JOIN ours AS o ON o.month = a.month AND o.product_id = a.product_id
  AND o.storefront = a.storefront AND o.currency = a.currency;

CREATE VIEW reconciliation_subscriptions_daily AS
-- One row per day and product of a Subscription report: Apple's count of paid subscriptions beside
-- ours.
WITH apple (date_day, product_id, subscriptions) AS (
  SELECT event_date, product_id, SUM(units) FROM apple_report_line
  WHERE report = 'subscription' AND product_id IS NOT NULL
  GROUP BY event_date, product_id
), begun (date_day, product_id, rows) AS (
  SELECT purchased_date, product_id, count(1) FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND (paid_milli > 0 OR paid_milli IS NULL)
    AND purchased_date < substr(access_ends_at, 1, 10)
  GROUP BY purchased_date, product_id
), ended (date_day, product_id, rows) AS (
  SELECT substr(access_ends_at, 1, 10), product_id, count(1) FROM fct_revenue
  WHERE product_kind = 'auto_renewable_subscription' AND (paid_milli > 0 OR paid_milli IS NULL)
    AND purchased_date < substr(access_ends_at, 1, 10)
  GROUP BY substr(access_ends_at, 1, 10), product_id
), counted (date_day, product_id, apple_subscriptions, our_subscriptions) AS (
  SELECT a.date_day, a.product_id, a.subscriptions,
    COALESCE((SELECT SUM(b.rows) FROM begun AS b
      WHERE b.product_id = a.product_id AND b.date_day <= a.date_day), 0)
    - COALESCE((SELECT SUM(e.rows) FROM ended AS e
      WHERE e.product_id = a.product_id AND e.date_day <= a.date_day), 0)
  FROM apple AS a
)
SELECT
  date_day, product_id, apple_subscriptions, our_subscriptions,
  apple_subscriptions - our_subscriptions AS difference,
  abs(apple_subscriptions - our_subscriptions) * 100 <= apple_subscriptions AS is_alike
FROM counted;
