-- name: relationships_backtest_purchase
-- severity: error
-- columns: purchase_key
-- means: A purchase that a signed price decided was not compared.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.price_rule = 'signed_price'
  AND (r.purchase_key IN (SELECT b.purchase_key FROM main.audit_backtest AS b)) IS NOT TRUE
