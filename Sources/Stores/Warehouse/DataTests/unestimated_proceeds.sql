-- name: unestimated_proceeds
-- severity: warn
-- columns: purchase_key
-- means: Rows have an amount and no estimate of proceeds, although the catalogue has shares.
-- counted: by row
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.paid_reporting_micros > 0 AND r.proceeds_estimate_micros IS NULL
  AND (r.commission_bp IS NOT NULL OR r.tax_bp IS NOT NULL)
