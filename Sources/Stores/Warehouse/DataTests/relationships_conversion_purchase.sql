-- name: relationships_conversion_purchase
-- severity: error
-- columns: offer_purchase_key
-- means: An offer has no purchase, or converts to one that is not there, of another chain or time, or from before it.
SELECT c.offer_purchase_key FROM fct_conversion AS c
LEFT JOIN main.fct_revenue AS r ON r.purchase_key = c.converted_purchase_key
WHERE (c.offer_purchase_key IN (SELECT o.purchase_key FROM main.fct_revenue AS o)) IS NOT TRUE
  OR c.converted_purchase_key IS NOT NULL AND COALESCE(
    r.purchased_at < c.started_at OR r.purchase_key = c.offer_purchase_key
      OR r.original_transaction_id <> c.original_transaction_id OR r.purchased_at <> c.converted_at,
    TRUE)
