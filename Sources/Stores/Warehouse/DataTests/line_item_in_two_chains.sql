-- name: line_item_in_two_chains
-- severity: warn
-- columns: web_order_line_item_id
-- means: Exports name one charge under two chains, so its amount counts twice. Take the wrong file out with paidline forget.
SELECT web_order_line_item_id FROM fct_revenue WHERE web_order_line_item_id IS NOT NULL
GROUP BY web_order_line_item_id HAVING count(1) > 1
