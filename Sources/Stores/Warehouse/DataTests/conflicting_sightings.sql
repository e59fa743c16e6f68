-- name: conflicting_sightings
-- severity: warn
-- columns: purchase_key
-- means: Receipts contradict each other about these purchases, whose amounts are not known.
-- counted: by row
SELECT purchase_key FROM fct_revenue WHERE price_status = 'conflict'
