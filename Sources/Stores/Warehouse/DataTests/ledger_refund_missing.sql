-- name: ledger_refund_missing
-- severity: error
-- columns: purchase_key
-- means: A refunded purchase has no refund in fct_revenue_entry, so that the ledger has money too much.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE CASE WHEN r.reversal_kind = 'refund' THEN COALESCE(r.refunded_milli, r.paid_milli)
    ELSE r.refunded_milli END > 0
  AND NOT EXISTS (
    SELECT 1 FROM main.fct_revenue_entry AS e WHERE e.entry_key = r.purchase_key & ~3 | 1)
  AND NOT EXISTS (
    SELECT 1 FROM main.fct_revenue_entry AS i
    WHERE i.purchase_key = r.purchase_key AND i.entry_key & ~3 <> i.purchase_key & ~3)
