-- name: unresolved_amounts
-- severity: warn
-- columns: purchase_key
-- means: Amounts are not known; paidline explain names the missing evidence of each.
-- counted: by row
SELECT purchase_key FROM fct_revenue WHERE price_status = 'unresolved'
