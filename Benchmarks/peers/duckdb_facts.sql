-- The queries of duckdb_sql.py on the tables record, report and day.

CREATE MACRO instant(text) AS text[1:10] || 'T' || text[12:19] || 'Z';

CREATE TEMP TABLE price AS
SELECT
  file * 10000000 + line AS evidence_id, file, line,
  COALESCE(report.customer_id, report.app_user_id, customer_id) AS customer_id,
  COALESCE(report.product_id, report.productIdentifier) AS product_id,
  COALESCE(report.currency, report.priceLocale.currencyCode) AS currency,
  storefront(COALESCE(report.storefront, report.store_country, storefront)) AS storefront,
  report.transaction_id AS transaction_id, FLOOR(report.price * 1000 + 0.5)::BIGINT AS price_milli,
  COALESCE(report.reported_at, received_at) AS reported_at,
  epoch_ms(TRY_CAST(reported_at AS TIMESTAMPTZ)) AS moment
FROM report AS claim
WHERE price_milli IS NOT NULL AND moment IS NOT NULL AND product_id IS NOT NULL
  AND currency IS NOT NULL;

CREATE TEMP TABLE usual AS
SELECT product_id, currency, arg_min(price_milli, (-votes, price_milli)) AS price_milli
FROM (SELECT product_id, currency, price_milli, COUNT(*) AS votes FROM price GROUP BY ALL)
GROUP BY ALL;

CREATE TEMP TABLE storefront_currency AS
SELECT storefront, arg_min(currency, (-votes, currency)) AS currency
FROM (
  SELECT storefront, currency, COUNT(*) AS votes FROM price WHERE storefront IS NOT NULL
  GROUP BY ALL)
GROUP BY ALL;

-- Of several reports in the same instant the last.
CREATE TEMP TABLE shown AS
SELECT customer_id, product_id, moment, MAX(evidence_id) AS evidence_id,
  arg_max({'currency': currency, 'storefront': storefront, 'milli': price_milli}, evidence_id)
    AS what
FROM price WHERE customer_id IS NOT NULL GROUP BY ALL;

CREATE TEMP TABLE home AS
SELECT customer_id,
  arg_max({'currency': currency, 'storefront': storefront}, (moment, evidence_id)) AS what
FROM price WHERE customer_id IS NOT NULL GROUP BY ALL;

CREATE TEMP TABLE rate AS
SELECT currency, Date AS day, USD::DOUBLE / rate::DOUBLE AS dollars
FROM (UNPIVOT day ON COLUMNS(* EXCLUDE (Date)) INTO NAME currency VALUE rate) JOIN day USING (Date);

CREATE TEMP TABLE seen AS
SELECT
  COALESCE(row.web_order_line_item_id, row.original_transaction_id)::BIGINT AS purchase_key,
  (moment * 2 + part)::HUGEINT * 100000000000 + file * 10000000 + line AS place,
  file, line, bundle_id, customer_id, storefront, row
FROM (
  SELECT receipt.request_date_ms AS moment, 0 AS part, receipt.bundle_id AS bundle_id, file, line,
    customer_id, storefront, UNNEST(receipt.in_app) AS row
  FROM record
  UNION ALL
  SELECT receipt.request_date_ms, 1, receipt.bundle_id, file, line, customer_id, storefront,
    UNNEST(latest)
  FROM record)
WHERE row.in_app_ownership_type IS DISTINCT FROM 'FAMILY_SHARED';

CREATE TEMP TABLE bridge_transaction_id AS
SELECT row.transaction_id AS transaction_id, MIN(purchase_key) AS purchase_key
FROM seen GROUP BY ALL;

CREATE TEMP TABLE purchase AS
SELECT
  purchase_key, bundle_id, row.transaction_id, row.original_transaction_id,
  row.web_order_line_item_id, row.subscription_group_identifier AS subscription_group_id,
  row.product_id, customer_id, storefront(storefront) AS storefront,
  IF(row.web_order_line_item_id IS NULL, 'unknown', 'auto_renewable_subscription') AS product_kind,
  substr(sha256(customer_id), 1, 32) AS customer_key,
  instant(row.purchase_date) AS purchased_at, row.purchase_date[1:10] AS purchased_date,
  instant(row.expires_date) AS expires_at,
  row.purchase_date_ms AS moment, row.expires_date_ms AS expires_ms,
  row.purchase_date_ms + 86400000 AS until,
  row.is_trial_period = 'true' AS is_trial_period,
  row.is_in_intro_offer_period = 'true' AS is_in_intro_offer_period,
  COALESCE(row.offer_code_ref_name, row.promotional_offer_id) AS offer_id,
  CASE
    WHEN row.offer_code_ref_name IS NOT NULL THEN 'offer_code'
    WHEN row.promotional_offer_id IS NOT NULL THEN 'promo'
    WHEN is_trial_period THEN 'trial'
    WHEN is_in_intro_offer_period THEN 'intro'
    WHEN expires_at IS NOT NULL THEN 'regular'
    ELSE 'one_time'
  END AS period_kind,
  CASE
    WHEN is_trial_period THEN 'free_trial'
    WHEN period_kind IN ('regular', 'one_time') THEN 'standard'
    ELSE 'unknown'
  END AS payment_mode,
  row.quantity,
  CASE
    WHEN row.is_upgraded = 'true' THEN 'upgrade'
    WHEN row.cancellation_date IS NOT NULL THEN 'refund'
    ELSE 'none'
  END AS reversal_kind,
  COALESCE(instant(row.cancellation_date), IF(reversal_kind = 'upgrade', expires_at, NULL))
    AS reversed_at,
  LEAST(expires_at, reversed_at) AS access_ends_at,
  row.cancellation_reason AS reversal_reason, file AS source_file_id, line AS source_line
FROM (
  SELECT purchase_key, UNNEST(arg_max(
    {'file': file, 'line': line, 'bundle_id': bundle_id, 'customer_id': customer_id,
      'storefront': storefront, 'row': row}, place))
  FROM seen GROUP BY purchase_key);
DROP TABLE seen;

CREATE TEMP TABLE priced AS
WITH local AS (
  SELECT purchase.* EXCLUDE (storefront), shown.evidence_id, shown.what.milli AS milli,
    COALESCE(shown.what.storefront, purchase.storefront, home.what.storefront) AS storefront,
    COALESCE(shown.what.currency, home.what.currency) AS reported_currency
  FROM purchase
  ASOF LEFT JOIN shown
    ON purchase.customer_id = shown.customer_id AND purchase.product_id = shown.product_id
    AND purchase.until >= shown.moment
  LEFT JOIN home ON purchase.customer_id = home.customer_id
), paid AS (
  SELECT local.* EXCLUDE (evidence_id, reported_currency, milli),
    COALESCE(reported_currency, storefront_currency.currency) AS currency,
    usual.price_milli AS list_price_milli,
    CASE
      WHEN payment_mode = 'free_trial' THEN 0
      ELSE COALESCE(milli, list_price_milli) * quantity
    END AS paid_milli,
    CASE
      WHEN payment_mode = 'free_trial' THEN 'zero_by_rule'
      WHEN milli IS NOT NULL THEN 'derived'
      WHEN list_price_milli IS NOT NULL THEN 'inferred'
      ELSE 'unresolved'
    END AS price_status,
    IF(payment_mode = 'free_trial', NULL, evidence_id) AS evidence_id
  FROM local
  LEFT JOIN storefront_currency USING (storefront)
  LEFT JOIN usual ON usual.product_id = local.product_id
    AND usual.currency = COALESCE(reported_currency, storefront_currency.currency)
)
SELECT paid.*, IF(paid_milli IS NULL, NULL, rate.day) AS fx_rate_date,
  FLOOR(paid_milli * 1000 * rate.dollars + 0.5)::BIGINT AS paid_reporting_micros
FROM paid
ASOF LEFT JOIN rate ON paid.currency = rate.currency AND paid.purchased_date >= rate.day;

-- Chains are those of subscriptions; a run is of rows of one offer in the same way.
CREATE TEMP TABLE chained AS
SELECT *,
  COUNT(*) FILTER (WHERE begins) OVER chain AS run,
  COUNT(*) FILTER (WHERE begins AND is_offer) OVER chain AS offer_number,
  COUNT(*) FILTER (WHERE period_kind = 'regular') OVER chain AS regulars,
  COUNT(*) FILTER (WHERE payment_mode <> 'free_trial') OVER chain AS paids
FROM (
  SELECT *, period_kind IN ('trial', 'intro', 'promo', 'offer_code') AS is_offer,
    (period_kind, COALESCE(offer_id, ''), payment_mode) IS DISTINCT FROM
      LAG((period_kind, COALESCE(offer_id, ''), payment_mode)) OVER chain AS begins
  FROM priced WHERE expires_at IS NOT NULL
  WINDOW chain AS (PARTITION BY original_transaction_id ORDER BY moment, purchase_key))
WINDOW chain AS (
  PARTITION BY original_transaction_id ORDER BY moment, purchase_key ROWS UNBOUNDED PRECEDING);

CREATE TEMP TABLE fct_revenue AS
SELECT * EXCLUDE (begins, is_offer, run, offer_number, regulars, paids),
  IF(period_kind = 'regular', regulars, NULL) AS renewal_number,
  IF(payment_mode <> 'free_trial', paids, NULL) AS paid_number
FROM chained
UNION ALL BY NAME
SELECT * FROM priced WHERE expires_at IS NULL;

CREATE TEMP TABLE fct_revenue_entry AS
SELECT purchase_key * 2 AS entry_key, purchase_key, 'charge' AS entry_kind,
  purchased_date AS entry_date, paid_milli AS amount_milli, currency,
  paid_reporting_micros AS amount_reporting_micros, 'paid' AS amount_basis
FROM fct_revenue WHERE paid_milli <> 0
UNION ALL
SELECT purchase_key * 2 + 1, purchase_key, 'refund', reversed_at[1:10], -paid_milli, currency,
  -paid_reporting_micros, 'paid'
FROM fct_revenue WHERE paid_milli <> 0 AND reversal_kind = 'refund';

CREATE TEMP TABLE fct_conversion AS
WITH run AS (
  SELECT arg_min(chained, (moment, purchase_key)) AS first,
    arg_max(expires_ms, (moment, purchase_key)) AS ends,
    arg_max(expires_at, (moment, purchase_key)) AS ends_at, COUNT(*) AS offer_periods,
    SUM(paid_milli)::BIGINT AS offer_paid_milli
  FROM chained GROUP BY original_transaction_id, run
), followed AS (
  SELECT *, first.payment_mode AS mode,
    LEAD(IF(mode = 'free_trial', NULL, first) IGNORE NULLS) OVER (
      PARTITION BY first.original_transaction_id ORDER BY first.run) AS next,
    ends + 60 * 86400000::BIGINT AS matures,
    (SELECT MAX(receipt.request_date_ms) FROM record) AS as_of
  FROM run
), found AS (
  SELECT * EXCLUDE (next), IF(next.moment <= matures, next, NULL) AS paid
  FROM followed WHERE first.is_offer
)
SELECT
  first.purchase_key AS offer_purchase_key, first.original_transaction_id,
  first.subscription_group_id, first.customer_key, first.offer_number,
  first.period_kind AS offer_kind, mode AS payment_mode, first.offer_id,
  first.product_id AS offer_product_id, first.storefront, first.currency,
  first.purchased_at AS started_at, first.purchased_date AS started_date, ends_at, offer_periods,
  offer_paid_milli,
  CASE
    WHEN paid.moment IS NOT NULL THEN 'converted' WHEN matures <= as_of THEN 'lapsed' ELSE 'pending'
  END AS status,
  paid.purchased_at AS converted_at, paid.purchase_key AS converted_purchase_key,
  paid.product_id AS converted_product_id, paid.product_id = first.product_id AS is_same_product,
  paid.moment <= ends + 86400000 AS is_contiguous,
  (paid.moment - first.moment) // 86400000 AS days_to_convert,
  paid.paid_milli AS converted_paid_milli, paid.price_status AS converted_price_status,
  IF(paid.reversal_kind = 'refund', paid.reversed_at, NULL) AS conversion_refunded_at,
  strftime(make_timestamp_ms(matures), '%Y-%m-%dT%H:%M:%SZ') AS matures_at,
  matures <= as_of AS is_mature
FROM found;

CREATE TEMP TABLE dim_subscription AS
SELECT original_transaction_id, last.bundle_id, last.subscription_group_id, last.customer_key,
  first_started_at, first_trial_at, first_paid_at, last.product_id AS current_product_id,
  CASE
    WHEN last.reversal_kind = 'refund' THEN 'revoked'
    WHEN last.expires_ms <= (SELECT MAX(receipt.request_date_ms) FROM record) THEN 'expired'
    WHEN last.period_kind = 'regular' THEN 'active'
    WHEN last.period_kind = 'offer_code' THEN 'promo'
    ELSE last.period_kind
  END AS status, last.expires_at, paid_count
FROM (
  SELECT original_transaction_id, arg_max(chained, (moment, purchase_key)) AS last,
    MIN(purchased_at) AS first_started_at,
    MIN(purchased_at) FILTER (WHERE period_kind = 'trial') AS first_trial_at,
    MIN(purchased_at) FILTER (WHERE payment_mode <> 'free_trial') AS first_paid_at,
    COUNT(*) FILTER (WHERE payment_mode <> 'free_trial') AS paid_count
  FROM chained GROUP BY original_transaction_id);

CREATE TEMP TABLE price_evidence AS
SELECT evidence_id, 'app.paidline.sample' AS bundle_id, price.product_id,
  substr(sha256(customer_id), 1, 32) AS customer_key, transaction_id, purchase_key, storefront, price.currency, price.price_milli,
  usual.price_milli AS reference_milli, reported_at, file AS source_file_id, line AS source_line,
  'believed' AS verdict
FROM price
LEFT JOIN usual USING (product_id, currency)
LEFT JOIN bridge_transaction_id USING (transaction_id);
