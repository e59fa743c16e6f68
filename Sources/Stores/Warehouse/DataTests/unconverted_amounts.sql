-- name: unconverted_amounts
-- severity: warn
-- columns: purchase_key
-- means: Amounts are missing in the reporting currency, because there is no rate for their day.
-- counted: by row
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.paid_milli > 0 AND r.paid_reporting_micros IS NULL
  AND (SELECT reporting_currency FROM main.audit_run ORDER BY run_id DESC LIMIT 1) IS NOT NULL
