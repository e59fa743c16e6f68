-- name: relationships_transaction_id
-- severity: error
-- columns: purchase_key
-- means: A purchase cannot be found by its own transaction id.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE NOT EXISTS (
  SELECT 1 FROM main.bridge_transaction_id AS i WHERE i.transaction_id = r.transaction_id)
