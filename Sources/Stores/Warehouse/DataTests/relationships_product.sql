-- name: relationships_product
-- severity: error
-- columns: purchase_key
-- means: A purchase is of a product that dim_product does not know.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE NOT EXISTS (SELECT 1 FROM main.dim_product AS p
  WHERE p.bundle_id = COALESCE(r.bundle_id, '') AND p.product_id = r.product_id)
