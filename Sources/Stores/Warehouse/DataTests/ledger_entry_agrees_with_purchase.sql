-- name: ledger_entry_agrees_with_purchase
-- severity: error
-- columns: entry_key
-- means: A charge, refund or credit has another amount, currency or day than its purchase.
SELECT e.entry_key FROM fct_revenue_entry AS e
LEFT JOIN main.fct_revenue AS r ON r.purchase_key = e.purchase_key
WHERE r.currency IS NOT e.currency
  OR e.entry_kind = 'charge' AND (e.amount_milli IS NOT r.paid_milli
    OR e.entry_date IS NOT r.purchased_date)
  OR e.entry_kind = 'refund' AND (e.amount_milli IS NOT -COALESCE(r.refunded_milli, r.paid_milli)
    OR r.reversal_kind IS NOT 'refund' OR e.entry_date IS NOT substr(r.reversed_at, 1, 10))
  OR e.entry_kind = 'upgrade_credit_estimate' AND (r.reversal_kind IS NOT 'upgrade'
    OR e.amount_milli NOT BETWEEN -r.paid_milli AND 0)
