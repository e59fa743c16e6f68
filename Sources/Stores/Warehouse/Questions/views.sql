-- A question or more to each view. Views add up and compare; the tables behind them hold each
-- purchase.

-- table: revenue
-- name: one_purchase
-- question: What is known of one purchase, with amounts as numbers to sum?
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

-- table: price_coverage_daily
-- name: coverage_by_storefront
-- question: In which countries are amounts not known?
SELECT storefront, SUM(chargeable_rows) AS to_be_paid_for,
  SUM(chargeable_rows - known_rows) AS not_known
FROM price_coverage_daily
GROUP BY storefront
HAVING not_known > 0
ORDER BY not_known DESC, storefront;

-- table: conversion_daily
-- name: conversion_by_kind
-- question: Which kinds of offers lead to the regular price?
SELECT offer_kind, SUM(offers) AS offers, SUM(mature_offers) AS mature,
  SUM(mature_converted) AS converted,
  round(100.0 * SUM(mature_converted) / NULLIF(SUM(mature_offers), 0), 1) AS percent
FROM conversion_daily
GROUP BY offer_kind
ORDER BY offers DESC, offer_kind;

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
SELECT offer_kind, COALESCE(offer_name, offer_id) AS offer, offer_product_id, currency,
  SUM(offers) AS offers, SUM(converted_any) AS converted, SUM(open_offers) AS open,
  SUM(offer_paid_milli) / 1000.0 AS paid_in_offer,
  SUM(converted_paid_milli) / 1000.0 AS paid_at_conversion
FROM offer_performance
GROUP BY offer_kind, offer, offer_product_id, currency
ORDER BY converted DESC, offer_kind, offer, offer_product_id, currency;

-- table: refund_rate
-- name: refunds_by_product
-- question: Which share of the paid purchases is refunded?
SELECT product_id, SUM(paid_rows) AS paid, SUM(refunded_rows) AS refunded,
  100.0 * SUM(refunded_rows) / SUM(CASE WHEN refunded_rows IS NOT NULL THEN paid_rows END) AS percent
FROM refund_rate
GROUP BY product_id
ORDER BY percent DESC, product_id;

-- table: refund_rate
-- name: refunds_by_month
-- question: Which share of a month's paid purchases has been refunded, and can it still grow?
SELECT substr(cohort_date, 1, 7) AS month, product_id, SUM(paid_rows) AS paid,
  SUM(refunded_rows) AS refunded, round(100.0 * SUM(refunded_rows)
    / SUM(CASE WHEN refunded_rows IS NOT NULL THEN paid_rows END), 1) AS percent,
  MIN(is_complete) AS is_complete
FROM refund_rate
GROUP BY month, product_id
ORDER BY month, product_id;

-- table: renewal_rate
-- name: renewals
-- question: How many go on from one paid period to the next?
SELECT product_id, paid_number, SUM(matured_rows) AS matured, SUM(renewed_rows) AS renewed,
  100.0 * SUM(renewed_rows) / NULLIF(SUM(matured_rows), 0) AS percent,
  MIN(is_complete) AS is_complete
FROM renewal_rate
GROUP BY product_id, paid_number
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
SELECT date_day, product_id, SUM(active_subscriptions) AS active,
  SUM(unresolved_subscriptions) AS of_unknown_amount
FROM active_subscriptions_daily
WHERE date_day = date(date_day, 'start of month', '+1 month', '-1 day')
GROUP BY date_day, product_id
ORDER BY date_day, product_id;

-- table: mrr_daily
-- name: mrr_at_month_ends
-- canned: yes
-- question: What is the monthly recurring revenue at the end of each month, by either definition?
SELECT date_day, currency, SUM(mrr_micros) / 1000000.0 AS mrr,
  SUM(mrr_rc_compatible_micros) / 1000000.0 AS as_revenuecat_counts
FROM mrr_daily
WHERE date_day = date(date_day, 'start of month', '+1 month', '-1 day')
GROUP BY date_day, currency
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

-- table: mrr_by_purchase
-- name: mrr_of_a_day
-- question: Which subscriptions make up the monthly recurring revenue of a day, the largest first?
SELECT original_transaction_id, product_id, storefront, currency, mrr_micros / 1000000.0 AS mrr,
  first_date, end_date
FROM mrr_by_purchase
WHERE first_date <= '2021-06-30' AND end_date > '2021-06-30'
ORDER BY mrr DESC, original_transaction_id;

-- table: mrr_movement_monthly
-- name: mrr_movements
-- canned: yes
-- question: Why did the monthly recurring revenue change, in the reporting currency?
SELECT month, SUM(start_reporting_micros) / 1e6 AS at_start, SUM(new_reporting_micros) / 1e6 AS new,
  SUM(reactivated_reporting_micros) / 1e6 AS reactivated,
  SUM(recovered_reporting_micros) / 1e6 AS recovered,
  SUM(expansion_reporting_micros) / 1e6 AS expansion,
  SUM(contraction_reporting_micros) / 1e6 AS contraction,
  SUM(churned_reporting_micros) / 1e6 AS churned,
  SUM(exchange_reporting_micros) / 1e6 AS exchange, SUM(end_reporting_micros) / 1e6 AS at_end,
  MIN(is_complete) AS is_complete
FROM mrr_movement_monthly
GROUP BY month
ORDER BY month;

-- table: recurring_change_daily
-- name: paid_periods_gained
-- question: By how many do the subscriptions that are paid for grow or shrink on each day?
SELECT date_day, SUM(paid) AS change, SUM(unresolved) AS change_of_unknown_amount
FROM recurring_change_daily
GROUP BY date_day
ORDER BY date_day;

-- table: recurring_change_daily
-- name: recurring_revenue_gained
-- question: How much recurring revenue does each currency gain or lose in a month?
SELECT substr(date_day, 1, 7) AS month, currency, SUM(mrr_micros) / 1e6 AS gained
FROM recurring_change_daily
GROUP BY month, currency
ORDER BY month, currency;

-- table: recurring_change_daily
-- name: running_by_country
-- question: How many subscriptions run in each country today, free ones included?
SELECT storefront, SUM(running) AS running
FROM recurring_change_daily
WHERE date_day <= (SELECT MAX(date_day) FROM dim_date)
GROUP BY storefront
ORDER BY running DESC, storefront;

-- table: subscription_event
-- name: one_subscription
-- question: What happened to one subscription, from its first day on?
SELECT event_at, event, product_id, former_product_id, spell_number, paid_number,
  amount_milli / 1000.0 AS amount, currency
FROM subscription_event
WHERE original_transaction_id = '100000831001003'
ORDER BY event_at, is_beginning;

-- table: subscription_movement_daily
-- name: movements_by_month
-- canned: yes
-- question: How many subscriptions began, went on, changed and ended in a month?
SELECT substr(date_day, 1, 7) AS month, SUM(started) AS started, SUM(trial_started) AS trials,
  SUM(converted) AS converted, SUM(renewed) AS renewed, SUM(recovered) AS recovered,
  SUM(reactivated) AS reactivated, SUM(upgraded) AS upgraded, SUM(downgraded) AS downgraded,
  SUM(cancelled) AS cancelled, SUM(expired) AS expired, SUM(refunded) AS refunded
FROM subscription_movement_daily
GROUP BY month
ORDER BY month;

-- table: subscription_movement_daily
-- name: running_before_and_after
-- question: How many subscriptions ran before and after a day, and through what did they change?
SELECT date_day, SUM(running_at_start) AS at_start, SUM(started) AS started,
  SUM(reactivated + returned) AS came_back, SUM(moved_in - moved_out) AS moved,
  SUM(expired + not_seen) AS ended, SUM(ended_by_refund) AS refunded, SUM(running_at_end) AS at_end
FROM subscription_movement_daily
WHERE product_id = 'pro.monthly' AND storefront = 'USA'
GROUP BY date_day
ORDER BY date_day;

-- table: churn_monthly
-- name: churn
-- canned: yes
-- question: Which share of the subscriptions of a product is lost in a month?
SELECT month, product_id, SUM(subscriptions_at_start) AS at_start,
  SUM(churned_subscriptions) AS churned,
  SUM(not_seen_subscriptions) AS not_seen,
  round(100.0 * SUM(churned_subscriptions)
    / NULLIF(SUM(subscriptions_at_start - not_seen_subscriptions), 0), 1) AS percent,
  MIN(is_complete) AS is_complete
FROM churn_monthly
GROUP BY month, product_id
ORDER BY month, product_id;

-- table: retention_cohort
-- name: retention
-- canned: yes
-- question: How many of those who began to pay in a month reached each further period?
SELECT cohort_month, product_id, period_number, SUM(subscriptions) AS subscriptions,
  SUM(retained) AS retained, round(100.0 * SUM(retained) / SUM(subscriptions), 1) AS percent,
  MIN(is_complete) AS is_complete
FROM retention_cohort
GROUP BY cohort_month, product_id, period_number
ORDER BY product_id, cohort_month, period_number;

-- table: ltv_cohort
-- name: lifetime_value
-- canned: yes
-- question: What have the customers of each month paid by now, per customer and per payer?
SELECT cohort_month, months_since, SUM(customers) AS customers,
  SUM(paying_customers) AS paying_customers,
  round(SUM(net_reporting_micros) / 1e6 / NULLIF(SUM(customers), 0), 2) AS per_customer,
  round(SUM(net_reporting_micros) / 1e6 / NULLIF(SUM(paying_customers), 0), 2) AS per_payer,
  MIN(is_complete) AS is_complete
FROM ltv_cohort
GROUP BY cohort_month, months_since
ORDER BY cohort_month, months_since;

-- table: arppu_monthly
-- name: arppu
-- question: What does a paying customer bring in a month, by currency?
SELECT month, currency, paying_customers, net_milli / 1000.0 AS net, arppu_milli / 1000.0 AS arppu,
  unresolved_rows, is_complete
FROM arppu_monthly
ORDER BY month, currency;

-- table: revenue_by_kind_daily
-- name: new_and_renewal_revenue
-- canned: yes
-- question: How much of a month's revenue is new, and how much comes from renewals?
SELECT substr(date_day, 1, 7) AS month, currency, SUM(new_milli) / 1000.0 AS new,
  SUM(renewal_milli) / 1000.0 AS renewal, SUM(reactivation_milli) / 1000.0 AS reactivation,
  SUM(one_time_milli) / 1000.0 AS one_time, SUM(unresolved_rows) AS unresolved
FROM revenue_by_kind_daily
GROUP BY month, currency
ORDER BY month, currency;

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

-- table: service_comparison_by_cause
-- name: where_the_service_differs
-- question: Where does the hosted service book something else than was paid, and why?
-- empty: the sample has no export of a service
SELECT service, currency, cause, SUM(purchases) AS purchases,
  SUM(difference_milli) / 1000.0 AS difference
FROM service_comparison_by_cause
WHERE cause <> 'equal'
GROUP BY service, currency, cause
ORDER BY service, currency, cause;

-- table: reconciliation_monthly
-- name: apple_beside_facts
-- question: What do Apple's reports tell beside the facts, month by month?
-- empty: the sample has no report of Apple's
SELECT month, currency, SUM(apple_milli) / 1000.0 AS apple, SUM(our_milli) / 1000.0 AS ours,
  SUM(difference_milli) / 1000.0 AS difference, SUM(receipt_missing_milli) / 1000.0 AS no_receipt,
  SUM(price_milli) / 1000.0 AS prices, SUM(unexplained_milli) / 1000.0 AS unexplained
FROM reconciliation_monthly
GROUP BY month, currency
ORDER BY month, currency;

-- table: reconciliation_by_cause
-- name: causes_by_month
-- question: Which causes of difference grow from month to month?
-- empty: the sample has no report of Apple's
SELECT month, cause, currency, difference_milli / 1000.0 AS difference
FROM reconciliation_by_cause
WHERE cause <> 'equal'
ORDER BY cause, currency, month;

-- table: product_flow_monthly
-- name: product_changes
-- canned: yes
-- question: From which product to which do subscribers change, and what does it bring?
SELECT from_product_id, to_product_id, SUM(changes) AS changes, SUM(upgrades) AS upgrades,
  SUM(downgrades) AS downgrades, SUM(crossgrades) AS crossgrades,
  SUM(paid_reporting_micros) / 1000000.0 AS first_periods_paid,
  SUM(unresolved_rows) AS without_amount
FROM product_flow_monthly
GROUP BY from_product_id, to_product_id
ORDER BY changes DESC, from_product_id, to_product_id;

-- table: revenue_daily
-- name: revenue_between_bounds
-- canned: yes
-- question: What was earned in all currencies together, and how much of it is not known?
SELECT substr(date_day, 1, 7) AS month, reporting_currency,
  SUM(gross_reporting_micros) / 1000000.0 AS known,
  SUM(gross_low_reporting_micros) / 1000000.0 AS at_least,
  SUM(gross_high_reporting_micros) / 1000000.0 AS at_most,
  SUM(estimated_high_rows) AS estimated_rows, SUM(unbounded_rows) AS rows_without_limit,
  round(100.0 * (SUM(chargeable_rows) - SUM(unresolved_rows)) / NULLIF(SUM(chargeable_rows), 0), 1)
    AS percent_known
FROM revenue_daily
GROUP BY month, reporting_currency
ORDER BY month;

-- table: dim_customer
-- name: customers_by_first_month
-- canned: yes
-- question: How many customers made their first purchase in a month, and how many of them have paid?
SELECT substr(first_purchased_at, 1, 7) AS month, count(1) AS customers,
  count(first_trial_at) AS with_a_trial, count(first_paid_at) AS who_paid,
  SUM(first_paid_at IS NULL AND unresolved_rows > 0) AS who_may_have_paid
FROM dim_customer
GROUP BY month
ORDER BY month;

-- table: reconciliation_upgrades
-- name: upgrade_credits_checked
-- question: Do the estimates of upgrade credits agree with what Apple gave back?
-- empty: the sample has no report of Apple's
SELECT month, currency, SUM(apple_refunds) AS refunds, SUM(our_credits) AS credits,
  SUM(apple_milli) / 1000.0 AS apple, SUM(estimate_milli) / 1000.0 AS estimate
FROM reconciliation_upgrades
GROUP BY month, currency
ORDER BY month, currency;

-- table: reconciliation_subscriptions_daily
-- name: subscriptions_checked
-- question: On which days does Apple count other subscriptions than the facts?
-- empty: the sample has no report of Apple's
SELECT date_day, product_id, apple_subscriptions, our_subscriptions, difference
FROM reconciliation_subscriptions_daily
WHERE is_alike = 0
ORDER BY date_day DESC, product_id;

-- table: reconciliation_events_daily
-- name: events_checked
-- question: Does Apple count as many trials and conversions as the facts, and why not?
-- empty: the sample has no report of Apple's
SELECT substr(date_day, 1, 7) AS month, event, cause, SUM(apple_events) AS apple,
  SUM(our_events) AS ours
FROM reconciliation_events_daily
GROUP BY month, event, cause
ORDER BY month, event, cause;

-- table: revenue_monthly
-- name: proceeds_by_apple
-- question: For what share of the revenue are the proceeds Apple's own figure?
SELECT month, currency, SUM(gross_milli) / 1000.0 AS gross,
  SUM(apple_proceeds_gross_milli) / 1000.0 AS by_apple,
  SUM(estimated_proceeds_gross_milli) / 1000.0 AS estimated
FROM revenue_monthly
WHERE currency IS NOT NULL
GROUP BY month, currency
ORDER BY month DESC, currency
LIMIT 12;
