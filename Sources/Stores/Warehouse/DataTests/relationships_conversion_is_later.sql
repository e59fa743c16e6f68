-- name: relationships_conversion_is_later
-- severity: error
-- columns: offer_purchase_key
-- means: An offer converts to a purchase of another chain, of another time, or from before it.
SELECT c.offer_purchase_key FROM fct_conversion AS c
JOIN main.fct_revenue AS r ON r.purchase_key = c.converted_purchase_key
WHERE r.purchased_at < c.started_at OR r.purchase_key = c.offer_purchase_key
  OR r.original_transaction_id <> c.original_transaction_id OR r.purchased_at <> c.converted_at
