-- name: relationships_bridge_purchase
-- severity: error
-- columns: transaction_id
-- means: A transaction id leads to a purchase that is neither in revenue nor excluded.
SELECT i.transaction_id FROM bridge_transaction_id AS i
WHERE (i.purchase_key IN (SELECT r.purchase_key FROM main.fct_revenue AS r)) IS NOT TRUE
  AND (i.purchase_key IN (SELECT x.purchase_key FROM main.excluded_purchase AS x)) IS NOT TRUE
