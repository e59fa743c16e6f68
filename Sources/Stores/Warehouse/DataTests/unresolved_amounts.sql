-- name: unresolved_amounts
-- severity: warn
-- columns: purchase_key
-- means: Amounts are not known; paidline explain names the missing evidence of each.
-- counted: by row
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.price_status = 'unresolved'
