-- name: relationships_product
-- severity: error
-- columns: purchase_key
-- means: A purchase is of a product that dim_product does not know.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE ((COALESCE(r.bundle_id, ''), r.product_id) IN (
  SELECT p.bundle_id, p.product_id FROM main.dim_product AS p)) IS NOT TRUE
