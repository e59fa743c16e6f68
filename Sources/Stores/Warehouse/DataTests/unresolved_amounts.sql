-- name: unresolved_amounts
-- severity: warn
-- columns: purchase_key
-- means: Amounts are not known; paidline explain says of each what would tell it.
SELECT purchase_key FROM main.fct_revenue WHERE price_status = 'unresolved'
