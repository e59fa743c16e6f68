-- name: ledger_refund_missing
-- severity: error
-- columns: purchase_key
-- means: A refunded purchase has no refund in fct_revenue_entry, so that the ledger has money too much.
SELECT r.purchase_key FROM fct_revenue AS r
LEFT JOIN main.fct_revenue_entry AS e ON e.entry_key = r.purchase_key & ~3 | 1
WHERE COALESCE(r.refunded_milli, r.paid_milli) > 0 AND r.reversal_kind = 'refund' AND e.entry_key IS NULL
