-- name: ledger_charge_missing
-- severity: error
-- columns: purchase_key
-- means: A paid purchase has no charge in fct_revenue_entry, so that the ledger lacks money.
SELECT r.purchase_key FROM fct_revenue AS r
WHERE r.paid_milli > 0
  AND (r.purchase_key & ~3 IN (SELECT e.entry_key FROM main.fct_revenue_entry AS e)) IS NOT TRUE
