-- name: unestimated_proceeds
-- severity: warn
-- columns: purchase_key
-- means: Rows have an amount and no estimate of proceeds, although the catalogue has shares.
-- counted: by row
SELECT purchase_key FROM fct_revenue
WHERE paid_reporting_micros > 0 AND proceeds_estimate_micros IS NULL
  AND (commission_bp IS NOT NULL OR tax_bp IS NOT NULL)
