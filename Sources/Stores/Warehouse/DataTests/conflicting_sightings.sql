-- name: conflicting_sightings
-- severity: warn
-- columns: purchase_key
-- means: Receipts contradict each other about these purchases, whose amounts are not known.
SELECT purchase_key FROM main.fct_revenue WHERE price_status = 'conflict'
