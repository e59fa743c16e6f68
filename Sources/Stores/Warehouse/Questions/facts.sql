-- Three questions or more to each fact table. The docs and Datasette's canned queries are made of
-- these.

-- table: fct_revenue
-- name: amounts_by_rule
-- canned: yes
-- question: How well are the amounts known, and by which rule?
SELECT price_rule, price_status, count(1) AS purchases, currency, SUM(paid_milli) / 1000.0 AS paid
FROM fct_revenue
GROUP BY price_rule, price_status, currency
ORDER BY purchases DESC, price_rule, price_status, currency;

-- table: fct_revenue
-- name: revenue_by_storefront
-- canned: yes
-- question: In which countries is a product paid for, and how much?
SELECT storefront, currency, product_id, count(1) AS purchases, SUM(paid_milli) / 1000.0 AS paid,
  count(1) - count(paid_milli) AS unresolved
FROM fct_revenue
WHERE period_kind <> 'trial'
GROUP BY storefront, currency, product_id
ORDER BY purchases DESC, storefront, currency, product_id;

-- table: fct_revenue
-- name: revenue_by_month_and_country
-- canned: yes
-- question: What does each country bring in a month, in its own and in the reporting currency?
SELECT substr(purchased_date, 1, 7) AS month, COALESCE(storefront, 'unknown') AS country, currency,
  SUM(paid_milli) / 1000.0 AS paid,
  SUM(COALESCE(refunded_milli, CASE reversal_kind WHEN 'refund' THEN paid_milli ELSE 0 END)) / 1000.0
    AS of_it_refunded,
  SUM(paid_reporting_micros) / 1000000.0 AS paid_in_reporting_currency,
  count(paid_milli) - count(paid_reporting_micros) AS without_rate,
  count(1) - count(paid_milli) AS unresolved
FROM fct_revenue
GROUP BY month, country, currency
ORDER BY month, country, currency;

-- table: fct_revenue
-- name: revenue_by_cohort
-- canned: yes
-- question: What have the customers of each month paid since, month after month?
WITH customer_purchase AS (
  -- A chain without customer_key counts as one customer.
  SELECT COALESCE(customer_key, original_transaction_id) AS customer, purchased_date, currency,
    paid_milli, reversal_kind, refunded_milli
  FROM fct_revenue
), first_purchase AS (
  SELECT customer, MIN(purchased_date) AS day FROM customer_purchase GROUP BY customer
)
SELECT substr(f.day, 1, 7) AS cohort, r.currency,
  12 * (substr(r.purchased_date, 1, 4) - substr(f.day, 1, 4))
    + substr(r.purchased_date, 6, 2) - substr(f.day, 6, 2) AS months_later,
  count(DISTINCT CASE WHEN r.paid_milli > 0 THEN r.customer END) AS paying_customers,
  SUM(r.paid_milli - COALESCE(
    r.refunded_milli, CASE r.reversal_kind WHEN 'refund' THEN r.paid_milli ELSE 0 END)) / 1000.0 AS paid,
  count(1) - count(r.paid_milli) AS unresolved
FROM customer_purchase AS r
JOIN first_purchase AS f ON f.customer = r.customer
GROUP BY cohort, r.currency, months_later
ORDER BY cohort, r.currency, months_later;

-- table: fct_revenue
-- name: unresolved_purchases
-- canned: yes
-- question: Which purchases have no amount, and between which bounds does it lie?
SELECT transaction_id, product_id, purchased_at, period_kind, offer_id, currency,
  paid_low_milli / 1000.0 AS at_least, paid_high_milli / 1000.0 AS at_most, price_status
FROM fct_revenue
WHERE paid_milli IS NULL
ORDER BY purchased_at, transaction_id;

-- table: fct_revenue_entry
-- name: money_by_month
-- canned: yes
-- question: How much money moved in a month, refunds on the day they were given?
SELECT substr(entry_date, 1, 7) AS month, currency,
  SUM(CASE entry_kind WHEN 'charge' THEN amount_milli ELSE 0 END) / 1000.0 AS charged,
  SUM(CASE entry_kind WHEN 'refund' THEN amount_milli ELSE 0 END) / 1000.0 AS refunded,
  SUM(amount_milli) / 1000.0 AS net
FROM fct_revenue_entry
WHERE entry_kind IN ('charge', 'refund')
GROUP BY month, currency
ORDER BY month, currency;

-- table: fct_revenue_entry
-- name: refund_delay
-- question: How long after the purchase is money given back?
SELECT r.product_id, count(1) AS refunds,
  CAST(MIN(julianday(e.entry_date) - julianday(r.purchased_date)) AS INTEGER) AS shortest_days,
  CAST(MAX(julianday(e.entry_date) - julianday(r.purchased_date)) AS INTEGER) AS longest_days
FROM fct_revenue_entry AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE e.entry_kind = 'refund'
GROUP BY r.product_id
ORDER BY refunds DESC, r.product_id;

-- table: fct_revenue_entry
-- name: upgrade_credits
-- question: How much went back for upgrades, as an estimate that no default sum contains?
SELECT currency, count(1) AS upgrades, SUM(amount_milli) / 1000.0 AS credited_estimate
FROM fct_revenue_entry
WHERE entry_kind = 'upgrade_credit_estimate'
GROUP BY currency
ORDER BY currency;

-- table: fct_conversion
-- name: trials_that_paid
-- canned: yes
-- question: Of the trials that had time to convert, how many did, by either definition?
SELECT offer_product_id, SUM(is_mature) AS ripe,
  SUM(is_mature = 1 AND status = 'converted' AND is_same_product = 1) AS to_the_same_product,
  SUM(is_mature = 1 AND status = 'converted') AS to_any_product
FROM fct_conversion
WHERE offer_kind = 'trial'
GROUP BY offer_product_id
ORDER BY ripe DESC, offer_product_id;

-- table: fct_conversion
-- name: first_payment_after_trial
-- question: What do customers pay first after a free trial?
SELECT converted_product_id, currency, converted_paid_milli / 1000.0 AS first_payment,
  count(1) AS conversions
FROM fct_conversion
WHERE offer_kind = 'trial' AND status = 'converted'
GROUP BY converted_product_id, currency, converted_paid_milli
ORDER BY conversions DESC, converted_product_id, currency, first_payment;

-- table: fct_conversion
-- name: open_offers
-- question: Which offers can still convert, and until when?
SELECT offer_kind, offer_product_id, started_date, date(matures_at) AS decided_by, status
FROM fct_conversion
WHERE status IN ('pending', 'billing_retry')
ORDER BY matures_at, offer_product_id;

-- table: fct_renewal_state
-- name: renewal_switched_off
-- question: When was auto-renewal switched off, and why does Apple say a subscription ended?
SELECT substr(observed_at, 1, 7) AS month, product_id, expiration_intent, count(1) AS chains
FROM fct_renewal_state
WHERE auto_renew_status = 0
GROUP BY month, product_id, expiration_intent
ORDER BY month, product_id, expiration_intent;

-- table: fct_renewal_state
-- name: in_billing_retry
-- question: Whom does Apple still try to charge?
SELECT original_transaction_id, MAX(observed_at) AS seen, product_id, is_in_billing_retry,
  grace_period_expires_at
FROM fct_renewal_state
GROUP BY original_transaction_id
HAVING is_in_billing_retry = 1
ORDER BY seen DESC, original_transaction_id;

-- table: fct_renewal_state
-- name: planned_changes
-- question: Who has chosen another product for the next renewal?
SELECT original_transaction_id, observed_at, product_id, auto_renew_product_id
FROM fct_renewal_state
WHERE auto_renew_product_id <> product_id
ORDER BY observed_at, original_transaction_id;

-- table: bridge_transaction_id
-- name: find_purchase
-- question: Which purchase does a transaction id belong to, whichever of its ids it is?
SELECT b.transaction_id AS asked, r.transaction_id, r.product_id, r.purchased_at,
  r.paid_milli / 1000.0 AS paid, r.currency, r.price_rule
FROM bridge_transaction_id AS b
JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
WHERE b.transaction_id <> r.transaction_id
ORDER BY b.transaction_id;

-- table: bridge_transaction_id
-- name: ids_per_purchase
-- question: How many purchases would be counted twice by their transaction ids?
SELECT ids, count(1) AS purchases
FROM (SELECT purchase_key, count(1) AS ids FROM bridge_transaction_id GROUP BY purchase_key)
GROUP BY ids
ORDER BY ids;

-- table: bridge_transaction_id
-- name: ids_of_excluded
-- question: Which transaction ids belong to purchases that are no revenue?
SELECT x.reason, b.transaction_id
FROM bridge_transaction_id AS b
JOIN excluded_purchase AS x ON x.purchase_key = b.purchase_key
ORDER BY x.reason, b.transaction_id;

-- table: fct_subscription_event
-- name: events_by_kind
-- question: How often did each event of a subscription happen?
SELECT event, count(1) AS events
FROM fct_subscription_event
GROUP BY event
ORDER BY events DESC, event;

-- table: fct_subscription_event
-- name: events_of_purchase
-- question: What happened in each period of a subscription?
SELECT r.purchased_at, r.transaction_id, e.event, e.event_at
FROM fct_subscription_event AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE r.original_transaction_id = '100000831001003'
ORDER BY r.purchased_at, e.event_number;

-- table: fct_subscription_event
-- name: running_by_product
-- question: How many subscriptions of each product run today, free ones included?
SELECT r.product_id, SUM(e.running_change) AS running
FROM fct_subscription_event AS e
JOIN fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE substr(e.event_at, 1, 10) <= (SELECT MAX(date_day) FROM dim_date)
GROUP BY r.product_id
ORDER BY r.product_id;
