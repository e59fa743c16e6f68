-- name: relationships_basis_purchase
-- severity: error
-- columns: purchase_key
-- means: An amount comes from an earlier purchase that is not there.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.basis_purchase_key IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM main.fct_revenue AS b WHERE b.purchase_key = r.basis_purchase_key)
