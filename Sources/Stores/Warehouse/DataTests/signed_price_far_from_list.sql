-- name: signed_price_far_from_list
-- severity: warn
-- columns: purchase_key
-- means: Apple signed a price 50 times away from the price in force; the amount stays exact.
-- counted: by row
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.price_rule = 'signed_price' AND (r.period_kind = 'regular' OR r.period_kind = 'one_time')
  AND r.paid_milli > 0 AND r.list_price_milli > 0
  AND (r.paid_milli / 50 >= r.list_price_milli * r.quantity
    OR r.list_price_milli * r.quantity / 50 >= r.paid_milli)
