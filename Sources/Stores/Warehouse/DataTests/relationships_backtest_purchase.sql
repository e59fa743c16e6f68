-- name: relationships_backtest_purchase
-- severity: error
-- columns: purchase_key
-- means: A purchase with a signed price was not compared, or one without it was.
SELECT r.purchase_key FROM fct_revenue AS r
LEFT JOIN main.audit_backtest AS b ON b.purchase_key = r.purchase_key
WHERE r.signed_price_milli IS NOT b.signed_milli
