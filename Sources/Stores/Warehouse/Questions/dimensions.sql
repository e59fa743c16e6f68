-- Three questions to each dimension, and to the evidence behind the amounts.

-- table: dim_subscription
-- name: subscribers_won_and_lost
-- canned: yes
-- question: How many subscriptions began to pay in a month, and how many have ended?
WITH movement (day, product_id, won, lost) AS (
  SELECT first_paid_at, current_product_id, 1, 0 FROM dim_subscription
  WHERE first_paid_at IS NOT NULL
  UNION ALL
  SELECT expires_at, current_product_id, 0, 1 FROM dim_subscription
  WHERE first_paid_at IS NOT NULL AND status IN ('expired', 'revoked')
)
SELECT substr(day, 1, 7) AS month, product_id, SUM(won) AS won, SUM(lost) AS lost,
  SUM(won) - SUM(lost) AS difference
FROM movement
GROUP BY month, product_id
ORDER BY month, product_id;

-- table: dim_subscription
-- name: subscriptions_by_status
-- canned: yes
-- question: How many subscriptions are active, in grace, in billing retry, expired?
SELECT status, current_product_id, count(1) AS subscriptions
FROM dim_subscription
GROUP BY status, current_product_id
ORDER BY subscriptions DESC, status, current_product_id;

-- table: dim_subscription
-- name: ending_soon
-- empty: every subscription that still runs in the sample renews
-- question: Which subscriptions end next and will not renew?
SELECT original_transaction_id, current_product_id, status, expires_at
FROM dim_subscription
WHERE auto_renew_status = 0
  AND expires_at >= (SELECT as_of FROM audit_run ORDER BY run_id DESC LIMIT 1)
ORDER BY expires_at, original_transaction_id;

-- table: dim_subscription
-- name: came_back
-- question: Who came back after a break of more than sixty days?
SELECT original_transaction_id, current_product_id, spells, paid_count, first_started_at, status
FROM dim_subscription
WHERE spells > 1
ORDER BY spells DESC, original_transaction_id;

-- table: dim_offer_eligibility
-- name: eligible_customers
-- question: How many customers may still be shown an introductory offer, and why not the others?
SELECT subscription_group_id, intro_reason, count(1) AS customers
FROM dim_offer_eligibility
GROUP BY subscription_group_id, intro_reason
ORDER BY subscription_group_id, customers DESC, intro_reason;

-- table: dim_offer_eligibility
-- name: win_back_audience
-- question: Who may be offered a promotional price to come back?
SELECT e.customer_key, e.subscription_group_id, s.current_product_id, s.status
FROM dim_offer_eligibility AS e
JOIN dim_subscription AS s ON s.customer_key = e.customer_key
  AND s.subscription_group_id = e.subscription_group_id
WHERE e.is_promo_eligible = 1 AND s.status = 'expired'
ORDER BY e.customer_key, s.original_transaction_id;

-- table: dim_offer_eligibility
-- name: undecided_customers
-- question: For whom is eligibility not decided, because a grace period runs?
SELECT customer_key, subscription_group_id, intro_reason
FROM dim_offer_eligibility
WHERE is_intro_eligible IS NULL
ORDER BY customer_key, subscription_group_id;

-- table: dim_product
-- name: products
-- question: Which products are there, of which kind, and how long is their period?
SELECT product_id, product_kind, subscription_period, subscription_group_id
FROM dim_product
ORDER BY subscription_group_id, product_id;

-- table: dim_product
-- name: revenue_by_group
-- question: How much does each subscription group bring?
SELECT p.subscription_group_id, r.currency, SUM(r.paid_milli) / 1000.0 AS paid
FROM dim_product AS p
JOIN fct_revenue AS r ON r.product_id = p.product_id
WHERE p.subscription_group_id IS NOT NULL
GROUP BY p.subscription_group_id, r.currency
ORDER BY p.subscription_group_id, r.currency;

-- table: dim_product
-- name: products_never_paid
-- question: Which products were never paid for, or never at a known price?
SELECT p.product_id, p.product_kind, count(r.purchase_key) AS purchases,
  count(r.paid_milli) AS with_amount
FROM dim_product AS p
LEFT JOIN fct_revenue AS r ON r.product_id = p.product_id AND r.period_kind <> 'trial'
GROUP BY p.product_id, p.product_kind
ORDER BY with_amount, p.product_id;

-- table: dim_date
-- name: days_without_sales
-- question: On which days was nothing bought at all?
SELECT d.date_day
FROM dim_date AS d
LEFT JOIN fct_revenue AS r ON r.purchased_date = d.date_day
WHERE r.purchase_key IS NULL
ORDER BY d.date_day;

-- table: dim_date
-- name: revenue_by_week
-- question: How much was paid in each ISO week, weeks without a sale at 0?
SELECT d.iso_week, COALESCE(SUM(r.paid_milli), 0) / 1000.0 AS paid_usd
FROM dim_date AS d
LEFT JOIN fct_revenue AS r ON r.purchased_date = d.date_day AND r.currency = 'USD'
GROUP BY d.iso_week
ORDER BY d.iso_week;

-- table: dim_date
-- name: calendar_reach
-- question: From which day to which do the facts reach?
SELECT MIN(date_day) AS first_day, MAX(date_day) AS last_day, count(1) AS days
FROM dim_date;

-- table: dim_product_price
-- name: price_changes
-- canned: yes
-- question: When did a list price change, and on whose word?
SELECT product_id, currency, valid_from, valid_to, price_milli / 1000.0 AS price, voters
FROM dim_product_price
WHERE price_kind = 'regular'
ORDER BY product_id, currency, valid_from;

-- table: dim_product_price
-- name: offer_prices
-- question: What do introductory and other offers cost, where and how are they paid?
SELECT product_id, price_kind, offer_id, payment_mode, currency, storefront,
  price_milli / 1000.0 AS price, voters
FROM dim_product_price
WHERE price_kind <> 'regular'
ORDER BY product_id, price_kind, offer_id, currency, storefront, valid_from;

-- table: dim_product_price
-- name: thin_prices
-- question: Which prices rest on the word of a single customer?
SELECT product_id, currency, price_kind, price_milli / 1000.0 AS price, reports, rejected_reports
FROM dim_product_price
WHERE voters = 1
ORDER BY product_id, currency, price_kind, price;

-- table: price_evidence
-- name: evidence_by_verdict
-- question: How many of the reported prices are believed?
SELECT verdict, count(1) AS reports, count(DISTINCT customer_key) AS customers
FROM price_evidence
GROUP BY verdict
ORDER BY reports DESC, verdict;

-- table: price_evidence
-- name: who_lies
-- canned: yes
-- question: Which reports are not believed, and what did others report?
SELECT product_id, currency, price_milli / 1000.0 AS reported, reference_milli / 1000.0 AS reference,
  verdict, reported_at, source_file_id, source_line
FROM price_evidence
WHERE verdict NOT IN ('believed', 'no_reference', 'charged')
ORDER BY reported_at, product_id;

-- table: price_evidence
-- name: evidence_used
-- question: Which reports decided most amounts?
SELECT e.evidence_id, e.product_id, e.price_milli / 1000.0 AS price, e.currency,
  count(r.purchase_key) AS purchases
FROM price_evidence AS e
JOIN fct_revenue AS r ON r.evidence_id = e.evidence_id
GROUP BY e.evidence_id, e.product_id, e.price_milli, e.currency
ORDER BY purchases DESC, e.evidence_id
LIMIT 20;

-- table: price_evidence_offer
-- name: reported_offers
-- question: Which offers did the apps report, and at which prices?
SELECT CASE o.offer_id WHEN '' THEN 'introductory' ELSE o.offer_id END AS offer, e.product_id,
  e.currency, o.payment_mode, o.price_milli / 1000.0 AS price, count(1) AS reports
FROM price_evidence_offer AS o
JOIN price_evidence AS e ON e.evidence_id = o.evidence_id
GROUP BY offer, e.product_id, e.currency, o.payment_mode, o.price_milli
ORDER BY reports DESC, offer, e.product_id, e.currency, price;

-- table: price_evidence_offer
-- name: offers_with_two_prices
-- question: Which offers were reported at more than one price in one currency?
SELECT e.product_id, o.offer_id, o.payment_mode, e.currency,
  MIN(o.price_milli) / 1000.0 AS lowest, MAX(o.price_milli) / 1000.0 AS highest
FROM price_evidence_offer AS o
JOIN price_evidence AS e ON e.evidence_id = o.evidence_id
WHERE e.verdict IN ('believed', 'no_reference')
GROUP BY e.product_id, o.offer_id, o.payment_mode, e.currency
HAVING MIN(o.price_milli) < MAX(o.price_milli)
ORDER BY e.product_id, o.offer_id, e.currency;

-- table: price_evidence_offer
-- name: offer_lengths
-- question: How long do the reported offers run?
SELECT offer_id, payment_mode, number_of_periods, subscription_period, count(1) AS reports
FROM price_evidence_offer
GROUP BY offer_id, payment_mode, number_of_periods, subscription_period
ORDER BY reports DESC, offer_id, payment_mode;

-- table: customers_daily
-- name: customers_who_pay
-- canned: yes
-- question: Of all customers who were first named in a month, how many ever bought, tried and paid?
SELECT substr(date_day, 1, 7) AS month, SUM(customers) AS customers, SUM(buyers) AS bought,
  SUM(trial_customers) AS tried, SUM(payers) AS paid, SUM(possible_payers) AS paid_at_most,
  round(100.0 * SUM(payers) / SUM(customers), 1) AS percent_paying
FROM customers_daily
GROUP BY month
ORDER BY month;

-- table: customers_daily
-- name: customers_by_country
-- question: In which countries do most customers pay?
SELECT NULLIF(storefront, '') AS country, SUM(customers) AS customers, SUM(payers) AS paid,
  round(100.0 * SUM(payers) / SUM(customers), 1) AS percent_paying
FROM customers_daily
GROUP BY storefront
ORDER BY customers DESC, country;

-- table: customers_daily
-- name: customers_in_all
-- question: How many customers are there at the end of each month, and which share of them has paid?
SELECT DISTINCT substr(date_day, 1, 7) AS month,
  SUM(customers) OVER (ORDER BY substr(date_day, 1, 7)) AS customers,
  SUM(payers) OVER (ORDER BY substr(date_day, 1, 7)) AS payers
FROM customers_daily
ORDER BY month;
