-- name: ledger_entry_agrees_with_purchase
-- severity: error
-- columns: entry_key
-- means: A charge, refund or credit has no purchase, or another amount, currency or day than its purchase.
SELECT e.entry_key FROM fct_revenue_entry AS e
LEFT JOIN main.fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE r.currency IS NOT e.currency
  OR CASE
    WHEN e.entry_kind = 'charge'
    THEN e.amount_milli IS NOT r.paid_milli OR e.entry_date IS NOT r.purchased_date
    WHEN e.entry_kind = 'refund' AND e.entry_key & ~3 <> e.purchase_key & ~3
    THEN r.refunded_milli IS NULL OR e.amount_milli NOT BETWEEN -r.refunded_milli AND -1
    WHEN e.entry_kind = 'refund'
    THEN r.reversal_kind IS NOT 'refund' OR e.entry_date IS NOT substr(r.reversed_at, 1, 10)
      OR e.amount_milli IS NOT -COALESCE(r.refunded_milli, r.paid_milli) - (
        SELECT COALESCE(SUM(i.amount_milli), 0) FROM main.fct_revenue_entry AS i
        WHERE i.purchase_key = r.purchase_key AND i.entry_key & ~3 <> i.purchase_key & ~3)
    ELSE r.reversal_kind IS NOT 'upgrade' OR e.amount_milli NOT BETWEEN -r.paid_milli AND 0 END
