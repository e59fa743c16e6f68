-- name: relationships_backtest_purchase
-- severity: error
-- columns: purchase_key
-- means: A purchase with a signed price was not compared, or one without it was.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.signed_price_milli IS NOT
  (SELECT b.signed_milli FROM main.audit_backtest AS b WHERE b.purchase_key = r.purchase_key)
