-- name: relationships_backtest_purchase
-- severity: error
-- columns: purchase_key
-- means: A purchase that a signed price decided was not compared, or one without that price was.
SELECT r.purchase_key FROM fct_revenue AS r
LEFT JOIN main.audit_backtest AS b ON b.purchase_key = r.purchase_key
WHERE r.signed_price_milli IS NOT b.signed_milli
  AND (b.signed_milli IS NOT NULL OR r.price_rule = 'signed_price')
