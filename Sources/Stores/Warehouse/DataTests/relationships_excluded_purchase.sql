-- name: relationships_excluded_purchase
-- severity: error
-- columns: purchase_key
-- means: A purchase is in revenue and left out of it.
SELECT x.purchase_key FROM main.excluded_purchase AS x
WHERE EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = x.purchase_key)
