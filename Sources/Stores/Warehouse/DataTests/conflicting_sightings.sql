-- name: conflicting_sightings
-- severity: warn
-- columns: purchase_key
-- means: Receipts contradict each other about these purchases, whose amounts are not known.
-- counted: by row
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.price_status = 'conflict'
