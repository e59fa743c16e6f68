-- A question or more to each view. Views add up and compare; the tables behind them hold each
-- purchase.

-- table: revenue
-- name: one_purchase
-- question: What is known of one purchase, with amounts as decimal text?
SELECT transaction_id, product_id, purchased_at, period_kind, paid, paid_low, paid_high, currency,
  price_status, price_rule
FROM revenue
WHERE original_transaction_id = '100000831001003'
ORDER BY purchased_at;

-- table: revenue_daily
-- name: revenue_by_month
-- canned: yes
-- question: What was paid in a month, between which bounds?
SELECT substr(date_day, 1, 7) AS month, product_id, currency, SUM(gross_milli) / 1000.0 AS paid,
  SUM(gross_low_milli) / 1000.0 AS at_least,
  CASE WHEN count(gross_high_milli) = count(1) THEN SUM(gross_high_milli) / 1000.0 END AS at_most,
  SUM(unresolved_rows) AS unresolved, MIN(is_complete) AS is_complete
FROM revenue_daily
GROUP BY month, product_id, currency
ORDER BY month, product_id, currency;

-- table: net_revenue_ledger_daily
-- name: net_by_month
-- question: What is left after refunds, on the days on which money moved?
SELECT substr(date_day, 1, 7) AS month, currency, SUM(charges_milli) / 1000.0 AS charged,
  SUM(refunds_milli) / 1000.0 AS refunded, SUM(net_ledger_milli) / 1000.0 AS net
FROM net_revenue_ledger_daily
GROUP BY month, currency
ORDER BY month, currency;

-- table: price_coverage_daily
-- name: coverage_by_month
-- canned: yes
-- question: Of how many purchases is the amount known?
SELECT substr(date_day, 1, 7) AS month, SUM(chargeable_rows) AS to_be_paid_for,
  SUM(known_rows) AS known, SUM(exact_rows) AS exact,
  100.0 * SUM(known_rows) / NULLIF(SUM(chargeable_rows), 0) AS percent_known
FROM price_coverage_daily
GROUP BY month
ORDER BY month;

-- table: trial_conversion
-- name: trials_by_month
-- canned: yes
-- question: What became of the trials that began in a month?
SELECT substr(cohort_date, 1, 7) AS month, offer_product_id, SUM(trials) AS trials,
  SUM(converted_strict) AS to_the_same_product, SUM(converted_any) AS to_any_product,
  SUM(lapsed) AS lapsed, SUM(pending + billing_retry) AS open,
  round(100.0 * SUM(converted_strict) / SUM(trials), 1) AS percent_so_far,
  SUM(mature_trials) = SUM(trials) AS is_ripe
FROM trial_conversion
GROUP BY month, offer_product_id
ORDER BY month, offer_product_id;

-- table: intro_conversion
-- name: intros_by_product
-- question: How many paid introductory offers led to the regular price?
SELECT offer_product_id, SUM(intros) AS offers, SUM(converted_strict) AS to_the_same_product,
  SUM(converted_any) AS to_any_product, SUM(lapsed) AS lapsed,
  SUM(pending + billing_retry) AS open
FROM intro_conversion
GROUP BY offer_product_id
ORDER BY offers DESC, offer_product_id;

-- table: offer_performance
-- name: offers_compared
-- question: Which offer brings most conversions, and how much is given away for it?
SELECT offer_kind, offer_id, offer_product_id, currency, offers, converted_any, open_offers,
  offer_paid_milli / 1000.0 AS paid_in_offer, converted_paid_milli / 1000.0 AS paid_at_conversion
FROM offer_performance
ORDER BY converted_any DESC, offer_kind, offer_id, offer_product_id, currency, payment_mode;

-- table: refund_rate
-- name: refunds_by_product
-- question: Which share of the paid purchases is refunded?
SELECT product_id, SUM(paid_rows) AS paid, SUM(refunded_rows) AS refunded,
  100.0 * SUM(refunded_rows) / SUM(paid_rows) AS percent
FROM refund_rate
GROUP BY product_id
ORDER BY percent DESC, product_id;

-- table: refund_rate
-- name: refunds_by_month
-- question: Which share of a month's paid purchases has been refunded, and can it still grow?
SELECT substr(cohort_date, 1, 7) AS month, product_id, SUM(paid_rows) AS paid,
  SUM(refunded_rows) AS refunded, round(100.0 * SUM(refunded_rows) / SUM(paid_rows), 1) AS percent,
  MIN(is_complete) AS is_complete
FROM refund_rate
GROUP BY month, product_id
ORDER BY month, product_id;

-- table: renewal_rate
-- name: renewals
-- question: How many go on from one paid period to the next?
SELECT product_id, paid_number, matured_rows, renewed_rows, renewal_bp / 100.0 AS percent, is_complete
FROM renewal_rate
ORDER BY product_id, paid_number;

-- table: discount_depth
-- name: discounts
-- question: How far below the list price is paid, by kind of row?
SELECT product_id, currency, period_kind, SUM(paid_rows) AS purchases,
  100.0 - 100.0 * SUM(paid_milli) / NULLIF(SUM(list_milli), 0) AS percent_below_list
FROM discount_depth
GROUP BY product_id, currency, period_kind
ORDER BY percent_below_list DESC, product_id, currency, period_kind;

-- table: active_subscriptions_daily
-- name: active_at_month_ends
-- question: How many subscriptions ran at the end of each month?
SELECT a.date_day, a.product_id, a.active_subscriptions, a.unresolved_subscriptions
FROM active_subscriptions_daily AS a
WHERE a.date_day = date(a.date_day, 'start of month', '+1 month', '-1 day')
ORDER BY a.date_day, a.product_id;

-- table: mrr_daily
-- name: mrr_at_month_ends
-- canned: yes
-- question: What is the monthly recurring revenue at the end of each month, by either definition?
SELECT date_day, currency, mrr_micros / 1000000.0 AS mrr,
  mrr_rc_compatible_micros / 1000000.0 AS as_revenuecat_counts
FROM mrr_daily
WHERE date_day = date(date_day, 'start of month', '+1 month', '-1 day')
ORDER BY date_day, currency;

-- table: mrr_daily
-- name: mrr_in_one_currency
-- canned: yes
-- question: What is the monthly recurring revenue in the reporting currency, all together?
SELECT date_day, reporting_currency, SUM(mrr_reporting_micros) / 1000000.0 AS mrr,
  SUM(unconverted_subscriptions) AS without_rate
FROM mrr_daily
WHERE date_day = date(date_day, 'start of month', '+1 month', '-1 day')
GROUP BY date_day, reporting_currency
ORDER BY date_day;

-- table: price_outlier
-- name: outliers
-- question: Which reported prices were not believed, and how far off are they?
SELECT product_id, currency, price_milli / 1000.0 AS reported, reference_milli / 1000.0 AS reference,
  ratio_bp / 10000.0 AS ratio, verdict
FROM price_outlier
ORDER BY verdict, product_id, currency, reported;

-- table: backtest_by_rule
-- name: rules_that_err
-- question: Which rules err, and how much money is it?
-- empty: nothing is signed in the sample
SELECT rule, status, currency, rows, right_bp / 100.0 AS right_percent, wrong_rows,
  error_milli / 1000.0 AS error
FROM backtest_by_rule
ORDER BY rows DESC, rule, status, currency;
