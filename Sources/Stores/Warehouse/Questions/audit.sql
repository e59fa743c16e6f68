-- Three questions to each table that tells what was left out and what the runs did.

-- table: excluded_purchase
-- name: exclusions_by_reason
-- question: How many purchases are no revenue, and why?
SELECT reason, count(1) AS purchases
FROM excluded_purchase
GROUP BY reason
ORDER BY purchases DESC, reason;

-- table: excluded_purchase
-- name: excluded_ids
-- question: Which purchases are meant, by Apple's ids?
SELECT transaction_id, reason
FROM excluded_purchase
ORDER BY reason, transaction_id;

-- table: excluded_purchase
-- name: exclusions_share
-- question: How many purchases count, beside those that do not?
SELECT 'counted' AS purchases, count(1) AS number FROM fct_revenue
UNION ALL
SELECT reason, count(1) FROM excluded_purchase GROUP BY reason;

-- table: rejected_record
-- name: rejects_by_reason
-- canned: yes
-- question: What could not be read, and why?
SELECT reason_code, count(1) AS records, MIN(detail) AS example
FROM rejected_record
GROUP BY reason_code
ORDER BY records DESC, reason_code;

-- table: rejected_record
-- name: rejects_by_file
-- question: Which files hold them, on which lines?
SELECT f.name, r.source_line, r.reason_code, r.detail
FROM rejected_record AS r
JOIN audit_file AS f ON f.source_file_id = r.source_file_id
ORDER BY f.name, r.source_line, r.reason_code;

-- table: rejected_record
-- name: receipts_to_ask_again
-- question: Which receipts is it worth asking Apple for again?
SELECT f.name, r.source_line, r.reason_code
FROM rejected_record AS r
JOIN audit_file AS f ON f.source_file_id = r.source_file_id
WHERE r.reason_code IN ('status_21002', 'status_21005', 'status_21009', 'status_211xx')
ORDER BY f.name, r.source_line;

-- table: audit_run
-- name: newest_run
-- canned: yes
-- question: What do the facts stand for: as of when, complete through which day, how well known?
SELECT run_id, as_of, complete_through_date, finished_at, files, records, rejected,
  price_coverage_bp / 100.0 AS percent_known, exact_bp / 100.0 AS percent_exact
FROM audit_run
ORDER BY run_id DESC
LIMIT 1;

-- table: audit_run
-- name: runs
-- question: Which runs published, and with which versions?
SELECT run_id, kind, started_at, finished_at, program_version, rules_version, content_digest
FROM audit_run
ORDER BY run_id DESC;

-- table: audit_run
-- name: rows_by_run
-- question: In which run did purchases first turn up, and in which did their facts last change?
SELECT a.run_id,
  (SELECT count(1) FROM fct_revenue WHERE first_run_id = a.run_id) AS first_seen,
  (SELECT count(1) FROM fct_revenue WHERE changed_run_id = a.run_id) AS last_changed
FROM audit_run AS a
ORDER BY a.run_id DESC;

-- table: audit_file
-- name: files
-- canned: yes
-- question: Which files were read, and what became of their records?
SELECT name, kind, status, export_date, records, used, duplicates, rejected
FROM audit_file
ORDER BY export_date, kind, name;

-- table: audit_file
-- name: days_between_exports
-- question: Where are gaps between the receipt exports?
SELECT export_date, LEAD(export_date) OVER (ORDER BY export_date) AS next_export,
  CAST(julianday(LEAD(export_date) OVER (ORDER BY export_date)) - julianday(export_date) AS INTEGER)
    AS days
FROM audit_file
WHERE kind = 'receipts' AND export_date IS NOT NULL
ORDER BY days DESC, export_date;

-- table: audit_file
-- name: source_of_purchases
-- question: From which files do the facts come?
SELECT f.name, f.kind, count(r.purchase_key) AS purchases
FROM audit_file AS f
LEFT JOIN fct_revenue AS r ON r.source_file_id = f.source_file_id
GROUP BY f.name, f.kind
ORDER BY purchases DESC, f.name;

-- table: audit_restatement
-- name: restated_by_cause
-- canned: yes
-- empty: nothing has been published twice in the sample
-- question: Which published figures changed, and why?
SELECT run_id, metric, cause, currency, count(1) AS days, SUM(new_milli - old_milli) AS change_milli
FROM audit_restatement
GROUP BY run_id, metric, cause, currency
ORDER BY run_id DESC, metric, cause, currency;

-- table: audit_restatement
-- name: restated_days
-- empty: nothing has been published twice in the sample
-- question: How far back do changes reach?
SELECT run_id, metric, MIN(date_day) AS first_day, MAX(date_day) AS last_day, SUM(rows) AS purchases
FROM audit_restatement
GROUP BY run_id, metric
ORDER BY run_id DESC, metric;

-- table: audit_restatement
-- name: largest_restatements
-- empty: nothing has been published twice in the sample
-- question: Which days changed most?
SELECT date_day, currency, metric, cause, old_milli / 1000.0 AS before, new_milli / 1000.0 AS after
FROM audit_restatement
WHERE metric IN ('gross', 'net')
ORDER BY ABS(new_milli - old_milli) DESC, date_day, currency
LIMIT 20;

-- table: audit_change
-- name: changed_amounts
-- canned: yes
-- empty: nothing has been published twice in the sample
-- question: Which published amounts did the newest run change, and why?
SELECT c.purchase_key, r.transaction_id, r.product_id, r.purchased_date, c.old_paid_milli,
  c.new_paid_milli, c.old_currency, c.new_currency, c.old_price_status, c.new_price_status, c.cause
FROM audit_change AS c
LEFT JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
WHERE c.run_id = (SELECT MAX(run_id) FROM audit_run)
ORDER BY r.purchased_date DESC, c.purchase_key;

-- table: audit_change
-- name: changes_by_cause
-- empty: nothing has been published twice in the sample
-- question: Why do published amounts change, and how much?
SELECT cause, old_currency, count(1) AS amounts, count(DISTINCT run_id) AS runs,
  SUM(new_paid_milli - old_paid_milli) AS change_milli
FROM audit_change
GROUP BY cause, old_currency
ORDER BY amounts DESC, cause, old_currency;

-- table: audit_change
-- name: largest_changes
-- empty: nothing has been published twice in the sample
-- question: Which published amounts changed most?
SELECT r.product_id, r.purchased_date, c.run_id, c.old_price_status, c.new_price_status, c.old_currency,
  c.old_paid_milli / 1000.0 AS before, c.new_paid_milli / 1000.0 AS after
FROM audit_change AS c
JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
WHERE c.old_paid_milli IS NOT NULL AND c.new_paid_milli IS NOT NULL
ORDER BY ABS(c.new_paid_milli - c.old_paid_milli) DESC, c.run_id, c.purchase_key
LIMIT 20;

-- table: audit_gate
-- name: gates_of_newest_runs
-- canned: yes
-- question: What did the gates find in the newest runs, and did they stop them?
SELECT run_id, severity, gate, subject, found, expected
FROM audit_gate
ORDER BY run_id DESC, severity, gate, subject
LIMIT 50;

-- table: audit_gate
-- name: gates_by_kind
-- question: Which gates trip most often, and since when?
SELECT gate, severity, count(DISTINCT run_id) AS runs, MIN(run_id) AS first_run,
  MAX(run_id) AS last_run
FROM audit_gate
GROUP BY gate, severity
ORDER BY runs DESC, gate, severity;

-- table: audit_gate
-- name: gates_of_publications
-- question: With which warnings was each run published?
SELECT a.run_id, a.finished_at, count(g.gate) AS findings
FROM audit_run AS a
LEFT JOIN audit_gate AS g ON g.run_id = a.run_id
GROUP BY a.run_id
ORDER BY a.run_id DESC;

-- table: data_test_result
-- name: failed_tests
-- canned: yes
-- question: Which data tests found something in the newest run, and by which query?
SELECT test, severity, failing_rows, sql
FROM data_test_result
WHERE run_id = (SELECT MAX(run_id) FROM audit_run) AND failing_rows > 0
ORDER BY severity, failing_rows DESC, test;

-- table: data_test_result
-- name: tests_passed
-- question: What is tested before every publication?
SELECT test, severity
FROM data_test_result
WHERE run_id = (SELECT MAX(run_id) FROM audit_run)
ORDER BY severity, test;

-- table: data_test_result
-- name: tests_over_time
-- question: Does a warning grow from run to run?
SELECT test, run_id, failing_rows
FROM data_test_result
WHERE severity = 'warn'
ORDER BY test, run_id;

-- table: meta_column
-- name: what_a_column_means
-- question: What does a column mean, in which unit, and what does NULL say?
SELECT table_name, column_name, unit, null_means, description
FROM meta_column
WHERE column_name = 'paid_milli'
ORDER BY table_name;

-- table: meta_column
-- name: columns_that_may_be_null
-- question: Where can a value be absent, and why?
SELECT table_name, column_name, null_means
FROM meta_column
WHERE null_means IS NOT NULL
ORDER BY table_name, column_name;

-- table: meta_column
-- name: columns_of_money
-- question: Which columns hold money, and in which unit?
SELECT table_name, column_name, unit
FROM meta_column
WHERE unit LIKE 'thousandths%' OR unit LIKE 'millionths%'
ORDER BY table_name, column_name;

-- table: meta_metric
-- name: metrics
-- canned: yes
-- question: What is each metric, and which view computes it?
SELECT metric, view_name, definition
FROM meta_metric
ORDER BY metric;

-- table: meta_metric
-- name: metrics_that_differ
-- question: Whose figure of the same name is another one?
SELECT metric, differs_from
FROM meta_metric
WHERE differs_from IS NOT NULL
ORDER BY metric;

-- table: meta_metric
-- name: metrics_by_view
-- question: Which views compute which metrics?
SELECT view_name, group_concat(metric, ', ') AS metrics
FROM meta_metric
GROUP BY view_name
ORDER BY view_name;

-- table: meta_rule
-- name: rules
-- question: Which rules decide an amount, and what do they say?
SELECT rule, condition, result, why
FROM meta_rule
ORDER BY rule;

-- table: meta_rule
-- name: rules_at_work
-- question: Which rules decided purchases, and which never did?
SELECT m.rule, count(r.purchase_key) AS purchases
FROM meta_rule AS m
LEFT JOIN fct_revenue AS r ON r.price_rule = m.rule
GROUP BY m.rule
ORDER BY purchases DESC, m.rule;

-- table: meta_rule
-- name: why_this_amount
-- question: Why was this purchase historyed at that amount?
SELECT r.transaction_id, r.paid_milli / 1000.0 AS paid, r.currency, m.rule, m.why
FROM fct_revenue AS r
JOIN meta_rule AS m ON m.rule = r.price_rule
WHERE r.transaction_id = '100000831001009';

-- table: audit_backtest
-- name: backtest_by_verdict
-- question: How often are the rules right where Apple signed the price?
-- empty: nothing is signed in the sample
SELECT verdict, count(1) AS purchases
FROM audit_backtest
GROUP BY verdict
ORDER BY purchases DESC, verdict;

-- table: audit_backtest
-- name: backtest_wrong_rows
-- question: Which purchases do the rules get wrong, and by how much?
-- empty: nothing is signed in the sample
SELECT r.transaction_id, r.product_id, r.currency, b.rule, b.status,
  b.signed_milli / 1000.0 AS signed, b.rule_milli / 1000.0 AS by_rule
FROM audit_backtest AS b
JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
WHERE b.verdict IN ('wrong', 'bounds_miss')
ORDER BY r.purchased_at, r.transaction_id;

-- table: audit_backtest
-- name: backtest_by_month
-- question: Are the rules better in some months than in others?
-- empty: nothing is signed in the sample
SELECT substr(r.purchased_date, 1, 7) AS month, count(1) AS purchases,
  SUM(b.verdict = 'right') AS right_rows, SUM(b.verdict = 'wrong') AS wrong_rows
FROM audit_backtest AS b
JOIN fct_revenue AS r ON r.purchase_key = b.purchase_key
GROUP BY month
ORDER BY month;

-- table: service_comparison
-- name: purchases_that_the_service_books_otherwise
-- question: Which purchases does the service book at another amount?
-- empty: the sample has no export of a service
SELECT r.transaction_id, r.product_id, r.purchased_at, c.service, c.cause,
  c.service_paid_milli / 1000.0 AS service_paid, c.paid_milli / 1000.0 AS paid, c.currency
FROM service_comparison AS c JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
WHERE c.cause <> 'equal'
ORDER BY r.purchased_at, r.transaction_id;

-- table: service_comparison
-- name: money_that_the_service_books_otherwise
-- question: How much more or less than the facts does the service book, and why?
-- empty: the sample has no export of a service
SELECT c.service, c.currency, c.cause, count(1) AS purchases,
  SUM(c.service_paid_milli - c.paid_milli) / 1000.0 AS booked_above
FROM service_comparison AS c
WHERE c.service_currency = c.currency AND c.cause <> 'equal'
GROUP BY c.service, c.currency, c.cause
ORDER BY c.service, c.currency, abs(booked_above) DESC;

-- table: service_comparison
-- name: products_with_prices_that_the_service_does_not_know
-- question: For which products does the service book today's price for subscribers who keep an older one?
-- empty: the sample has no export of a service
SELECT c.service, r.product_id, c.currency, count(1) AS purchases
FROM service_comparison AS c JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
WHERE c.cause = 'kept_price'
GROUP BY c.service, r.product_id, c.currency
ORDER BY purchases DESC, r.product_id;

-- table: audit_correction
-- name: corrections_in_force
-- question: Which amounts did the owner correct, and what would the rules have booked?
-- empty: the sample has no correction
SELECT c.transaction_id, c.amount_milli, c.currency, c.paid_without_milli, c.rule_without, c.reason
FROM audit_correction AS c
WHERE c.rule_without IS NOT NULL
ORDER BY c.transaction_id;

-- table: audit_correction
-- name: corrections_without_effect
-- question: Which corrections decide no amount, and what decides it instead?
-- empty: the sample has no correction
SELECT c.transaction_id, c.amount_milli, c.currency, c.given_by, c.given_on, r.price_rule,
  r.paid_milli, r.currency AS paid_currency, x.reason AS excluded_as
FROM audit_correction AS c
LEFT JOIN fct_revenue AS r ON r.purchase_key = c.purchase_key
LEFT JOIN excluded_purchase AS x ON x.purchase_key = c.purchase_key
WHERE c.rule_without IS NULL
ORDER BY c.transaction_id;

-- table: audit_correction
-- name: corrections_by_person
-- question: By how much did each person's corrections move the amounts?
-- empty: the sample has no correction
SELECT c.given_by, c.currency, count(1) AS corrections,
  SUM(c.amount_milli - c.paid_without_milli) AS moved_milli
FROM audit_correction AS c
WHERE c.paid_without_milli IS NOT NULL
GROUP BY c.given_by, c.currency
ORDER BY c.given_by, c.currency;

-- table: audit_apple_report
-- name: apple_reports_read
-- question: Of which days were Apple's reports read?
-- empty: the sample has no report of Apple's
SELECT report, MIN(report_date) AS first_day, MAX(report_date) AS last_day,
  count(DISTINCT report_date) AS days
FROM audit_apple_report
GROUP BY report
ORDER BY report;

-- table: audit_apple_report
-- name: apple_report_days_missing
-- question: After which days is a report of Apple's missing?
-- empty: the sample has no report of Apple's
SELECT a.report, a.report_date AS last_day_before
FROM audit_apple_report AS a
WHERE a.report IN ('sales', 'subscriber')
  AND a.report_date < (SELECT MAX(report_date) FROM audit_apple_report WHERE report = a.report)
  AND NOT EXISTS (
    SELECT 1 FROM audit_apple_report AS b
    WHERE b.report = a.report AND b.report_date = date(a.report_date, '+1 day'))
ORDER BY a.report, a.report_date;

-- table: audit_apple_report
-- name: apple_reports_without_a_line
-- question: On which days did Apple report that nothing was sold?
-- empty: the sample has no report of Apple's
SELECT r.report, r.report_date
FROM audit_apple_report AS r
WHERE NOT EXISTS (
  SELECT 1 FROM apple_report_line AS l WHERE l.source_file_id = r.source_file_id)
ORDER BY r.report, r.report_date;

-- table: apple_report_line
-- name: apple_units_by_day
-- question: What did Apple's reports tell, by day and product?
-- empty: the sample has no report of Apple's
SELECT report, event_date, product_id, storefront, currency, SUM(units) AS units,
  SUM(amount_milli) / 1000.0 AS amount
FROM apple_report_line
WHERE report IN ('sales', 'subscriber')
GROUP BY report, event_date, product_id, storefront, currency
ORDER BY event_date, report, product_id, storefront, currency;

-- table: apple_report_line
-- name: apple_prices_at_once
-- question: Which products were sold at several prices on one day in one storefront?
-- empty: the sample has no report of Apple's
SELECT event_date, product_id, storefront, currency, COALESCE(offer, 'none') AS offer,
  count(DISTINCT unit_price_milli) AS prices, MIN(unit_price_milli) / 1000.0 AS lowest,
  MAX(unit_price_milli) / 1000.0 AS highest
FROM apple_report_line
WHERE report = 'subscriber' AND is_refund = 0 AND unit_price_milli > 0
GROUP BY event_date, product_id, storefront, currency, offer
HAVING count(DISTINCT unit_price_milli) > 1
ORDER BY event_date, product_id, storefront;

-- table: apple_report_line
-- name: apple_refunds_late
-- question: How long after the purchase were refunds, by Apple's word?
-- empty: the sample has no report of Apple's
SELECT CAST(julianday(event_date) - julianday(purchase_date) AS INTEGER) / 7 AS weeks,
  count(1) AS refunds, -SUM(units) AS units
FROM apple_report_line
WHERE is_refund = 1 AND purchase_date IS NOT NULL
GROUP BY weeks
ORDER BY weeks;

-- table: audit_reconciliation
-- name: differences_by_cause
-- question: Why do the facts differ from Apple's reports?
-- empty: the sample has no report of Apple's
SELECT cause, currency, SUM(apple_units - our_units) AS units,
  SUM(apple_milli - our_milli) / 1000.0 AS difference
FROM audit_reconciliation
GROUP BY cause, currency
ORDER BY abs(difference) DESC, cause, currency;

-- table: audit_reconciliation
-- name: receipts_that_never_came
-- question: In which storefronts do receipts not reach the exports?
-- empty: the sample has no report of Apple's
SELECT storefront, SUM(apple_units) AS units, SUM(apple_milli) / 1000.0 AS amount, currency
FROM audit_reconciliation
WHERE cause = 'receipt_missing'
GROUP BY storefront, currency
ORDER BY units DESC, storefront, currency;

-- table: audit_reconciliation
-- name: unexplained_differences
-- question: Which differences from Apple's reports does nothing explain?
-- empty: the sample has no report of Apple's
SELECT month, product_id, storefront, currency, our_units, our_milli / 1000.0 AS ours
FROM audit_reconciliation
WHERE cause = 'unexplained'
ORDER BY month, product_id, storefront, currency;

-- table: completeness_daily
-- name: last_complete_day
-- canned: yes
-- question: Until which day are the figures complete?
SELECT MAX(date_day) AS last_complete_day FROM completeness_daily WHERE is_complete = 1;

-- table: completeness_daily
-- name: days_that_nobody_has_looked_at
-- question: On which days does nobody know of many subscriptions whether they went on?
SELECT date_day, running_subscriptions, not_seen_subscriptions
FROM completeness_daily
WHERE not_seen_subscriptions * 100 > running_subscriptions
ORDER BY date_day DESC
LIMIT 20;

-- table: completeness_daily
-- name: complete_days_by_month
-- question: How many days of each month are complete?
SELECT substr(date_day, 1, 7) AS month, count(1) AS days, SUM(is_complete) AS complete_days
FROM completeness_daily
GROUP BY month
ORDER BY month;

-- table: completeness_monthly
-- name: complete_months
-- question: Which months are complete?
SELECT month, last_day FROM completeness_monthly WHERE is_complete = 1 ORDER BY month;

-- table: completeness_monthly
-- name: months_that_wait
-- question: Which months have ended, but are not complete?
SELECT month FROM completeness_monthly WHERE has_ended = 1 AND is_complete = 0 ORDER BY month;

-- table: completeness_monthly
-- name: revenue_of_complete_months
-- question: How large is the revenue of the complete months?
SELECT r.month, r.currency, SUM(r.gross_milli) / 1000.0 AS gross
FROM revenue_monthly AS r JOIN completeness_monthly AS c ON c.month = r.month
WHERE c.is_complete = 1
GROUP BY r.month, r.currency
ORDER BY r.month, r.currency;

-- table: subscription_not_seen
-- name: not_seen_by_product
-- question: Of which products are there subscriptions whose end nobody has looked at?
SELECT product_id, count(1) AS subscriptions, MIN(first_date) AS since
FROM subscription_not_seen
GROUP BY product_id
ORDER BY subscriptions DESC, product_id;

-- table: subscription_not_seen
-- name: receipts_to_ask_for
-- question: About which subscriptions should Apple be asked again?
SELECT original_transaction_id, product_id, seen_through_at, first_date
FROM subscription_not_seen
ORDER BY first_date, original_transaction_id;

-- table: subscription_not_seen
-- name: money_not_seen
-- question: How much did these subscriptions last pay?
SELECT currency, count(1) AS subscriptions, SUM(paid_milli) / 1000.0 AS last_paid
FROM subscription_not_seen
GROUP BY currency
ORDER BY currency;
