-- name: relationships_bridge_purchase
-- severity: error
-- columns: transaction_id
-- means: A transaction id leads to a purchase that is neither in revenue nor excluded.
SELECT i.transaction_id FROM bridge_transaction_id AS i
WHERE NOT EXISTS (SELECT 1 FROM main.fct_revenue AS r WHERE r.purchase_key = i.purchase_key)
  AND NOT EXISTS (SELECT 1 FROM main.excluded_purchase AS x WHERE x.purchase_key = i.purchase_key)
